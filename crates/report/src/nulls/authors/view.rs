//! The tree as the authors' scorer sees it, without making a changed copy of it.

use std::borrow::Cow;

use tracebank_syntax::tree::{Antecedents, Event, Kind, Label, NodeId, NullElement, SlotKind, Tree};

use super::super::{Chains, antecedent, may_have_index};
use super::{Options, Span};

/// The labels that stand for phrases in the Penn Treebank.
const PENN_PHRASES: [&str; 27] = [
    "S", "SBAR", "SBARQ", "SINV", "SQ", "ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP", "NX",
    "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP", "WHADJP", "WHADVP", "WHNP", "WHPP", "X", "NML",
];

#[derive(Clone, Copy, Default)]
struct Place {
    /// The words of the node itself.
    own: Span,
    /// The words of the lowest node at or above it that has any.
    cover: Span,
    /// The node is read as if its children stood in its place.
    transparent: bool,
    /// There is neither a word nor a null element left in it.
    hollow: bool,
}

pub(super) struct View<'t, 'o> {
    tree: &'t Tree,
    pub(super) options: &'o Options,
    places: Vec<Place>,
    antecedents: Antecedents,
    /// The null elements, in order.
    pub(super) nulls: Vec<NodeId>,
    /// The phrases with `=n`, children first.
    pub(super) remnants: Vec<(u32, NodeId)>,
}

impl<'t, 'o> View<'t, 'o> {
    pub(super) fn of(tree: &'t Tree, options: &'o Options) -> View<'t, 'o> {
        let mut view = View {
            tree,
            options,
            places: vec![Place::default(); tree.arena_len()],
            antecedents: Antecedents::default(),
            nulls: tree.leaves(tree.top()).filter(|&leaf| tree.is_null_element(leaf)).collect(),
            remnants: Vec::new(),
        };
        view.measure();
        if options.homogenise_top {
            view.see_through_top();
        }
        if options.collapse_unaries {
            view.see_through_unaries();
        }
        view.find_indices();
        view
    }

    pub(super) fn label(&self, node: NodeId) -> Cow<'t, str> {
        self.options.label(self.tree, node)
    }

    pub(super) fn null_type(&self, leaf: NodeId) -> Cow<'t, str> {
        match self.options.word(self.tree, leaf) {
            Cow::Borrowed(word) => Cow::Borrowed(NullElement::parse(word).kind),
            Cow::Owned(word) => Cow::Owned(NullElement::parse(&word).kind.to_owned()),
        }
    }

    pub(super) fn null_index(&self, leaf: NodeId) -> Option<u32> {
        NullElement::parse(&self.options.word(self.tree, leaf)).index
    }

    /// The words of the lowest phrase at or above `node` that has any.
    pub(super) fn cover(&self, node: NodeId) -> Span {
        self.places[node.index()].cover
    }

    pub(super) fn is_null(&self, node: NodeId) -> bool {
        let (start, end) = self.places[node.index()].own;
        start == end
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.tree.ancestors(node).find(|&above| !self.places[above.index()].transparent)
    }

    pub(super) fn antecedent(&self, index: u32, chains: Chains) -> Option<NodeId> {
        antecedent(self.tree, &self.antecedents, index, chains, |node| self.is_null(node))
    }

    fn measure(&mut self) {
        let mut position = 0;
        for event in self.tree.walk(self.tree.top()) {
            match event {
                Event::Enter(node) => {
                    self.places[node.index()].own.0 = position;
                    self.places[node.index()].hollow = true;
                }
                Event::Leave(node) => {
                    let removed = self.options.removes(self.tree, node);
                    let place = &mut self.places[node.index()];
                    if self.tree.kind(node) == Kind::Phrase {
                        place.transparent = removed;
                    } else if self.tree.is_null_element(node) {
                        place.hollow = false;
                    } else if self.tree.is_word(node) && !removed {
                        place.hollow = false;
                        position += 1;
                    }
                    place.own.1 = position;
                    let hollow = place.hollow;
                    if let (false, Some(parent)) = (hollow, self.tree.parent(node)) {
                        self.places[parent.index()].hollow = false;
                    }
                }
            }
        }
        for node in self.tree.preorder(self.tree.top()) {
            let above = self.tree.parent(node).map_or((0, 0), |parent| self.cover(parent));
            let place = &mut self.places[node.index()];
            place.cover = if place.own.0 < place.own.1 { place.own } else { above };
        }
    }

    /// Everything above the first phrase with a Penn label goes; so does the name of a phrase that has none and several children.
    fn see_through_top(&mut self) {
        let mut node = self.tree.top();
        let mut above = Vec::new();
        if self.tree.label_text(node) == "ROOT" {
            return;
        }
        while !PENN_PHRASES.contains(&self.tree.label(node).category()) {
            above.push(node);
            let mut children = self.tree.children(node);
            match (children.next(), children.next()) {
                (Some(only), None) => node = only,
                (Some(_), Some(_)) => break,
                // no phrase of the Penn Treebank at all: leave the tree as it is
                (None, _) => return,
            }
        }
        for node in above {
            self.places[node.index()].transparent = true;
        }
    }

    fn see_through_unaries(&mut self) {
        for node in self.tree.preorder(self.tree.top()) {
            let label = self.label(node);
            let mut visible = self.tree.children(node).filter(|child| !self.places[child.index()].hollow);
            if let (Some(only), None) = (visible.next(), visible.next())
                && self.tree.kind(only) == Kind::Phrase
                && self.label(only) == label
            {
                self.places[only.index()].transparent = true;
            }
        }
    }

    /// Children come before parents, so that of two phrases with one index the outer one has it.
    fn find_indices(&mut self) {
        let mut indexed = Vec::new();
        for node in self.tree.postorder(self.tree.top()) {
            let place = self.places[node.index()];
            let is_phrase = self.tree.kind(node) == Kind::Phrase && !place.transparent && !place.hollow;
            if !is_phrase || !may_have_index(self.tree.label_text(node)) {
                continue;
            }
            let text = self.label(node);
            let slots = || Label::parse(&text).slots();
            if let Some(slot) = slots().filter(|slot| slot.kind == SlotKind::Index).last() {
                indexed.push((slot.number, node));
            }
            if let Some(slot) = slots().filter(|slot| slot.kind == SlotKind::Gap).last() {
                self.remnants.push((slot.number, node));
            }
        }
        self.antecedents = indexed.into_iter().collect();
    }
}
