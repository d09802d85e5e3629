//! The face of a tree, as `evalb` sees it: words with tags, and brackets over them.

use tracebank_syntax::tree::{Event, Kind, NodeId, Tree};

use super::Settings;

/// Labels that the outermost bracket has where the Penn Treebank leaves it empty. All are read as `TOP`.
const TOP_LABELS: [&str; 5] = ["", "TOP", "ROOT", "S1", "VROOT"];

pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) tag: &'t str,
    /// Not left out by `DELETE_LABEL`.
    pub(super) kept: bool,
}

/// A bracket that counts: it has words in it and a label that is not left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bracket<'t> {
    /// The phrase.
    pub node: NodeId,
    /// Its category.
    pub label: &'t str,
    /// How many of the words that count stand before it.
    pub start: usize,
    /// How many of them stand before its end.
    pub end: usize,
    /// Whether the other tree has it too.
    pub matched: bool,
}

impl Bracket<'_> {
    /// By their start, longer ones first: the order of a walk from parents to children.
    pub(super) fn order(&self) -> (usize, usize) {
        (self.start, usize::MAX - self.end)
    }
}

pub(super) struct Face<'t> {
    /// All words of the sentence, also those that are left out.
    pub(super) words: Vec<Word<'t>>,
    /// In [their order](Bracket::order). Before [`Face::settle`] they count all words, then those that are kept.
    pub(super) brackets: Vec<Bracket<'t>>,
}

impl<'t> Face<'t> {
    pub(super) fn of(tree: &'t Tree, settings: &Settings) -> Face<'t> {
        let room = tree.arena_len();
        let mut face = Face { words: Vec::with_capacity(room), brackets: Vec::with_capacity(room) };
        let mut open: Vec<usize> = Vec::new();
        for event in tree.walk(tree.top()) {
            match event {
                Event::Enter(node) if tree.kind(node) == Kind::Phrase => {
                    open.push(face.brackets.len());
                    let start = face.words.len();
                    let label = bracket_label(tree, node);
                    face.brackets.push(Bracket { node, label, start, end: start, matched: false });
                }
                Event::Leave(node) if tree.kind(node) == Kind::Phrase => {
                    if let Some(bracket) = open.pop() {
                        face.brackets[bracket].end = face.words.len();
                    }
                }
                Event::Enter(node) if tree.is_word(node) => {
                    let tag = tree.label_text(node);
                    let text = tree.word(node).unwrap_or_default();
                    face.words.push(Word { text, tag, kept: !settings.deletes(tag) });
                }
                _ => {}
            }
        }
        face
    }

    pub(super) fn kept_words(&self) -> impl Iterator<Item = &Word<'t>> {
        self.words.iter().filter(|word| word.kept)
    }

    /// Counts positions in kept words, and drops the brackets that then have nothing in them or a deleted label.
    pub(super) fn settle(&mut self, settings: &Settings) {
        let mut position = 0;
        let mut kept_before = Vec::with_capacity(self.words.len() + 1);
        for word in &self.words {
            kept_before.push(position);
            position += usize::from(word.kept);
        }
        kept_before.push(position);
        self.brackets.retain_mut(|bracket| {
            (bracket.start, bracket.end) = (kept_before[bracket.start], kept_before[bracket.end]);
            bracket.start < bracket.end && !settings.deletes_bracket(bracket.label)
        });
        // of two brackets with words in them, the first either encloses the second or ends before it begins
        debug_assert!(self.brackets.is_sorted_by_key(Bracket::order));
    }
}

/// The label up to the first `-` or `=`, wherever that stands.
fn bracket_label(tree: &Tree, node: NodeId) -> &str {
    let text = tree.label_text(node);
    if node == tree.top() && TOP_LABELS.contains(&text) {
        return "TOP";
    }
    text.bytes().position(|byte| matches!(byte, b'-' | b'=')).map_or(text, |end| &text[..end])
}
