//! Relations of a tree: each predicate with its arguments, every null resolved.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use tracebank_syntax::tree::{Kind, NodeId};

use crate::heads::is_clause;
use crate::lemma::rows;
use crate::scene::Scene;

use super::form;
use super::gapping;
use super::predicates::{self, Site};
use super::resolve::{self, Chain, End};
use super::roles::{Place, rank, role};
use super::{Argument, Filler, Relation, Voice};

static RAISING: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| rows(include_str!("../../data/raising.txt")).map(|row| row[0]).collect());

/// The relations, in the order of their predicates.
pub(crate) fn all(scene: &Scene<'_>) -> Vec<Relation> {
    let sites = predicates::all(scene);
    let mut relations: Vec<Relation> = sites.iter().map(|site| relation(scene, site)).collect();
    let gapped = gapping::gapped(scene, &sites, &relations);
    relations.extend(gapped);
    relations.sort_by_key(|relation| (relation.predicate.token, relation.predicate.gapped));
    relations
}

fn relation(scene: &Scene<'_>, site: &Site) -> Relation {
    let voice = site.voice(scene);
    let mut builder = Builder { scene, site, voice, arguments: Vec::new(), chains: Vec::new() };
    builder.dependents();
    builder.subject();
    let mut arguments = builder.arguments;
    arguments.sort_by_key(|argument| rank(argument.role));
    Relation { predicate: form::predicate(scene, site, voice), arguments }
}

struct Builder<'a, 'b> {
    scene: &'a Scene<'b>,
    site: &'a Site,
    voice: Voice,
    arguments: Vec<Argument>,
    /// The nodes on the way of each argument's chain.
    chains: Vec<Vec<NodeId>>,
}

impl Builder<'_, '_> {
    /// All arguments but the subject.
    fn dependents(&mut self) {
        let (scene, site) = (self.scene, self.site);
        let mut inner = site.word;
        let subject = site.clause.and_then(|clause| scene.subject(clause));
        if let Some(said) = site.said {
            self.of_predicative(said);
            inner = said;
        }
        for &layer in &site.layers {
            for child in beside(scene, layer, inner) {
                let own = child == inner || Some(child) == subject || Some(child) == site.said;
                let nominal = scene.is(layer, &["NP", "NX", "NML", "WHNP", "NAC"]);
                if own || nominal || !self.is_dependent(child) || self.is_read_inside(child, layer, inner) {
                    continue;
                }
                let is_core = layer == site.core;
                // in an inverted clause objects stand beside the verb
                let inverted = is_core
                    && !scene.is_empty(child)
                    && scene.span(child).start > scene.token(site.word)
                    && site.said.is_none();
                let place = if is_core && scene.is(layer, &["VP"]) && self.has_object_behind(child) {
                    Place::VerbFirst
                } else if inverted || scene.is(layer, &["VP"]) {
                    Place::Verb
                } else {
                    Place::Clause
                };
                self.add(child, place);
            }
            inner = layer;
        }
    }

    /// The complements of a predicative adjective.
    fn of_predicative(&mut self, said: NodeId) {
        let scene = self.scene;
        let mut phrase = scene.tree.parent(self.site.word).unwrap_or(said);
        while scene.dominates(said, phrase) {
            if scene.is(phrase, &["ADJP", "VP", "WHADJP"]) {
                let inner = scene.tree.children(phrase).find(|&child| scene.dominates(child, self.site.word));
                for child in scene.tree.children(phrase) {
                    let nested = Some(child) == inner || scene.is_conjunct(child);
                    if !nested
                        && self.is_dependent(child)
                        && inner.is_some_and(|inner| !self.is_read_inside(child, phrase, inner))
                        && !scene.is(child, &["ADVP", "ADJP", "NP", "QP"])
                    {
                        self.add(child, Place::Adjective);
                    }
                }
            }
            let Some(above) = scene.tree.parent(phrase) else { break };
            phrase = above;
        }
    }

    /// Whether a child of a layer can be an argument.
    fn is_dependent(&self, child: NodeId) -> bool {
        let scene = self.scene;
        let tree = scene.tree;
        let other = [
            "PRT", "PRN", "INTJ", "CONJP", "LST", "VP", "EDITED", "CIT", "WHADVP", "WHNP", "WHPP", "WHADJP",
            "NEG", "REF",
        ];
        if tree.kind(child) != Kind::Phrase || scene.is(child, &other) || tree.label(child).gap().is_some() {
            return false;
        }
        if resolve::comments_on_clause(scene, child) {
            return false;
        }
        // read where their nulls are
        if scene.pointers(child, &["*T*", "*ICH*", "*EXP*"]).next().is_some() && !scene.is_empty(child) {
            return false;
        }
        !self.is_negation(child)
    }

    /// Whether a phrase that conjuncts share is read where its `*RNR*` is, and not here: a conjunct without one, as a parser may leave it, has the phrase
    /// itself.
    fn is_read_inside(&self, child: NodeId, layer: NodeId, inner: NodeId) -> bool {
        let scene = self.scene;
        let mut nulls = scene.pointers(child, &["*RNR*"]).peekable();
        nulls.peek().is_some()
            && (!is_conjunct_of(scene, layer, inner) || nulls.any(|null| scene.dominates(inner, null)))
    }

    fn is_negation(&self, child: NodeId) -> bool {
        let words: Vec<String> =
            self.scene.span(child).map(|at| self.scene.lower(self.scene.words[at])).collect();
        matches!(words.as_slice(), [word] if word == "never" || word == "not")
    }

    fn is_object(&self, node: NodeId) -> bool {
        let scene = self.scene;
        scene.is(node, &["NP", "QP", "NX", "NML"])
            && scene.tree.label(node).functions().all(|tag| matches!(tag, "CLR" | "TTL" | "UNF"))
    }

    fn has_object_behind(&self, node: NodeId) -> bool {
        self.is_object(node) && self.scene.after(node).any(|sibling| self.is_object(sibling))
    }

    /// The argument at `node`, if it stands for anything.
    fn add(&mut self, node: NodeId, place: Place) {
        let scene = self.scene;
        let mut role = role(scene, node, place);
        let mut surface = role;
        let (mut preposition, object) = inside(scene, node);
        let chain = resolve::follow(scene, object);
        if scene.is(node, &["PP", "WHPP"]) {
            let agent = scene.has_function(object, "LGS") || scene.has_function(node, "LGS");
            let by = preposition.as_deref() == Some("by");
            let unsaid = !is_clause(scene, object)
                && !["TMP", "LOC", "MNR", "EXT", "DIR"].iter().any(|tag| scene.has_function(node, tag));
            surface = "oblique";
            if agent || by && self.voice == Voice::Passive && unsaid {
                role = "subject";
            }
        }
        // *in which*: the preposition went with the pronoun
        if preposition.is_none()
            && let Some(wh) = chain
                .nodes
                .iter()
                .copied()
                .find(|&node| scene.is(node, &["WHPP", "PP"]) && !scene.is_empty(node))
        {
            preposition = inside(scene, wh).0;
            surface = if role == "object" { "oblique" } else { role };
        }
        if scene.is(node, &["PP"]) && scene.is_empty(node) {
            surface = "oblique";
        }
        let surface = if self.voice == Voice::Passive && self.is_passive_trace(node, &chain) {
            "subject"
        } else {
            surface
        };
        self.push(role, surface, preposition, node, chain);
    }

    /// Whether an argument of a passive verb is what is seen as its subject.
    fn is_passive_trace(&self, node: NodeId, chain: &Chain) -> bool {
        let subject = self.site.clause.and_then(|clause| self.scene.subject(clause));
        match subject {
            Some(subject) => chain.nodes.len() > 1 && chain.nodes.contains(&subject),
            None => self.scene.null_kind(node) == Some("*"),
        }
    }

    fn push(
        &mut self,
        role: &'static str,
        surface: &'static str,
        preposition: Option<String>,
        node: NodeId,
        chain: Chain,
    ) {
        let filler = match chain.end {
            End::Node(end) => {
                let (inner, end) =
                    if self.scene.is(end, &["PP", "WHPP"]) { inside(self.scene, end) } else { (None, end) };
                let Some(filler) = resolve::filler_of(self.scene, end, self.site.word) else { return };
                let preposition = preposition.or(inner);
                self.chains.push(chain.nodes);
                let via = chain.via.into_iter().rev().collect();
                self.arguments.push(Argument { role, surface, preposition, filler, via, node });
                return;
            }
            End::Addressee => Filler::Addressee,
            // what is done to something unnamed is not done to nobody
            End::Anyone if role != "subject" => return,
            End::Anyone => Filler::Anyone,
            End::Nothing => return,
        };
        self.chains.push(chain.nodes);
        let via = chain.via.into_iter().rev().collect();
        self.arguments.push(Argument { role, surface, preposition, filler, via, node });
    }

    /// The subject, in the role that it has.
    fn subject(&mut self) {
        let scene = self.scene;
        let Some(clause) = self.site.clause else { return };
        if self.site.is_existential(scene) {
            // *there seems to be a way*: it is the clause below that says so
            let raised = scene.subject(clause).is_some_and(|node| self.is_raised(node));
            if !raised {
                self.existential();
            }
            return;
        }
        let found = scene.subject(clause).or_else(|| self.shared_subject(clause));
        let Some(node) = found else {
            return self.without_subject(clause);
        };
        let chain = resolve::follow(scene, node);
        let placed = self.chains.iter().any(|nodes| nodes.contains(&node));
        match self.voice {
            // it is there already, as the object or whatever else it is
            Voice::Passive if placed => {}
            Voice::Passive if self.is_raised(node) => {}
            Voice::Passive => {
                let taken = self.arguments.iter().any(|argument| argument.role == "object");
                let role = if taken { "second object" } else { "object" };
                self.push(role, "subject", None, node, chain);
            }
            Voice::Active if self.is_raised(node) && self.raises() => {}
            Voice::Active => self.push("subject", "subject", None, node, chain),
        }
    }

    /// Of *there is a way*, the way.
    fn existential(&mut self) {
        for argument in &mut self.arguments {
            if matches!(argument.role, "complement" | "object") && argument.preposition.is_none() {
                argument.surface = "complement";
                argument.role = "subject";
                return;
            }
        }
    }

    /// The subject of the clause before, in `(S (S she came) (CC and) (S (VP saw)))`.
    fn shared_subject(&self, clause: NodeId) -> Option<NodeId> {
        let scene = self.scene;
        let above = scene.tree.parent(clause)?;
        let first = *scene.conjuncts(above).first()?;
        (is_clause(scene, clause) && scene.is_conjunct(clause)).then(|| scene.subject(first)).flatten()
    }

    /// A clause without a subject: the noun of a reduced relative clause, or who is spoken to.
    fn without_subject(&mut self, clause: NodeId) {
        let scene = self.scene;
        if scene.is(clause, &["NP", "NX", "NML", "WHNP", "NAC"]) {
            let inner = self.site.layers.iter().copied().take_while(|&layer| layer != clause).last();
            let modifies = inner.is_some_and(|inner| {
                scene.before(inner).any(|node| !scene.is_empty(node)) || !scene.dominates(clause, inner)
            });
            let placed = self.chains.iter().any(|nodes| nodes.contains(&clause));
            if modifies && !placed && scene.head(clause) != Some(self.site.word) {
                let role = if self.voice == Voice::Passive { "object" } else { "subject" };
                self.push(role, "subject", None, clause, resolve::follow(scene, clause));
            }
            return;
        }
        // `(NP (NP a man) (RRC (ADJP able)))`
        if scene.is(clause, &["RRC"])
            && let Some(noun) = scene.tree.parent(clause)
        {
            let role = if self.voice == Voice::Passive { "object" } else { "subject" };
            let placed = self.chains.iter().any(|nodes| nodes.contains(&noun));
            if !placed && scene.is(noun, &["NP", "NX"]) {
                self.push(role, "subject", None, noun, resolve::follow(scene, noun));
            }
            return;
        }
        if resolve::is_imperative(scene, clause) && self.voice == Voice::Active {
            let chain = Chain { end: End::Addressee, via: Vec::new(), nodes: Vec::new() };
            self.push("subject", "subject", None, clause, chain);
        }
    }

    /// Whether the subject of a clause below, and of no phrase here, is what is seen as the subject.
    fn is_raised(&self, node: NodeId) -> bool {
        let scene = self.scene;
        self.arguments.iter().any(|argument| {
            let mut clause = argument.node;
            while scene.is(clause, &["SBAR"])
                && let Some(inner) = scene.tree.children(clause).find(|&child| is_clause(scene, child))
            {
                clause = inner;
            }
            let below = scene.subject(clause).filter(|_| argument.role == "complement");
            below.is_some_and(|below| {
                scene.null_kind(below) == Some("*") && resolve::follow(scene, below).nodes.contains(&node)
            })
        })
    }

    fn raises(&self) -> bool {
        RAISING.contains(self.scene.lemma(self.site.word).as_str())
    }
}

fn is_conjunct_of(scene: &Scene<'_>, layer: NodeId, node: NodeId) -> bool {
    scene.is_conjunct(node) && scene.tree.parent(node) == Some(layer)
}

/// The children of `layer` that are no conjuncts and belong to the child `inner`. Of a coordination's, what stands before or behind all conjuncts is
/// shared, and what stands between them belongs to the next, or to the one before if no conjunction or comma is between.
fn beside(scene: &Scene<'_>, layer: NodeId, inner: NodeId) -> Vec<NodeId> {
    let parts = scene.conjuncts(layer);
    let (&[first, ..], &[.., last], true) = (parts, parts, is_conjunct_of(scene, layer, inner)) else {
        return scene.tree.children(layer).filter(|&child| !scene.is_conjunct(child)).collect();
    };
    let between = |node: &NodeId| !scene.is_conjunct(*node);
    let separates = |node: &NodeId| scene.is(*node, &["CC", "CONJP", ","]);
    let mut found: Vec<NodeId> = scene.before(first).collect();
    found.reverse();
    if inner != first {
        let mut before: Vec<NodeId> = scene.before(inner).take_while(between).collect();
        before.reverse();
        found.extend(before.into_iter().skip_while(|node| !separates(node)));
    }
    if inner != last {
        found.extend(scene.after(inner).take_while(between).take_while(|node| !separates(node)));
    }
    found.extend(scene.after(last));
    found
}

/// The preposition of a prepositional phrase, and what is behind it; of a clause with a subordinator, that word.
pub(crate) fn inside(scene: &Scene<'_>, node: NodeId) -> (Option<String>, NodeId) {
    let tree = scene.tree;
    if scene.is(node, &["SBAR"]) {
        let first = tree.children(node).find(|&child| !scene.is_empty(child));
        let word = first.filter(|&child| {
            scene.is(child, &["IN"]) && !matches!(scene.lower(child).as_str(), "that" | "whether")
        });
        return (word.map(|leaf| scene.lower(leaf)), node);
    }
    if !scene.is(node, &["PP", "WHPP"]) {
        return (None, node);
    }
    if let Some(&first) = scene.conjuncts(node).first()
        && !scene.is_token(first)
    {
        return (inside(scene, first).0, node);
    }
    let words: Vec<NodeId> = tree
        .children(node)
        .filter(|&child| {
            scene.is_token(child)
                && scene.is(child, &["IN", "TO", "VBG", "VBN", "RP", "JJ", "FW"])
                && tree.is_word(child)
        })
        .collect();
    let word = words.iter().map(|&leaf| scene.lower(leaf)).collect::<Vec<_>>().join(" ");
    let behind = words.last().copied().and_then(|last| {
        scene.after(last).find(|&child| tree.kind(child) == Kind::Phrase && !scene.is(child, &["PRN"]))
    });
    let object = behind.or_else(|| {
        tree.children(node)
            .find(|&child| tree.kind(child) == Kind::Phrase && !scene.is(child, &["ADVP", "PRN"]))
    });
    match object {
        Some(object) if scene.is(object, &["PP"]) => {
            let (inner, object) = inside(scene, object);
            let both = [Some(word).filter(|word| !word.is_empty()), inner];
            (Some(both.into_iter().flatten().collect::<Vec<_>>().join(" ")), object)
        }
        Some(object) => ((!word.is_empty()).then_some(word), object),
        None => (None, node),
    }
}
