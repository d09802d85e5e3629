//! The brackets of one tree → [`Tree`].
//!
//! The tree keeps the text it was read from, brackets and all, and its labels and words are spans of it: reading costs one copy and one
//! check for UTF-8, whatever the number of nodes.

use std::ops::Range;

use super::error::Problem;
use crate::tree::{Kind, NodeId, Tree};

/// A problem, and the byte of the tree's text that it is at.
pub(super) type ParseFailure = (Problem, usize);

/// White space between brackets. Only ASCII: words of CRAFT contain U+2009, and words of Keyaki U+3000.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Whether a byte ends a label or a word.
const ENDS_ATOM: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b"() \t\n\r\x0b\x0c";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = true;
        at += 1;
    }
    table
};

/// Reads exactly one bracket, `text[0]` being `(`, and nothing behind it.
pub(super) fn parse_tree(text: &[u8]) -> Result<Tree, ParseFailure> {
    let checked = std::str::from_utf8(text).map_err(|error| (Problem::NotUtf8, error.valid_up_to()))?;
    let mut tree = Tree::over(checked);
    let mut innermost: Option<NodeId> = None;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'(' if innermost.is_none() && tree.arena_len() > 0 => return Err((Problem::SeveralTrees, at)),
            b'(' => {
                let label = atom(text, at + 1);
                at = label.end;
                innermost = Some(tree.push_span(innermost, Kind::Phrase, label, 0..0));
            }
            b')' => {
                let node = innermost.ok_or((Problem::StrayClose, at))?;
                if tree.kind(node) == Kind::Phrase && tree.first_child(node).is_none() {
                    return Err((Problem::EmptyBracket, tree.label_start(node) - 1));
                }
                innermost = tree.parent(node);
                at += 1;
            }
            byte if is_space(byte) => at += 1,
            _ => {
                let node = innermost.ok_or((Problem::StrayText, at))?;
                let word = atom(text, at);
                at = word.end + text[word.end..].iter().take_while(|&&byte| is_space(byte)).count();
                // a word alone in a bracket with a label makes a token of it; `( dog)` has no tag to be a token with
                let alone = text.get(at) == Some(&b')') && tree.first_child(node).is_none();
                if alone && !tree.label_text(node).is_empty() {
                    tree.make_token(node, word);
                } else {
                    tree.push_span(Some(node), Kind::BareWord, 0..0, word);
                }
            }
        }
    }
    match innermost {
        None if tree.arena_len() > 0 => Ok(tree),
        _ => Err((Problem::Unclosed, 0)),
    }
}

fn atom(text: &[u8], start: usize) -> Range<usize> {
    let length = text[start..].iter().position(|&byte| ENDS_ATOM[byte as usize]);
    start..length.map_or(text.len(), |length| start + length)
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
        assert_eq!(kinds("(NN\n dog )"), [row(Token, "NN", Some("dog"))]);
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
        assert_eq!(failure(b"(S (V v)"), (Problem::Unclosed, 0));
        assert_eq!(failure(b"(V v) (V v)"), (Problem::SeveralTrees, 6));
        assert_eq!(failure(b"(V v) v"), (Problem::StrayText, 6));
        assert_eq!(failure(b"(V v))"), (Problem::StrayClose, 5));
    }
}
