//! The enhanced graph: what the basic tree cannot say, and the nulls of the treebank do.
//!
//! From the basic tree, in this order: labels get the preposition, subordinator or conjunction that goes with them (`nmod:of`,
//! `advcl:if`, `conj:and`); what a relative clause modifies gets the place of its pronoun, and the pronoun becomes a `ref`; each null with an
//! antecedent becomes an edge from what is around it to the antecedent's words; conjuncts get the governor of the first one, its subject where
//! they have none, and the object that stands behind them; and an `xcomp` that has no subject yet gets the object of its governor, or else its subject (`nsubj:xsubj`).

use std::collections::{BTreeMap, BTreeSet};

use tracebank_syntax::tree::NodeId;

use crate::relations::{End, follow};
use crate::scene::Scene;

use super::labels::{self, Site};
use super::tags::Tags;
use super::{Arc, Arcs};

/// The labels that take a function word along, and the labels of such words, the foremost first.
const MARKED: [(&str, &[&str]); 5] = [
    ("nmod", &["case"]),
    ("obl", &["case"]),
    ("advcl", &["mark", "case", "advmod"]),
    ("acl", &["mark", "case"]),
    ("conj", &["cc"]),
];

/// Adverbs that begin a clause as subordinators do: *left \[when\] it rained*.
const SUBORDINATING: [&str; 2] = ["when", "where"];

/// The dependants of a governor that can be the subject of its `xcomp`, the first that there is.
const CONTROLLERS: [&str; 3] = ["obj", "iobj", "nsubj"];

/// The graph while it is made.
struct Graph<'a, 'b> {
    scene: &'a Scene<'b>,
    arcs: &'a Arcs,
    tags: &'a [Tags],
    /// For each word its governors, counted from 1, and relations.
    edges: Vec<BTreeSet<(usize, String)>>,
    /// For each governor the words that have or had an edge to it.
    governed: Vec<BTreeSet<usize>>,
}

/// The enhanced edges of all words, governors counted from 1.
pub(crate) fn graph(scene: &Scene<'_>, arcs: &Arcs, tags: &[Tags]) -> Vec<Vec<(usize, String)>> {
    let (edges, governed) = (vec![BTreeSet::new(); arcs.len()], vec![BTreeSet::new(); arcs.len() + 1]);
    let mut graph = Graph { scene, arcs, tags, edges, governed };
    graph.basic();
    graph.relatives();
    graph.nulls();
    graph.propagate();
    graph.control();
    graph.edges.into_iter().map(|edges| edges.into_iter().collect()).collect()
}

/// The subjects of a conjunct, with their labels, and its objects in order.
struct Shared {
    subjects: Vec<(usize, String)>,
    objects: Vec<usize>,
}

impl Graph<'_, '_> {
    /// The words that depend on `at` with such a label.
    fn dependants(&self, at: usize, label: &str) -> impl Iterator<Item = usize> {
        self.arcs.dependants(at).filter(move |&other| self.arcs[other].label == label)
    }

    /// The arcs, their labels with the function words that go with them.
    fn basic(&mut self) {
        // *a, b and c*: the conjunction of the next that has one; so the last comes first
        let mut conjunctions = BTreeMap::new();
        for at in (0..self.arcs.len()).rev() {
            let Arc { head, label } = &self.arcs[at];
            let mut marker = self.marker(at, label);
            if label == "conj" {
                if let Some(own) = &marker {
                    conjunctions.insert(*head, own.clone());
                } else {
                    marker = conjunctions.get(head).cloned();
                }
            }
            let label = marker.map_or_else(|| label.clone(), |word| format!("{label}:{word}"));
            self.insert(at, head.map_or(0, |head| head + 1), label);
        }
    }

    /// The function word of a phrase with a label: of several the last, *and/or* but whole.
    fn marker(&self, at: usize, label: &str) -> Option<String> {
        let (_, kinds) = MARKED.iter().find(|(marked, _)| *marked == label)?;
        let fits = |&word: &usize| match self.arcs[word].label.as_str() {
            "advmod" => SUBORDINATING.contains(&self.form(word).as_str()),
            _ => !self.scene.is(self.scene.words[word], &["POS"]),
        };
        let of = |kind: &&str| {
            let words: Vec<String> =
                self.dependants(at, kind).filter(fits).map(|word| self.spelling(word)).collect();
            let whole = || words.join("_");
            if *kind == "cc" { Some(whole()).filter(|word| !word.is_empty()) } else { words.last().cloned() }
        };
        let word = kinds.iter().find_map(of)?;
        word.chars().all(|c| c.is_alphabetic() || c == '_').then_some(word)
    }

    fn form(&self, at: usize) -> String {
        self.scene.lower(self.scene.words[at])
    }

    /// A function word as labels spell it, with the words that are fixed to it: `according_to`.
    fn spelling(&self, at: usize) -> String {
        let rest = self.dependants(at, "fixed");
        let words =
            std::iter::once(at).chain(rest).map(|at| match self.scene.category(self.scene.words[at]) {
                // *including* is no form of a verb here
                "VBG" | "VBN" => self.form(at),
                _ if self.form(at) == "/" => "slash".to_owned(),
                _ => self.tags[at].lemma.to_lowercase(),
            });
        words.collect::<Vec<_>>().join("_")
    }

    fn insert(&mut self, at: usize, head: usize, label: String) {
        self.edges[at].insert((head, label));
        self.governed[head].insert(at);
    }

    /// The edges from a word to one of its governors.
    fn edges(&self, at: usize, head: usize) -> impl Iterator<Item = &str> {
        let edges = self.edges[at].range((head, String::new())..);
        edges.take_while(move |(governor, _)| *governor == head).map(|(_, label)| label.as_str())
    }

    fn add(&mut self, at: usize, head: usize, label: &str) {
        if at + 1 != head && self.edges(at, head).next().is_none() {
            self.insert(at, head, label.to_owned());
        }
    }

    /// What the relative clause with the verb `verb` modifies.
    fn modified(&self, verb: usize) -> Option<usize> {
        let first = self.arcs[verb].head.filter(|_| self.arcs[verb].label == "conj").unwrap_or(verb);
        self.arcs[first].head.filter(|_| self.arcs[first].label.ends_with(":relcl"))
    }

    /// A relative pronoun or adverb: what its clause modifies gets its place, and it becomes a reference to that.
    fn relatives(&mut self) {
        let tree = self.scene.tree;
        for wh in tree.preorder(tree.top()) {
            if self.scene.is_empty(wh) || !self.scene.is(wh, &["WHNP", "WHPP", "WHADVP"]) {
                continue;
            }
            let clause = tree.parent(wh).filter(|&clause| self.scene.is(clause, &["SBAR"]));
            let verb = clause.and_then(|clause| self.scene.head(clause)).map(|verb| self.scene.token(verb));
            let noun = verb.and_then(|verb| self.modified(verb));
            let (Some(noun), Some(pronoun)) = (noun, self.pronoun(wh)) else { continue };
            let pronoun = self.scene.token(pronoun);
            // *in which case*
            if self.arcs[pronoun].label == "det" {
                continue;
            }
            // there are several only where another relative clause modifies the pronoun
            let Some((head, label)) = self.edges[pronoun].first().cloned() else { continue };
            if [0, noun + 1].contains(&head) || noun == pronoun || label == "ref" {
                continue;
            }
            let of_clause = self.tags[noun].upos == "VERB";
            let label = match label.as_str() {
                "advmod" => "obl".to_owned(),
                // *left, which was sad*
                "nsubj" if of_clause => "csubj".to_owned(),
                _ => label,
            };
            self.insert(noun, head, label);
            self.edges[pronoun].clear();
            self.insert(pronoun, noun + 1, "ref".to_owned());
        }
    }

    /// The word of a wh-phrase that refers: *whose* in *whose car*, *whom* in *all of whom*, or else its head.
    fn pronoun(&self, wh: NodeId) -> Option<NodeId> {
        let mut leaves = self.scene.tree.leaves(wh);
        let refers = leaves.find(|&leaf| self.scene.is(leaf, &["WP$", "WP", "WDT", "WRB"]));
        refers.or_else(|| self.scene.head(wh))
    }

    /// Every null with an antecedent, as an edge.
    fn nulls(&mut self) {
        let tree = self.scene.tree;
        for leaf in tree.leaves(tree.top()).filter(|&leaf| tree.is_null_element(leaf)) {
            if let Some((target, governor, label)) = self.null(leaf) {
                self.add(target, governor + 1, &label);
            }
        }
    }

    /// The edge of a null: its antecedent, its governor, and its relation.
    fn null(&self, leaf: NodeId) -> Option<(usize, usize, String)> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let null = tree.null_element(leaf)?;
        if !matches!(null.kind, "*" | "*PRO*" | "*T*" | "*RNR*") || null.index.is_none() && null.kind == "*T*"
        {
            return None;
        }
        let empty = tree.ancestors(leaf).take_while(|&above| scene.is_empty(above)).last()?;
        let mut phrase = tree.parent(empty)?;
        let mut label_node = empty;
        let mut preposition = None;
        while scene.is(phrase, &["PP", "WHPP"]) {
            preposition = preposition.or_else(|| scene.head(phrase));
            label_node = phrase;
            phrase = tree.parent(phrase)?;
        }
        let chain = follow(scene, empty);
        let End::Node(end) = chain.end else { return None };
        // *all of whom*: the noun has the place of the pronoun alone
        let is_whole =
            |&node: &NodeId| scene.category(node).starts_with("WH") && self.pronoun(node) != scene.head(node);
        if chain.nodes.iter().any(is_whole) {
            return None;
        }
        if null.index.is_none() && !scene.is(end, &["NP", "PRP$"]) {
            return None;
        }
        let head = scene.head_child(phrase)?;
        let (target, governor) = (scene.token(scene.head(end)?), scene.token(scene.head(head)?));
        let passive_trace = null.kind == "*" && scene.is(phrase, &["VP"]) && label_node == empty;
        let in_noun = scene.is(phrase, &["NP", "NX", "NML", "QP"]) && null.kind != "*RNR*";
        let of_clause = scene.is(end, &["S", "SBAR", "SINV", "SQ", "VP"]);
        let is_known = target == governor || self.arcs[target].head == Some(governor);
        if is_known
            || passive_trace
            || in_noun
            || of_clause
            // *there* goes with the verb above alone
            || scene.is(scene.words[target], &["EX"])
            || null.kind == "*T*" && !self.relates(governor, target)
        {
            return None;
        }
        let site = Site { node: label_node, label: label_node, phrase, head, conjunct: false };
        let label = labels::label(scene, &site);
        if label.starts_with("nsubj") && matches!(null.kind, "*PRO*" | "*") {
            return (self.arcs[governor].label == "xcomp")
                .then(|| (target, governor, "nsubj:xsubj".to_owned()));
        }
        if matches!(label, "dep" | "punct") || label.starts_with("conj") {
            return None;
        }
        let marker = preposition.filter(|_| matches!(label, "obl" | "nmod"));
        let marker =
            marker.map_or_else(String::new, |word| format!(":{}", self.tags[scene.token(word)].lemma));
        Some((target, governor, format!("{label}{marker}")))
    }

    /// Whether `verb` is in a relative clause that modifies `noun`. Other traces say what nobody adds to a graph: *hard to believe*.
    fn relates(&self, verb: usize, noun: usize) -> bool {
        self.arcs.above(verb).take_while(|&at| at != noun).any(|at| self.modified(at) == Some(noun))
    }

    /// Conjuncts share the governor of the first, its subject, and an object behind them.
    fn propagate(&mut self) {
        // A first conjunct may have as many others as there are words, so it is asked once for all of them. What is added meanwhile has other governors.
        let mut shared: Option<(usize, Shared)> = None;
        for at in 0..self.arcs.len() {
            let Some(first) = self.arcs[at].head.filter(|_| self.arcs[at].label == "conj") else { continue };
            // *and John coffee* is a clause of its own
            if self.dependants(at, "orphan").next().is_some() {
                continue;
            }
            if self.arcs[first].label != "conj" {
                for (head, label) in self.edges[first].clone() {
                    if !matches!(label.as_str(), "ref" | "root") {
                        self.add(at, head, &label);
                    }
                }
            }
            let known = shared.take().filter(|(of, _)| *of == first);
            let (_, Shared { subjects, objects }) =
                shared.insert(known.unwrap_or_else(|| (first, self.shared(first))));
            if self.governed(at, &["nsubj", "csubj"]).is_empty() {
                for (subject, label) in subjects {
                    let label = self.voiced(at, label.clone());
                    self.add(*subject, at + 1, &label);
                }
            }
            // *wash and dry it*
            if self.dependants(at, "obj").next().is_none() {
                let behind = objects.partition_point(|&object| object <= at);
                objects[behind..].iter().for_each(|&object| self.add(object, at + 1, "obj"));
            }
        }
    }

    /// What the first of several conjuncts may share with the others.
    fn shared(&self, first: usize) -> Shared {
        let mut subjects = self.governed(first, &["nsubj", "csubj"]);
        subjects.retain(|(word, _)| self.arcs[*word].label != "conj");
        Shared { subjects, objects: self.dependants(first, "obj").collect() }
    }

    /// The words that have an edge with one of these labels, or a kind of one, to a governor.
    fn governed(&self, governor: usize, labels: &[&str]) -> Vec<(usize, String)> {
        let fits = |label: &&str| labels.iter().any(|wanted| label.split(':').next() == Some(wanted));
        let words = self.governed[governor + 1].iter().copied();
        words.filter_map(|at| Some((at, self.edges(at, governor + 1).find(fits)?.to_owned()))).collect()
    }

    /// The label of a subject with the voice of the verb `at`.
    fn voiced(&self, at: usize, label: String) -> String {
        let has = |label: &str| self.dependants(at, label).next().is_some();
        match label.as_str() {
            "nsubj" if has("aux:pass") => "nsubj:pass".to_owned(),
            "nsubj:pass" if !has("aux:pass") && (has("aux") || has("cop")) => "nsubj".to_owned(),
            _ => label,
        }
    }

    /// The subjects of verbs and predicates that have none of their own, from the root down: *let \[me\] know*, *\[she\] stayed calm*.
    fn control(&mut self) {
        let depths = self.arcs.depths();
        let mut order: Vec<usize> = (0..self.arcs.len()).collect();
        order.sort_by_key(|&at| depths[at]);
        for at in order {
            let above = self.edges[at].iter().find(|(_, label)| label == "xcomp").map(|(head, _)| head - 1);
            let Some(governor) = above.filter(|_| self.governed(at, &["nsubj", "csubj"]).is_empty()) else {
                continue;
            };
            let found = CONTROLLERS.iter().map(|label| self.governed(governor, &[label]));
            for (subject, _) in found.filter(|found| !found.is_empty()).take(1).flatten().collect::<Vec<_>>()
            {
                self.add(subject, at + 1, "nsubj:xsubj");
            }
        }
    }
}
