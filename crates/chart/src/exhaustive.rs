//! The brute-force oracle: every structure of a class, by trying them all.
//!
//! No deduction rule is used. Undirected graphs are built edge by edge and dropped as soon as they leave the class; then
//! every orientation is tried, and with a structural tree every choice of structural parents. Exponential, of course:
//! five words take seconds, six take minutes.

use crate::graph::{Graph, cross, locked_chain};
use crate::part::{Edge, EdgeKind, Node, Nodes};
use crate::structure::{Class, Crossing, Parents};

/// Calls `visit` with each structure of the class over `words` words with one spine each.
pub fn structures(class: Class, words: usize, mut visit: impl FnMut(&Graph)) {
    let nodes = Nodes::single(words);
    let spines: Vec<Node> = (0..words as u32).map(Node).collect();
    undirected(class, words, &mut |spans| {
        orientations(class, &nodes, spans, &mut |edges| {
            if class.structural {
                structural_trees(&nodes, spans, edges, &mut |edges| {
                    visit(&Graph { spines: spines.clone(), edges: edges.to_vec() });
                });
            } else {
                let mut edges = edges.to_vec();
                edges.sort_unstable();
                visit(&Graph { spines: spines.clone(), edges });
            }
        });
    });
}

/// How many structures the class has over `words` words.
pub fn count(class: Class, words: usize) -> u64 {
    let mut count = 0;
    structures(class, words, |_| count += 1);
    count
}

type Span = (usize, usize);

/// Every undirected graph with the crossing property.
fn undirected(class: Class, words: usize, visit: &mut impl FnMut(&[Span])) {
    let pairs: Vec<Span> = (0..=words).flat_map(|right| (0..right).map(move |left| (left, right))).collect();
    extend(class, &pairs, &mut Vec::new(), visit);
}

fn extend(class: Class, pairs: &[Span], spans: &mut Vec<Span>, visit: &mut impl FnMut(&[Span])) {
    let Some((&pair, rest)) = pairs.split_first() else {
        if locked_chain(spans).is_none() {
            visit(spans);
        }
        return;
    };
    extend(class, rest, spans, visit);
    spans.push(pair);
    let ok = match class.crossing {
        Crossing::Projective => !spans.iter().any(|&other| cross(pair, other)),
        Crossing::OneEndpoint => spans.iter().all(|&edge| {
            let mut crossing = spans.iter().filter(|&&other| cross(edge, other));
            crossing.next().is_none_or(|first| {
                let rest: Vec<&Span> = crossing.collect();
                [first.0, first.1].into_iter().any(|end| rest.iter().all(|o| o.0 == end || o.1 == end))
            })
        }),
    };
    if ok {
        extend(class, rest, spans, visit);
    }
    spans.pop();
}

/// Every orientation in the class: acyclic, all words reachable from the root, and so on.
fn orientations(class: Class, nodes: &Nodes, spans: &[Span], visit: &mut impl FnMut(&[Edge])) {
    let words = nodes.words();
    if class.parents == Parents::One && spans.len() != words {
        return;
    }
    let edge = |from: usize, to: usize| Edge {
        from: Node(from as u32),
        to: Node(to as u32),
        kind: EdgeKind::Structural,
    };
    if !class.directed {
        let edges: Vec<Edge> = spans.iter().map(|&(left, right)| edge(left, right)).collect();
        if reached(words, spans, |_| true, false) {
            visit(&edges);
        }
        return;
    }
    // Edges of the root point away from it; the others go either way.
    let free: Vec<usize> = (0..spans.len()).filter(|&e| spans[e].1 != words).collect();
    for choice in 0..1u64 << free.len() {
        let mut forward = vec![false; spans.len()];
        for (bit, &index) in free.iter().enumerate() {
            forward[index] = choice >> bit & 1 == 1;
        }
        let oriented: Vec<Span> = spans
            .iter()
            .zip(&forward)
            .map(|(&(left, right), &forward)| if forward { (left, right) } else { (right, left) })
            .collect();
        let single = class.parents == Parents::Several
            || (0..words).all(|word| oriented.iter().filter(|edge| edge.1 == word).count() == 1);
        if single && acyclic(words, &oriented) && reached(words, &oriented, |_| true, true) {
            let edges: Vec<Edge> = oriented.iter().map(|&(from, to)| edge(from, to)).collect();
            visit(&edges);
        }
    }
}

fn acyclic(words: usize, edges: &[Span]) -> bool {
    let mut left: Vec<Span> = edges.to_vec();
    for _ in 0..=words {
        let sources: Vec<bool> = (0..=words).map(|v| left.iter().all(|edge| edge.1 != v)).collect();
        left.retain(|edge| !sources[edge.0]);
    }
    left.is_empty()
}

/// Are all words reachable from the root?
fn reached(words: usize, edges: &[Span], wanted: impl Fn(usize) -> bool, directed: bool) -> bool {
    let mut seen = vec![false; words + 1];
    seen[words] = true;
    for _ in 0..words {
        for &(from, to) in edges {
            seen[to] |= seen[from];
            if !directed {
                seen[from] |= seen[to];
            }
        }
    }
    (0..words).filter(|&word| wanted(word)).all(|word| seen[word])
}

/// Every choice of one structural parent for each word such that structural edges do not cross.
fn structural_trees(nodes: &Nodes, spans: &[Span], edges: &[Edge], visit: &mut impl FnMut(&[Edge])) {
    fn choose(
        words: usize,
        word: usize,
        spans: &[Span],
        edges: &[Edge],
        chosen: &mut Vec<usize>,
        visit: &mut impl FnMut(&[usize]),
    ) {
        if word == words {
            visit(chosen);
            return;
        }
        for index in 0..edges.len() {
            let fits =
                edges[index].to.index() == word && !chosen.iter().any(|&o| cross(spans[o], spans[index]));
            if fits {
                chosen.push(index);
                choose(words, word + 1, spans, edges, chosen, visit);
                chosen.pop();
            }
        }
    }
    choose(nodes.words(), 0, spans, edges, &mut Vec::new(), &mut |chosen| {
        let mut marked = edges.to_vec();
        for (index, edge) in marked.iter_mut().enumerate() {
            edge.kind = if chosen.contains(&index) { EdgeKind::Structural } else { EdgeKind::Trace };
        }
        marked.sort_unstable();
        visit(&marked);
    });
}
