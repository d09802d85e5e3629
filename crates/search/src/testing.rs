//! Random patterns and trees, from bytes.
//!
//! A fuzzer and a random number generator are both a row of bytes here; where the row ends, zeros follow, and zeros end everything soon.

use std::fmt::Write as _;

/// A source of choices.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    /// A number below `many`.
    pub fn below(&mut self, many: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first as usize % many
    }

    fn of<'s>(&mut self, list: &[&'s str]) -> &'s str {
        list[self.below(list.len())]
    }
}

/// Random bytes by xorshift, enough for tests.
pub fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(next).collect()
}

/// The brackets of a random tree with nulls and indices.
pub fn tree(choices: &mut Choices) -> String {
    let mut text = String::from("(");
    for _ in 0..=choices.below(2) {
        text.push(' ');
        phrase(choices, 0, &mut text);
    }
    text + ")"
}

fn phrase(choices: &mut Choices, depth: usize, text: &mut String) {
    let index = |choices: &mut Choices| match choices.below(6) {
        5 => format!("-{}", 1 + choices.below(3)),
        4 => format!("={}", 1 + choices.below(3)),
        _ => String::new(),
    };
    match choices.below(if depth > 5 { 2 } else { 8 }) {
        0 => _ = write!(text, "({} {})", choices.of(&["N", "VB", "D", "WDT"]), choices.of(&["a", "b", "c"])),
        1 => {
            let null = choices.of(&["*T*", "*", "0", "*ICH*"]);
            _ = write!(text, "(-NONE- {null}-{})", 1 + choices.below(3));
        }
        2 => text.push_str(choices.of(&["a", "N"])),
        _ => {
            let label = choices.of(&["NP", "NP-SBJ", "VP", "SBAR", "WHNP", "S"]);
            _ = write!(text, "({label}{}", index(choices));
            for _ in 0..=choices.below(3) {
                text.push(' ');
                phrase(choices, depth + 1, text);
            }
            text.push(')');
        }
    }
}

/// The parts of the language that a random pattern may use.
#[derive(Clone, Copy)]
pub struct Dialect<'a> {
    /// Relations without arguments.
    pub relations: &'a [&'a str],
    /// Descriptions.
    pub descriptions: &'a [&'a str],
    /// Whether every node that can be named is, so that whole assignments are compared.
    pub name_all: bool,
}

/// Tregex's relations, without those of heads.
pub const TREGEX: &[&str] = &[
    "<",
    ">",
    "<<",
    ">>",
    "<,",
    ">,",
    "<-",
    ">-",
    "<`",
    ">`",
    "<:",
    ">:",
    "<<,",
    ">>,",
    "<<-",
    ">>-",
    "<<:",
    ">>:",
    "$",
    "$++",
    "$--",
    "$+",
    "$-",
    "$..",
    "$,,",
    "$.",
    "$,",
    "..",
    ",,",
    ".",
    ",",
    "<2",
    ">2",
    "<-2",
    ">-2",
    "<3",
    ">1",
    "<+(@NP)",
    ">+(@VP)",
    ".+(/N/)",
    ",+(!@NP)",
    "<+(__)",
    ">+(!NP)",
    ".+(__)",
    ",+(@NP|VP)",
    "==",
    "<=",
    "<<<",
    "<<<1",
    "<<<-2",
];

/// Relations that only this project has, and those of heads.
pub const OURS: &[&str] = &[
    "=>",
    "=<",
    "=>>",
    "=<<",
    "->",
    "-<",
    "##",
    "#>",
    "#<",
    "<#",
    ">#",
    "<<#",
    ">>#",
    "-subject>",
    "-object<",
    "-surface-subject<",
    "-argument>",
];

/// Descriptions that fit much of the trees of [`tree`].
pub const DESCRIPTIONS: &[&str] = &[
    "NP",
    "__",
    "@NP",
    "/^NP/",
    "VP|S",
    "!NP",
    "!@NP|VP",
    "/^(.*)-([0-9])$/#2%i",
    "/-([0-9])$/#1%i",
    "/N/",
    "a|b",
    "@SBAR|WHNP",
    "/^(.)/#1%j",
    "\"*T*-1\"",
    "-NONE-",
    "@/^.P$/",
];

/// A random pattern.
pub fn pattern(choices: &mut Choices, dialect: Dialect) -> String {
    let mut maker = Maker { choices, dialect, names: 0, free: Vec::new(), text: String::new() };
    maker.chain(0, false);
    if maker.choices.below(12) == 11 {
        maker.text.push_str(" : ");
        maker.chain(2, false);
    }
    maker.text
}

struct Maker<'m, 'c> {
    choices: &'m mut Choices<'c>,
    dialect: Dialect<'m>,
    names: usize,
    /// Names that are bound wherever this place is reached.
    free: Vec<usize>,
    text: String,
}

impl Maker<'_, '_> {
    fn node(&mut self, negated: bool) {
        if !self.free.is_empty() && self.choices.below(6) == 5 {
            let name = self.free[self.choices.below(self.free.len())];
            let sign = self.choices.of(&["=", "~"]);
            _ = write!(self.text, "{sign}n{name}");
            return;
        }
        let description = self.choices.of(self.dialect.descriptions);
        self.text.push_str(description);
        if !negated && (self.dialect.name_all || self.choices.below(3) == 2) {
            self.names += 1;
            self.free.push(self.names);
            _ = write!(self.text, "=n{}", self.names);
        }
    }

    fn chain(&mut self, depth: usize, negated: bool) {
        self.node(negated);
        for _ in 0..self.choices.below(if depth == 0 { 3 } else { 2 }) + usize::from(depth == 0) {
            self.text.push(' ');
            self.condition(depth, negated);
        }
    }

    fn condition(&mut self, depth: usize, negated: bool) {
        let known = self.free.len();
        match self.choices.below(8) {
            7 if depth < 3 => {
                self.text.push('[');
                self.condition(depth + 1, negated);
                // what one side binds, the other does not know
                self.free.truncate(known);
                self.text.push_str(" | ");
                self.condition(depth + 1, negated);
                self.text.push(']');
                self.free.truncate(known);
            }
            6 => {
                self.text.push('!');
                self.link(depth, true);
                self.free.truncate(known);
            }
            5 => {
                self.text.push('?');
                self.link(depth, negated);
                self.free.truncate(known);
            }
            _ => self.link(depth, negated),
        }
    }

    fn link(&mut self, depth: usize, negated: bool) {
        let relation = self.choices.of(self.dialect.relations);
        self.text.push_str(relation);
        if depth < 3 && self.choices.below(2) == 1 {
            self.text.push_str(" (");
            self.chain(depth + 1, negated);
            self.text.push(')');
        } else {
            self.text.push(' ');
            self.node(negated);
        }
    }
}
