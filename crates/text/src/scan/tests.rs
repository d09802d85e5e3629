//! Cases in a table: a text, and its pieces with a bar between two.

use super::*;
use crate::style::{Hyphens, WordBrackets};

fn cut(text: &str, style: TokenStyle) -> String {
    let pieces = Scanner::new(text, style).line();
    pieces.iter().map(|piece| &text[piece.start..piece.end]).collect::<Vec<_>>().join("|")
}

#[test]
fn text_is_cut_as_the_penn_treebank_does() {
    for (text, wanted) in include_str!("cases.txt").lines().filter_map(|line| line.split_once(" => ")) {
        assert_eq!(cut(text, TokenStyle::PENN), wanted, "{text}");
    }
}

#[test]
fn hyphens_and_slashes_can_be_split() {
    let split = TokenStyle { hyphens: Hyphens::Split, ..TokenStyle::PENN };
    for (text, wanted) in [
        ("well-known", "well|-|known"),
        ("anti-viral two-fold e-mail", "anti-viral|two-fold|e-mail"),
        ("and/or", "and|/|or"),
        ("1990–91", "1990|–|91"),
        ("U.S.-led", "U.S.|-|led"),
        ("5′-UTR", "5|′|-|UTR"),
        ("up- and down-regulated", "up|-|and|down|-|regulated"),
        ("-54", "-54"),
    ] {
        assert_eq!(cut(text, split), wanted, "{text}");
    }
}

#[test]
fn brackets_inside_words_can_be_kept() {
    let genia = TokenStyle { word_brackets: WordBrackets::Keep, ..TokenStyle::PENN };
    for (text, wanted) in [
        ("CD4(+) cells", "CD4(+)|cells"),
        ("t(3;21)(q26;q22)-positive.", "t(3;21)(q26;q22)-positive|."),
        ("x(a b) f(", "x|(|a|b|)|f|("),
        ("(n = 8)", "(|n|=|8|)"),
    ] {
        assert_eq!(cut(text, genia), wanted, "{text}");
    }
}

#[test]
fn quotes_open_and_close_by_their_neighbours() {
    let shape = |text: &str| -> String {
        let pieces = Scanner::new(text, TokenStyle::PENN).line();
        let kinds = pieces.iter().filter_map(|piece| match piece.kind {
            Kind::OpenQuote { double } => Some(if double { "<" } else { "(" }),
            Kind::CloseQuote { double } => Some(if double { ">" } else { ")" }),
            _ => None,
        });
        kinds.collect()
    };
    for (text, wanted) in [
        ("\"a\" \"b.\" (\"c\")", "<><><>"),
        ("\" a \" b \" c \"", "<><>"),
        ("\"'a' b\"", "<()>"),
        ("\"a 'b'\"", "<()>"),
        ("the boys' \"x\"--\"y\"", ")<><>"),
        ("``a'' `b'", "<>()"),
        ("“a ‘b’”", "<()>"),
        ("''a'' b", "<>"),
        ("said \"yes\", \"no\"; \"x\"!", "<><><>"),
    ] {
        assert_eq!(shape(text), wanted, "{text}");
    }
}
