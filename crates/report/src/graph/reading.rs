//! Spines and edges of a tree, named by its nodes.
//!
//! This is what [`tracebank_syntax::graph::encode`] makes, without making it: a spine is a run of ancestors with the same head word, a
//! structural edge the step from its top to the phrase above. Scoring needs no more, and a graph of its own for every
//! tree would take most of the time of an evaluation. The tests hold the two against each other.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use tracebank_syntax::graph::WRAPPERS;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::{Event, Kind, Label, NodeId, SlotKind, Tree};

use crate::nulls::may_have_index;

/// A word, counted from 1; 0 is the root.
pub(super) type Word = u32;
const ROOT: Word = 0;

pub(super) struct Reading<'t> {
    tree: Cow<'t, Tree>,
    wrapper: Option<NodeId>,
    /// The head word of each node, 0 where there is no word.
    heads: Vec<Word>,
    /// The leaf of each word.
    pub(super) words: Vec<NodeId>,
    /// The phrase in which the top of each word's spine hangs; none under the root.
    attachments: Vec<Option<NodeId>>,
    /// The numbers of [`Reading::rank`], counted once they are asked for.
    ranks: OnceCell<Vec<u32>>,
}

/// A phrase in a spine: its label, how many of that label come before it from the bottom, and whether the word heads it. Phrases without
/// words are counted apart from those with.
pub(super) type PhraseName = (String, usize, bool);

/// A trace: its two ends and its type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Trace {
    pub(super) from: (Word, Option<PhraseName>),
    pub(super) to: (Word, Option<PhraseName>),
    /// The type of a null element; `=` for a gap, `-` for a second label with the same index.
    pub(super) kind: String,
}

impl Trace {
    /// The words that it joins.
    pub(super) fn words(&self) -> (Word, Word) {
        (self.from.0, self.to.0)
    }
}

impl<'t> Reading<'t> {
    pub(super) fn of(tree: Cow<'t, Tree>, table: &HeadTable) -> Reading<'t> {
        let top = tree.top();
        let wraps = tree.kind(top) == Kind::Phrase && WRAPPERS.contains(&tree.label_text(top));
        let wrapper = wraps.then_some(top);
        let room = tree.arena_len();
        let mut reading = Reading {
            tree,
            wrapper,
            heads: vec![ROOT; room],
            words: Vec::with_capacity(room),
            attachments: Vec::with_capacity(room),
            ranks: OnceCell::new(),
        };
        reading.find_heads(table);
        reading
    }

    /// Children first: a phrase has the head word of its head child, and the spines of the other children end below it.
    fn find_heads(&mut self, table: &HeadTable) {
        let mut children = Vec::new();
        for node in self.tree.postorder(self.tree.top()) {
            if self.tree.kind(node) == Kind::Phrase {
                children.clear();
                children.extend(self.tree.children(node).filter(|child| self.heads[child.index()] != ROOT));
                if children.is_empty() {
                    continue;
                }
                let head = self.heads[children[table.head(&self.tree, node, &children)].index()];
                self.heads[node.index()] = head;
                for word in children.iter().map(|child| self.heads[child.index()]) {
                    if word != head && Some(node) != self.wrapper {
                        self.attachments[word as usize - 1] = Some(node);
                    }
                }
            } else if self.tree.is_word(node) {
                self.words.push(node);
                self.attachments.push(None);
                self.heads[node.index()] = self.words.len() as Word;
            }
        }
    }

    fn head(&self, node: NodeId) -> Word {
        self.heads[node.index()]
    }

    /// The phrases that `word` heads, bottom first.
    fn spine(&self, word: Word) -> impl Iterator<Item = NodeId> {
        let leaf = word.checked_sub(1).map(|index| self.words[index as usize]);
        let above = leaf.into_iter().flat_map(|leaf| self.tree.ancestors(leaf));
        above.take_while(move |&node| Some(node) != self.wrapper && self.head(node) == word)
    }

    /// The children of `phrase` that hold no word.
    fn nulls(&self, phrase: NodeId) -> impl Iterator<Item = NodeId> {
        self.tree.children(phrase).filter(|&child| self.head(child) == ROOT)
    }

    /// Whether `word` has the same spine here as in `other`. Where among its siblings a null element stands does not count.
    pub(super) fn same_spine(&self, other: &Reading, word: Word) -> bool {
        let (mut mine, mut theirs) = (self.spine(word), other.spine(word));
        loop {
            match (mine.next(), theirs.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if self.same_phrase(other, a, b) => {}
                _ => return false,
            }
        }
    }

    fn same_phrase(&self, other: &Reading, mine: NodeId, theirs: NodeId) -> bool {
        if !self.same_label(other, mine, theirs) {
            return false;
        }
        let (mut nulls, mut their_nulls) = (self.nulls(mine), other.nulls(theirs));
        loop {
            match (nulls.next(), their_nulls.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if self.same_null(other, a, b) => {}
                _ => return false,
            }
        }
    }

    fn same_null(&self, other: &Reading, mine: NodeId, theirs: NodeId) -> bool {
        let (mut steps, mut their_steps) = (self.tree.walk(mine), other.tree.walk(theirs));
        loop {
            match (steps.next(), their_steps.next()) {
                (None, None) => return true,
                (Some(Event::Enter(a)), Some(Event::Enter(b))) if self.same_label(other, a, b) => {}
                (Some(Event::Leave(_)), Some(Event::Leave(_))) => {}
                _ => return false,
            }
        }
    }

    /// Indices, wherever in a label they stand, do not count.
    fn same_label(&self, other: &Reading, mine: NodeId, theirs: NodeId) -> bool {
        let (text, their_text) = (self.tree.label_text(mine), other.tree.label_text(theirs));
        let same_words = || match (self.tree.null_element(mine), other.tree.null_element(theirs)) {
            (Some(a), Some(b)) => a.kind == b.kind,
            _ => self.tree.word(mine) == other.tree.word(theirs),
        };
        let same_pieces = || {
            let (a, b) = (Label::parse(text), Label::parse(their_text));
            a.category() == b.category() && a.functions().eq(b.functions())
        };
        (text == their_text || same_pieces()) && same_words()
    }

    /// The head word of `word` and the phrase of that word's spine in which it hangs; no phrase under the root.
    pub(super) fn edge(&self, word: Word) -> (Word, Option<NodeId>) {
        let phrase = self.attachments[word as usize - 1];
        (phrase.map_or(ROOT, |phrase| self.head(phrase)), phrase)
    }

    /// Whether two phrases of spines of the same word have the same name.
    pub(super) fn same_name(&self, other: &Reading, mine: NodeId, theirs: NodeId) -> bool {
        self.same_label(other, mine, theirs) && self.rank(mine) == other.rank(theirs)
    }

    /// The number of phrases of the same label that come before a phrase: in its spine from the bottom, or among the phrases without words
    /// that hang at the spine.
    fn rank(&self, phrase: NodeId) -> usize {
        self.ranks.get_or_init(|| self.all_ranks())[phrase.index()] as usize
    }

    /// One walk over all spines: to count below each phrase anew would take the square of a long spine.
    fn all_ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.tree.arena_len()];
        let mut count = |nodes: &mut dyn Iterator<Item = NodeId>| {
            let mut seen: HashMap<Cow<'_, str>, u32> = HashMap::new();
            // A null element or a word is no phrase, whatever its label.
            for node in nodes.filter(|&node| self.tree.kind(node) == Kind::Phrase) {
                let text = self.tree.label_text(node);
                let is_stem = !text.contains(['-', '=']);
                let stem = if is_stem { text.into() } else { Label::parse(text).stem().into() };
                let before = seen.entry(stem).or_default();
                ranks[node.index()] = *before;
                *before += 1;
            }
        };
        let words = 1..=self.words.len() as Word;
        words.clone().for_each(|word| count(&mut self.spine(word)));
        let below = |phrase: NodeId| self.nulls(phrase).flat_map(|null| self.tree.preorder(null));
        words.for_each(|word| count(&mut self.spine(word).flat_map(below)));
        match self.wrapper {
            _ if self.words.is_empty() => count(&mut self.tree.preorder(self.tree.top())),
            Some(wrapper) => count(&mut below(wrapper)),
            None => {}
        }
        ranks
    }

    /// The traces, each index that shares its number with another being one.
    pub(super) fn traces(&self) -> Vec<Trace> {
        let indices = self.indices();
        let mut extents = None;
        let mut referents: BTreeMap<u32, (usize, Index)> = BTreeMap::new();
        for (place, &index) in indices.iter().enumerate() {
            let (_, referent) = referents.entry(index.number).or_insert((place, index));
            // the outermost label with the number is what others refer to, or else the last
            let mut inner = |outer: NodeId| {
                let extents = extents.get_or_insert_with(|| self.extents());
                extents[index.node.index()].0 <= extents[outer.index()].1
            };
            if !index.refers && (referent.refers || !inner(referent.node)) {
                referents.insert(index.number, (place, index));
            }
        }
        indices
            .iter()
            .enumerate()
            .filter_map(|(place, index)| {
                let (referent_place, referent) = referents[&index.number];
                (place != referent_place).then(|| Trace {
                    from: self.end(index.node),
                    to: self.end(referent.node),
                    kind: self.kind(*index).to_owned(),
                })
            })
            .collect()
    }

    /// The place of each node in a walk from parents to children, and that of the last node below it.
    fn extents(&self) -> Vec<(u32, u32)> {
        let mut extents = vec![(0, 0); self.tree.arena_len()];
        let mut place = 0;
        for event in self.tree.walk(self.tree.top()) {
            match event {
                Event::Enter(node) => {
                    place += 1;
                    extents[node.index()].0 = place;
                }
                Event::Leave(node) => extents[node.index()].1 = place,
            }
        }
        extents
    }

    fn kind(&self, index: Index) -> &str {
        match self.tree.null_element(index.node) {
            Some(null) => null.kind,
            None if index.refers => "=",
            None => "-",
        }
    }

    fn indices(&self) -> Vec<Index> {
        let mut indices = Vec::new();
        for node in self.tree.preorder(self.tree.top()) {
            if let Some(null) = self.tree.null_element(node) {
                indices.extend(null.index.map(|number| Index { number, node, refers: true }));
            } else if may_have_index(self.tree.label_text(node)) && self.tree.can_carry_index(node) {
                let slots = self.tree.label(node).slots();
                indices.extend(slots.map(|slot| Index {
                    number: slot.number,
                    node,
                    refers: slot.kind == SlotKind::Gap,
                }));
            }
        }
        indices
    }

    /// The word to whose spine `node` belongs, and the phrase by its name. A null element is named by the phrase around it, and a word's
    /// own token has no name.
    fn end(&self, node: NodeId) -> (Word, Option<PhraseName>) {
        if self.tree.is_word(node) {
            return (self.head(node), None);
        }
        let phrase =
            if self.tree.is_null_element(node) { self.tree.parent(node).unwrap_or(node) } else { node };
        let path = || std::iter::once(phrase).chain(self.tree.ancestors(phrase));
        let host = path().find(|&above| self.head(above) != ROOT);
        let word = host.filter(|&host| Some(host) != self.wrapper).map_or(ROOT, |host| self.head(host));
        let stem = Label::parse(self.tree.label_text(phrase)).stem();
        (word, Some((stem, self.rank(phrase), host == Some(phrase))))
    }
}

/// An index as it stands in the tree.
#[derive(Clone, Copy)]
struct Index {
    number: u32,
    node: NodeId,
    /// Whether it points to another and is not itself what others point to: a null element's, a gap's.
    refers: bool,
}
