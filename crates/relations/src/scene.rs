//! A tree with what is asked about its nodes again and again: tokens, indices, and heads.

use std::collections::BTreeMap;
use std::ops::Range;

use tracebank_syntax::tree::{Event, Kind, NodeId, Tree};

use crate::heads;

/// A tree with tables that run beside its arena.
pub(crate) struct Scene<'a> {
    pub(crate) tree: &'a Tree,
    /// For each node, its tokens.
    spans: Vec<Range<usize>>,
    /// The word nodes, in order.
    pub(crate) words: Vec<NodeId>,
    /// The node that has each index.
    antecedents: BTreeMap<u32, NodeId>,
    /// The null elements that refer to each index.
    pointers: BTreeMap<u32, Vec<NodeId>>,
    /// For each phrase that holds a word, the child that is its head.
    heads: Vec<Option<NodeId>>,
    /// Whether a clause that is said with *be* heads its sentence, as in Universal Dependencies: *the problem is that he left*.
    pub(crate) clausal_predicates: bool,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(tree: &'a Tree) -> Scene<'a> {
        Scene::with(tree, false)
    }

    /// The scene for Universal Dependencies.
    pub(crate) fn for_dependencies(tree: &'a Tree) -> Scene<'a> {
        Scene::with(tree, true)
    }

    fn with(tree: &'a Tree, clausal_predicates: bool) -> Scene<'a> {
        let mut scene = Scene {
            tree,
            clausal_predicates,
            spans: vec![0..0; tree.arena_len()],
            words: Vec::new(),
            antecedents: BTreeMap::new(),
            pointers: BTreeMap::new(),
            heads: vec![None; tree.arena_len()],
        };
        for event in tree.walk(tree.top()) {
            match event {
                Event::Enter(node) => {
                    scene.spans[node.index()].start = scene.words.len();
                    if tree.is_word(node) {
                        scene.words.push(node);
                    }
                    if let Some(index) = tree.null_element(node).and_then(|null| null.index) {
                        scene.pointers.entry(index).or_default().push(node);
                    } else if tree.can_carry_index(node)
                        && let Some(index) = tree.label(node).index()
                    {
                        scene.antecedents.entry(index).or_insert(node);
                    }
                }
                Event::Leave(node) => scene.spans[node.index()].end = scene.words.len(),
            }
        }
        for node in tree.postorder(tree.top()) {
            if tree.kind(node) == Kind::Phrase && !scene.is_empty(node) {
                scene.heads[node.index()] = Some(heads::head(&scene, node));
            }
        }
        scene
    }

    /// The tokens of a node.
    pub(crate) fn span(&self, node: NodeId) -> Range<usize> {
        self.spans[node.index()].clone()
    }

    /// Whether a node holds no word.
    pub(crate) fn is_empty(&self, node: NodeId) -> bool {
        self.spans[node.index()].is_empty()
    }

    pub(crate) fn category(&self, node: NodeId) -> &'a str {
        self.tree.label(node).category()
    }

    /// Whether the category of `node` is among `categories`.
    pub(crate) fn is(&self, node: NodeId, categories: &[&str]) -> bool {
        categories.contains(&self.category(node))
    }

    pub(crate) fn has_function(&self, node: NodeId, function: &str) -> bool {
        self.tree.kind(node) == Kind::Phrase && self.tree.label(node).functions().any(|tag| tag == function)
    }

    pub(crate) fn is_token(&self, node: NodeId) -> bool {
        self.tree.kind(node) != Kind::Phrase
    }

    /// The word of a token, in small letters.
    pub(crate) fn lower(&self, node: NodeId) -> String {
        self.tree.word(node).unwrap_or_default().to_lowercase()
    }

    pub(crate) fn lemma(&self, node: NodeId) -> String {
        crate::lemma(self.tree.word(node).unwrap_or_default(), self.category(node))
    }

    /// The position of a word node.
    pub(crate) fn token(&self, leaf: NodeId) -> usize {
        self.span(leaf).start
    }

    /// The children of a node that hold a word.
    pub(crate) fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).filter(|&child| !self.is_empty(child)).collect()
    }

    /// The child that is the head of a phrase that holds a word.
    pub(crate) fn head_child(&self, node: NodeId) -> Option<NodeId> {
        self.heads[node.index()]
    }

    /// The word that is the head of a node.
    pub(crate) fn head(&self, node: NodeId) -> Option<NodeId> {
        let mut node = node;
        while self.tree.kind(node) == Kind::Phrase {
            node = self.head_child(node)?;
        }
        (!self.is_empty(node)).then_some(node)
    }

    /// The node with an index.
    pub(crate) fn antecedent(&self, index: u32) -> Option<NodeId> {
        self.antecedents.get(&index).copied()
    }

    /// The nulls of some kinds that refer to `node`.
    pub(crate) fn pointers(&self, node: NodeId, kinds: &[&str]) -> Vec<NodeId> {
        let slots = self.tree.can_carry_index(node).then(|| self.tree.label(node).index()).flatten();
        let nulls = slots.and_then(|index| self.pointers.get(&index));
        let fits =
            |null: &&NodeId| self.tree.null_element(**null).is_some_and(|null| kinds.contains(&null.kind));
        nulls.into_iter().flatten().filter(fits).copied().collect()
    }

    /// The null element that a phrase without words is about: the last of its nulls that is not a complementiser.
    pub(crate) fn null(&self, node: NodeId) -> Option<NodeId> {
        if !self.is_empty(node) {
            return None;
        }
        let mut nulls =
            self.tree.leaves(node).filter(|&leaf| self.tree.is_null_element(leaf)).collect::<Vec<_>>();
        let last = nulls.iter().rposition(|&null| self.tree.word(null) != Some("0"));
        last.map(|at| nulls.swap_remove(at)).or_else(|| nulls.pop())
    }

    /// The kind of the null element that is all of a phrase.
    pub(crate) fn null_kind(&self, node: NodeId) -> Option<&'a str> {
        self.null(node).and_then(|null| self.tree.null_element(null)).map(|null| null.kind)
    }

    /// Whether `above` is `node` or over it.
    pub(crate) fn dominates(&self, above: NodeId, node: NodeId) -> bool {
        above == node || self.tree.ancestors(node).any(|ancestor| ancestor == above)
    }

    /// The siblings before a node, nearest first.
    pub(crate) fn before(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.tree.previous_sibling(node), |&node| self.tree.previous_sibling(node))
    }

    /// The siblings behind a node, nearest first.
    pub(crate) fn after(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.tree.next_sibling(node), |&node| self.tree.next_sibling(node))
    }

    pub(crate) fn is_punctuation(&self, node: NodeId) -> bool {
        const TAGS: [&str; 13] =
            [",", ".", ":", "``", "''", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "HYPH", "NFP"];
        self.is_token(node) && TAGS.contains(&self.tree.label_text(node))
    }
}
