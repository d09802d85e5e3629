//! Reads the notation of [`super`]. The templates are constants, so a slip in one is a bug of this crate, and the reader
//! panics at it; the tests read them all.

use super::{Hat, Links, Pattern, Template};
use crate::item::{Count, Letter, Side};

/// Reads `(number) item item [item]`; rule (1) carries the remark `k=i+1`.
pub(super) fn template(output: &str, rule: &str) -> Template {
    let (number, rest) = rule.split_once(')').expect("a template begins with its number");
    let (initial, items) = match rest.trim().strip_prefix("k=i+1") {
        Some(items) => (true, items),
        None => (false, rest),
    };
    Template {
        number: number.trim_start_matches('(').parse().expect("the number of a template"),
        mirrored: false,
        initial,
        output: pattern(output),
        inputs: items.split_inclusive(']').map(|item| pattern(item.trim())).collect(),
    }
}

/// Reads one item.
pub(super) fn pattern(text: &str) -> Pattern {
    let (head, body) = text.strip_suffix(']').and_then(|t| t.split_once('[')).expect("letters[names links]");
    let (names, links) = body.split_once(' ').expect("names, then connectivity");
    let mut names = names.chars();
    let names = (names.next().expect("left end"), names.next().expect("right end"), names.next());
    let side = match (head.starts_with('·'), head.ends_with('·')) {
        (true, false) => Some(Side::Left),
        (false, true) => Some(Side::Right),
        _ => None,
    };
    let mut letters: Vec<(Letter, Hat)> = Vec::new();
    let mut count = None;
    for mark in head.chars().filter(|&mark| mark != '·') {
        match mark {
            '1' => count = Some(Count::One),
            '+' => count = Some(Count::Many),
            '^' => letters.last_mut().expect("a letter before its hat").1 = Hat::Required,
            '°' => letters.last_mut().expect("a letter before its hat").1 = Hat::Carried,
            letter => letters.push((self::letter(letter), Hat::Unmarked)),
        }
    }
    Pattern { letters, side, count, names, links: self::links(links.trim(), names.2.is_some()) }
}

fn letter(letter: char) -> Letter {
    match letter {
        'I' => Letter::I,
        'X' => Letter::X,
        'B' => Letter::B,
        'L' => Letter::L,
        'R' => Letter::R,
        'N' => Letter::N,
        other => panic!("{other:?} is no item type"),
    }
}

fn links(text: &str, external: bool) -> [Links; 6] {
    let mut values = text.chars().map(|mark| match mark {
        '.' => Links::ANY,
        'n' => Links(0b001),
        'p' => Links(0b010),
        'd' => Links(0b100),
        'đ' => Links(0b011),
        'ñ' => Links(0b110),
        other => panic!("{other:?} is no connectivity"),
    });
    let mut next = || values.next().expect("one mark for each pair of visible vertices");
    if external {
        std::array::from_fn(|_| next())
    } else {
        let (rl, lr) = (next(), next());
        [rl, Links::ANY, lr, Links::ANY, Links::ANY, Links::ANY]
    }
}
