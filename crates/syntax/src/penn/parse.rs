//! The brackets of one tree → [`Tree`].

use super::error::Problem;
use crate::tree::{Kind, NodeId, Tree};

/// What is wrong, and at which byte of the tree's text.
pub(super) type ParseFailure = (Problem, usize);

/// White space between brackets. Only ASCII: words of CRAFT contain U+2009, and words of Keyaki U+3000.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Whether `byte` ends a label or a word.
pub(super) fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')') || is_space(byte)
}

/// A bracket that has been opened and not closed yet.
struct Open {
    node: NodeId,
    at: usize,
    /// A word that came first: a token's word if nothing follows it, else a bare word.
    first_word: Option<(usize, usize)>,
}

/// Reads exactly one balanced bracket, `text[0]` being `(`.
pub(super) fn parse_tree(text: &[u8]) -> Result<Tree, ParseFailure> {
    let mut builder = Builder { tree: None, open: Vec::new() };
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'(' => {
                let label_end = atom_end(text, at + 1);
                builder.open(utf8(text, at + 1, label_end)?, at, text)?;
                at = label_end;
            }
            b')' => {
                builder.close(text)?;
                at += 1;
            }
            byte if is_space(byte) => at += 1,
            _ => {
                let end = atom_end(text, at);
                utf8(text, at, end)?;
                builder.word(at, end, text)?;
                at = end;
            }
        }
    }
    builder.tree.ok_or((Problem::NoTree, 0))
}

fn atom_end(text: &[u8], start: usize) -> usize {
    text[start..].iter().position(|&byte| is_delimiter(byte)).map_or(text.len(), |length| start + length)
}

fn utf8(text: &[u8], start: usize, end: usize) -> Result<&str, ParseFailure> {
    std::str::from_utf8(&text[start..end]).map_err(|error| (Problem::NotUtf8, start + error.valid_up_to()))
}

struct Builder {
    tree: Option<Tree>,
    open: Vec<Open>,
}

impl Builder {
    fn open(&mut self, label: &str, at: usize, text: &[u8]) -> Result<(), ParseFailure> {
        self.settle_first_word(text)?;
        let node = match (&mut self.tree, self.open.last()) {
            (None, _) => self.tree.insert(Tree::with_top(label)).top(),
            (Some(tree), Some(parent)) => tree.push_phrase(parent.node, label),
            (Some(_), None) => return Err((Problem::SeveralTrees, at)),
        };
        self.open.push(Open { node, at, first_word: None });
        Ok(())
    }

    fn word(&mut self, start: usize, end: usize, text: &[u8]) -> Result<(), ParseFailure> {
        self.settle_first_word(text)?;
        let (Some(tree), Some(open)) = (&mut self.tree, self.open.last_mut()) else {
            return Err((Problem::StrayText, start));
        };
        if tree.first_child(open.node).is_none() {
            open.first_word = Some((start, end));
        } else {
            tree.push_bare_word(open.node, utf8(text, start, end)?);
        }
        Ok(())
    }

    fn close(&mut self, text: &[u8]) -> Result<(), ParseFailure> {
        let (Some(tree), Some(open)) = (&mut self.tree, self.open.last()) else {
            return Err((Problem::StrayClose, 0));
        };
        match open.first_word {
            // `( dog)` has no tag to be a token with, and a top is no token when it has no label
            Some((start, end)) if tree.label_text(open.node).is_empty() => {
                tree.push_bare_word(open.node, utf8(text, start, end)?);
            }
            Some((start, end)) => tree.make_token(open.node, utf8(text, start, end)?),
            None if tree.first_child(open.node).is_none() => return Err((Problem::EmptyBracket, open.at)),
            None => {}
        }
        self.open.pop();
        Ok(())
    }

    /// Something follows the first word of the innermost bracket, so it was a bare word.
    fn settle_first_word(&mut self, text: &[u8]) -> Result<(), ParseFailure> {
        if let (Some(tree), Some(open)) = (&mut self.tree, self.open.last_mut())
            && let Some((start, end)) = open.first_word.take()
        {
            debug_assert_eq!(tree.kind(open.node), Kind::Phrase);
            tree.push_bare_word(open.node, utf8(text, start, end)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, String, Option<String>)> {
        let tree = parse_tree(text.as_bytes()).unwrap();
        tree.preorder(tree.top())
            .map(|n| (tree.kind(n), tree.label_text(n).to_owned(), tree.word(n).map(str::to_owned)))
            .collect()
    }

    #[test]
    fn a_word_alone_in_a_labelled_bracket_makes_a_token() {
        use Kind::{BareWord, Phrase, Token};
        let row = |kind, label: &str, word: Option<&str>| (kind, label.to_owned(), word.map(str::to_owned));
        assert_eq!(kinds("(NN dog)"), [row(Token, "NN", Some("dog"))]);
        assert_eq!(kinds("( dog)"), [row(Phrase, "", None), row(BareWord, "", Some("dog"))]);
        assert_eq!(
            kinds("(NP a (N b) c)"),
            [
                row(Phrase, "NP", None),
                row(BareWord, "", Some("a")),
                row(Token, "N", Some("b")),
                row(BareWord, "", Some("c"))
            ]
        );
    }

    #[test]
    fn failures_name_their_byte() {
        let failure = |text: &[u8]| parse_tree(text).unwrap_err();
        assert_eq!(failure(b"(S (NP) (V v))"), (Problem::EmptyBracket, 3));
        assert_eq!(failure(b"()"), (Problem::EmptyBracket, 0));
        assert_eq!(failure(b"(S (V v\xff))"), (Problem::NotUtf8, 7));
        assert_eq!(failure(b"(S (V\xc3 v))"), (Problem::NotUtf8, 5));
    }
}
