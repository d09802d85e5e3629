//! Adding an edge to an item, by the four sentences that head algorithm 1.

use crate::item::{Count, Kind, Letter, Link, Side, Visible};
use crate::structure::{Class, Crossing, Parents};

/// The edge that an edge rule adds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeStep {
    /// The parent.
    pub from: Visible,
    /// The child.
    pub to: Visible,
    /// A trace edge beside the structural tree (never, in a class without one).
    pub trace: bool,
}

/// "Edges between l and r can be added to items I, N, L, R and B […], between l and x to I (forming an X), R and N,
/// between r and x to I (forming an X), L and N."
fn takes(letter: Letter, pair: (Visible, Visible)) -> bool {
    match pair {
        (Visible::L, Visible::R) => letter != Letter::X,
        (Visible::L, _) => matches!(letter, Letter::I | Letter::R | Letter::N),
        _ => matches!(letter, Letter::I | Letter::L | Letter::N),
    }
}

/// "The l–r edge cannot be added after another edge, and N items cannot get both l–x and r–x edges": an l–r edge needs
/// an item without any edge between visible vertices, an edge to x one without any other edge to x.
fn still_free(kind: &Kind, pair: (Visible, Visible)) -> bool {
    let to_x = kind.direct(Visible::L, Visible::X) || kind.direct(Visible::R, Visible::X);
    match pair {
        (Visible::L, Visible::R) => !to_x && !kind.direct(Visible::L, Visible::R),
        _ => !to_x,
    }
}

/// All edges the class lets one add to an item of this kind, and what each makes.
pub(super) fn steps(kind: &Kind, class: Class) -> Vec<(EdgeStep, Kind)> {
    let mut made = Vec::new();
    for pair in [(Visible::L, Visible::R), (Visible::L, Visible::X), (Visible::R, Visible::X)] {
        if !takes(kind.letter, pair) || !still_free(kind, pair) {
            continue;
        }
        for placed in with_external(kind, pair, class) {
            for (from, to) in [pair, (pair.1, pair.0)] {
                if !class.directed && from > to {
                    continue;
                }
                for trace in [false, true] {
                    let edge = EdgeStep { from, to, trace };
                    made.extend(add(&placed, edge, class).map(|kind| (edge, kind)));
                }
            }
        }
    }
    made
}

/// An interval that is to get an edge to x becomes an exterval, with x on either side.
fn with_external(kind: &Kind, pair: (Visible, Visible), class: Class) -> Vec<Kind> {
    if kind.letter != Letter::I || pair.1 != Visible::X {
        return vec![*kind];
    }
    match class.crossing {
        Crossing::Projective => Vec::new(),
        Crossing::OneEndpoint => [Side::Left, Side::Right]
            .map(|side| Kind { letter: Letter::X, side: Some(side), count: Count::One, ..*kind })
            .to_vec(),
    }
}

fn add(kind: &Kind, edge: EdgeStep, class: Class) -> Option<Kind> {
    let (from, to) = (edge.from as usize, edge.to as usize);
    if edge.trace && !class.structural {
        return None;
    }
    if class.parents == Parents::One {
        let taken =
            if class.directed { kind.has_parent(edge.to) } else { kind.links[from][to] != Link::None };
        if taken {
            return None;
        }
    }
    let mut made = *kind;
    made.links[from][to] = Link::Direct;
    if !class.directed {
        made.links[to][from] = Link::Direct;
    }
    close(&mut made.links);
    if class.directed && is_cyclic(&made.links) {
        return None;
    }
    let external = edge.from == Visible::X || edge.to == Visible::X;
    if external {
        made.count = if kind.letter == Letter::X { Count::One } else { Count::Many };
    } else if matches!(kind.letter, Letter::L | Letter::R | Letter::N) {
        made.hat = true;
    }
    if class.structural && !edge.trace {
        // A structural l–r edge would cross the structural edges that lead from x into the span.
        if kind.structural.parent[to] || (!external && kind.structural.external) {
            return None;
        }
        made.structural.parent[to] = true;
        made.structural.external |= external;
    }
    Some(made)
}

/// Completes the paths: whatever is reachable through another vertex is reachable.
fn close(links: &mut [[Link; 3]; 3]) {
    for through in 0..3 {
        for from in 0..3 {
            for to in 0..3 {
                let path = links[from][through] != Link::None && links[through][to] != Link::None;
                if from != to && links[from][to] == Link::None && path {
                    links[from][to] = Link::Path;
                }
            }
        }
    }
}

/// Can two vertices be reached from each other?
fn is_cyclic(links: &[[Link; 3]; 3]) -> bool {
    (0..3).any(|a| (0..a).any(|b| links[a][b] != Link::None && links[b][a] != Link::None))
}
