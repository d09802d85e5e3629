//! Relations of phrases to their governors: the first of the [`RULES`] that fits counts.

use tracebank_syntax::tree::NodeId;

use crate::heads::is_clause;
use crate::scene::Scene;

use super::Arcs;
use super::clauses::{is_passive, is_subject};
use super::rules::RULES;
use super::words::is_foreign_adverb;

/// Where a phrase depends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The phrase, or the word.
    pub(crate) node: NodeId,
    /// The node whose label counts: the phrase of its trace, if it has one.
    pub(crate) label: NodeId,
    /// The phrase that it hangs in.
    pub(crate) phrase: NodeId,
    /// The child of that on which it depends.
    pub(crate) head: NodeId,
    /// Whether it is a conjunct, and its head the first one.
    pub(crate) conjunct: bool,
}

/// A site with the names that the rules look at.
pub(super) struct View<'a, 'b> {
    pub(super) scene: &'a Scene<'b>,
    pub(super) site: &'a Site,
    /// Category of the node, of the phrase it hangs in, and of the head there.
    pub(super) own: &'a str,
    pub(super) around: &'a str,
    pub(super) beside: &'a str,
    pub(super) word: String,
}

impl View<'_, '_> {
    pub(super) fn function(&self, tags: &[&str]) -> bool {
        tags.iter().any(|tag| self.scene.has_function(self.site.label, tag))
    }
    pub(super) fn is_token(&self) -> bool {
        self.scene.is_token(self.site.node)
    }
    pub(super) fn own(&self, names: &[&str]) -> bool {
        names.contains(&self.own)
    }
    pub(super) fn around(&self, names: &[&str]) -> bool {
        names.contains(&self.around)
    }
    pub(super) fn beside(&self, names: &[&str]) -> bool {
        names.contains(&self.beside)
    }
    pub(super) fn in_noun(&self) -> bool {
        self.around(&NOMINAL)
    }
    pub(super) fn in_clause(&self) -> bool {
        self.around(&["VP", "S", "SQ", "SINV", "SBARQ", "SBAR", "FRAG", "X", "RRC", "UCP", "PRN", ""])
    }
    pub(super) fn is_subject(&self) -> bool {
        is_subject(self.scene, self.site.phrase, self.site.label)
    }
    pub(super) fn is_passive(&self) -> bool {
        is_passive(self.scene, self.site.phrase)
    }
    /// The word of the verb it depends on, or that word itself.
    pub(super) fn before_head(&self) -> bool {
        self.scene.span(self.site.node).start < self.scene.span(self.site.head).start
    }
    /// Whether a number stands before the word: *five miles*.
    pub(super) fn is_counted(&self) -> bool {
        let before = self.scene.before(self.site.node).find(|&node| !self.scene.is_punctuation(node));
        before.is_some_and(|node| self.scene.is(node, &["CD", "QP"]))
    }
    /// Whether a comma or the like stands before it.
    pub(super) fn is_set_off(&self) -> bool {
        self.scene.before(self.site.node).next().is_some_and(|node| self.scene.is_punctuation(node))
    }
    pub(super) fn holds_clause(&self) -> bool {
        let inner = |node: NodeId| self.scene.head_child(node).filter(|&child| child != node);
        let mut node = self.site.node;
        while self.scene.is(node, &["PP", "WHPP"]) {
            match inner(node) {
                Some(child) => node = child,
                None => return false,
            }
        }
        self.scene.is(node, &["S", "VP", "SBAR", "SQ", "SINV"])
    }
}

const NOMINAL: [&str; 8] = ["NP", "NX", "NML", "NAC", "WHNP", "QP", "CIT", "TITLE"];
pub(crate) const VERBS: [&str; 7] = ["VB", "VBD", "VBZ", "VBP", "VBN", "VBG", "MD"];

/// The relation of a phrase to its governor.
pub(crate) fn label(scene: &Scene<'_>, site: &Site) -> &'static str {
    let tree = scene.tree;
    let head = tree.kind(site.node) == tracebank_syntax::tree::Kind::Phrase;
    let word = scene.head(site.node).map(|leaf| scene.lower(leaf)).unwrap_or_default();
    let view = View {
        scene,
        site,
        own: scene.category(if head { empty_or(scene, site) } else { site.node }),
        around: scene.category(site.phrase),
        beside: scene.category(site.head),
        word,
    };
    RULES.iter().find(|(_, fits, _)| fits(&view)).map_or("dep", |(label, ..)| label)
}

/// The node whose category counts: that of the trace's phrase, unless it is a clause.
fn empty_or(scene: &Scene<'_>, site: &Site) -> NodeId {
    let moved = site.node != site.label;
    if moved && !is_clause(scene, site.node) && !scene.is(site.label, &["SBAR", "S"]) {
        site.label
    } else {
        site.node
    }
}

/// Labels that hold for a part of speech only: made to fit after all arcs are known.
pub(crate) fn tidy(scene: &Scene<'_>, arcs: &mut Arcs) {
    for at in 0..arcs.len() {
        let Some(head) = arcs[at].head else {
            arcs.set_label(at, "root");
            continue;
        };
        let tag = scene.category(scene.words[at]);
        let governor = scene.category(scene.words[head]);
        let noun =
            |tag: &str| tag.starts_with("NN") || matches!(tag, "CD" | "$" | "PRP" | "DT" | "FW" | "NML");
        let label = arcs[at].label.as_str();
        let new = match label {
            "root" => "parataxis",
            "nmod" if governor.starts_with("VB") || governor.starts_with("RB") => "obl",
            "acl" | "acl:relcl" if governor.starts_with("VB") && label == "acl" => "advcl",
            "advmod" if noun(tag) && tag != "DT" && !is_foreign_adverb(&scene.lower(scene.words[at])) => {
                if noun(governor) {
                    "nmod:unmarked"
                } else {
                    "obl:unmarked"
                }
            }
            "case" if tag == "RB" && scene.lower(scene.words[at]) != "at" => "advmod",
            _ => continue,
        };
        arcs.set_label(at, new);
    }
}
