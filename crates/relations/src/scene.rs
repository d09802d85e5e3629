//! A tree with what is asked about its nodes again and again: tokens, indices, and heads.

use std::collections::BTreeMap;
use std::ops::Range;

use tracebank_syntax::tree::{Event, Kind, NodeId, Tree};

use crate::{heads, relations};

/// A tree with tables that run beside its arena.
pub(crate) struct Scene<'a> {
    pub(crate) tree: &'a Tree,
    /// For each node, its tokens.
    spans: Vec<Range<usize>>,
    /// For each node, the numbers of itself and of all below it, in the order of the tree.
    extents: Vec<Range<u32>>,
    /// For each phrase, its children that hold a word.
    children: Vec<Vec<NodeId>>,
    /// For each phrase, its children that are verbs.
    verbs: Vec<Vec<NodeId>>,
    /// For each clause that shares the verb of another, the first phrase that is left of it.
    remnants: Vec<Option<NodeId>>,
    /// For each phrase, the heads of its conjuncts.
    conjuncts: Vec<Vec<NodeId>>,
    /// For each node, whether it is among the conjuncts of the phrase above it.
    is_conjunct: Vec<bool>,
    /// For each clause, its subject.
    subjects: Vec<Option<NodeId>>,
    /// For each node without words, the null element that it is about.
    nulls: Vec<Option<NodeId>>,
    /// The word nodes, in order.
    pub(crate) words: Vec<NodeId>,
    /// The node that has each index.
    antecedents: BTreeMap<u32, NodeId>,
    /// The null elements of each kind that refer to each index.
    pointers: BTreeMap<(u32, &'a str), Vec<NodeId>>,
    /// For each phrase that holds a word, the child that is its head.
    heads: Vec<Option<NodeId>>,
    /// For each node that holds a word, the word that is its head.
    head_words: Vec<Option<NodeId>>,
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
        let size = tree.arena_len();
        let mut scene = Scene {
            tree,
            clausal_predicates,
            spans: vec![0..0; size],
            extents: vec![0..0; size],
            children: vec![Vec::new(); size],
            verbs: vec![Vec::new(); size],
            remnants: vec![None; size],
            conjuncts: vec![Vec::new(); size],
            is_conjunct: vec![false; size],
            subjects: vec![None; size],
            nulls: vec![None; size],
            words: Vec::new(),
            antecedents: BTreeMap::new(),
            pointers: BTreeMap::new(),
            heads: vec![None; size],
            head_words: vec![None; size],
        };
        scene.look_around();
        // the heads of a phrase need what is around it, so all else is known by now
        for node in tree.postorder(tree.top()) {
            scene.find_head(node);
        }
        scene
    }

    /// All but heads, each found once: nobody is to ask a whole phrase again for each of its children.
    fn look_around(&mut self) {
        let tree = self.tree;
        let mut entered = 0;
        for event in tree.walk(tree.top()) {
            match event {
                Event::Enter(node) => {
                    self.spans[node.index()].start = self.words.len();
                    self.extents[node.index()].start = entered;
                    entered += 1;
                    if tree.is_word(node) {
                        self.words.push(node);
                    }
                    if let Some(null) = tree.null_element(node)
                        && let Some(index) = null.index
                    {
                        self.pointers.entry((index, null.kind)).or_default().push(node);
                    } else if tree.can_carry_index(node)
                        && let Some(index) = tree.label(node).index()
                    {
                        self.antecedents.entry(index).or_insert(node);
                    }
                }
                Event::Leave(node) => {
                    self.spans[node.index()].end = self.words.len();
                    self.extents[node.index()].end = entered;
                    self.look_at(node);
                }
            }
        }
    }

    fn look_at(&mut self, node: NodeId) {
        let at = node.index();
        self.subjects[at] = relations::find_subject(self, node);
        if self.is_empty(node) {
            self.nulls[at] = self.find_null(node);
        } else if self.tree.kind(node) == Kind::Phrase {
            self.children[at] = self.tree.children(node).filter(|&child| !self.is_empty(child)).collect();
            let is_verb = |child: &NodeId| relations::is_verb(self, *child);
            self.verbs[at] = self.children(node).iter().copied().filter(is_verb).collect();
            self.remnants[at] = heads::find_remnant(self, node);
            self.conjuncts[at] = heads::conjuncts(self, node);
            for part in &self.conjuncts[at] {
                self.is_conjunct[part.index()] = true;
            }
        }
    }

    fn find_null(&self, node: NodeId) -> Option<NodeId> {
        if self.tree.is_null_element(node) {
            return Some(node);
        }
        let mut inside = self.tree.children(node).rev().filter_map(|child| self.null(child));
        let is_complementiser = |null: NodeId| self.tree.word(null) == Some("0");
        let last = inside.next()?;
        Some(if is_complementiser(last) {
            inside.find(|&null| !is_complementiser(null)).unwrap_or(last)
        } else {
            last
        })
    }

    fn find_head(&mut self, node: NodeId) {
        if self.is_empty(node) {
            return;
        }
        let head = (self.tree.kind(node) == Kind::Phrase).then(|| heads::head(self, node));
        self.heads[node.index()] = head;
        self.head_words[node.index()] = head.map_or(Some(node), |head| self.head(head));
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
    pub(crate) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.children[node.index()]
    }

    /// The children of a phrase that are verbs.
    pub(crate) fn verbs(&self, node: NodeId) -> &[NodeId] {
        &self.verbs[node.index()]
    }

    /// The first phrase that is left of a conjoined clause whose verb is that of the first.
    pub(crate) fn remnant(&self, node: NodeId) -> Option<NodeId> {
        self.remnants[node.index()]
    }

    /// The heads of a coordination's conjuncts, each a child of it; nothing if it is none.
    pub(crate) fn conjuncts(&self, node: NodeId) -> &[NodeId] {
        &self.conjuncts[node.index()]
    }

    /// Whether a node is among the conjuncts of the phrase above it.
    pub(crate) fn is_conjunct(&self, node: NodeId) -> bool {
        self.is_conjunct[node.index()]
    }

    /// The subject of a clause.
    pub(crate) fn subject(&self, clause: NodeId) -> Option<NodeId> {
        self.subjects[clause.index()]
    }

    /// The child that is the head of a phrase that holds a word.
    pub(crate) fn head_child(&self, node: NodeId) -> Option<NodeId> {
        self.heads[node.index()]
    }

    /// The word that is the head of a node.
    pub(crate) fn head(&self, node: NodeId) -> Option<NodeId> {
        self.head_words[node.index()]
    }

    /// The node with an index.
    pub(crate) fn antecedent(&self, index: u32) -> Option<NodeId> {
        self.antecedents.get(&index).copied()
    }

    /// The nulls of some kinds that refer to `node`, kind by kind.
    pub(crate) fn pointers(&self, node: NodeId, kinds: &[&'static str]) -> impl Iterator<Item = NodeId> {
        let index = self.tree.can_carry_index(node).then(|| self.tree.label(node).index()).flatten();
        let of = move |&kind: &&'static str| self.pointers.get(&(index?, kind));
        kinds.iter().filter_map(of).flatten().copied()
    }

    /// The null element that a phrase without words is about: the last of its nulls that is not a complementiser.
    pub(crate) fn null(&self, node: NodeId) -> Option<NodeId> {
        self.nulls[node.index()]
    }

    /// The kind of the null element that is all of a phrase.
    pub(crate) fn null_kind(&self, node: NodeId) -> Option<&'a str> {
        self.null(node).and_then(|null| self.tree.null_element(null)).map(|null| null.kind)
    }

    /// Whether `above` is `node` or over it.
    pub(crate) fn dominates(&self, above: NodeId, node: NodeId) -> bool {
        self.extents[above.index()].contains(&self.extents[node.index()].start)
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
