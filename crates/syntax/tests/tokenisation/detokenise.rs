//! Tokens of a treebank → text as people write it, by rule, and where in it each token is.

use std::ops::Range;

use tracebank_text::unescape;

/// A word of a treebank with its tag.
pub(crate) struct Word {
    pub(crate) tag: String,
    pub(crate) text: String,
}

/// Sentences between which there may be more than a space.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A sentence without closing punctuation (a heading, the "Dear Name" of a letter, a turn on the telephone) ends its paragraph.
    Paragraphs,
    /// One space between two sentences, whatever they are.
    OneParagraph,
}

/// A text and what a tokeniser should find in it.
#[derive(Default)]
pub(crate) struct Gold {
    pub(crate) text: String,
    pub(crate) tokens: Vec<Range<usize>>,
    /// The ends of sentences.
    pub(crate) ends: Vec<usize>,
    /// Which of them are the ends of paragraphs.
    pub(crate) paragraph_ends: Vec<usize>,
}

impl Gold {
    pub(crate) fn add(&mut self, sentence: &[Word], layout: Layout) {
        let Some(last) = sentence.last() else { return };
        if self.paragraph_ends.last().is_some_and(|end| *end == self.text.len()) {
            self.text.push_str("\n\n");
        } else if !self.text.is_empty() {
            self.text.push(' ');
        }
        let mut marks = Marks::default();
        for (at, word) in sentence.iter().enumerate() {
            let previous = at.checked_sub(1).map(|at| &sentence[at]);
            // "U.S. ." is the treebank's way to write one full stop
            if word.text == "." && previous.is_some_and(|word| word.text.ends_with('.')) {
                continue;
            }
            let sides = marks.sides(word, previous, sentence.get(at + 1));
            if at > 0 && !sides.joined_before && !marks.glue {
                self.text.push(' ');
            }
            marks.glue = sides.joined_behind;
            let start = self.text.len();
            self.text.push_str(&written(word));
            self.tokens.push(start..self.text.len());
        }
        self.ends.push(self.text.len());
        let closing = [".", "?", "!", "!!", "...", "....", "''", "”", "\"", "'", ")", "]", "-RRB-", "-RSB-"];
        let closed = closing.contains(&last.text.as_str())
            && sentence.iter().rev().take(4).any(|word| word.text.ends_with(['.', '?', '!']));
        if layout == Layout::Paragraphs && !closed {
            self.paragraph_ends.push(self.text.len());
        }
    }
}

/// The word with the marks of a typewriter.
fn written(word: &Word) -> String {
    match word.text.as_str() {
        "``" | "''" => "\"".to_owned(),
        "`" => "'".to_owned(),
        // the Wall Street Journal's files escape these two
        text => unescape(text).replace("\\/", "/").replace("\\*", "*"),
    }
}

#[derive(Clone, Copy)]
struct Sides {
    joined_before: bool,
    joined_behind: bool,
}

/// The state that earlier words leave for the next one.
#[derive(Default)]
struct Marks {
    glue: bool,
    double_open: bool,
}

impl Marks {
    fn sides(&mut self, word: &Word, previous: Option<&Word>, next: Option<&Word>) -> Sides {
        let sides = |joined_before, joined_behind| Sides { joined_before, joined_behind };
        let text = word.text.to_lowercase();
        let previous_text = previous.map(|word| word.text.to_lowercase()).unwrap_or_default();
        match text.as_str() {
            "``" | "“" | "`" | "‘" | "-lrb-" | "-lsb-" | "-lcb-" | "[" | "{" | "$" | "#" | "us$" | "c$"
            | "~" => sides(false, true),
            "''" | "”" | "’" | "," | "." | ";" | ":" | "?" | "!" | "!!" | "..." | "....." | "...." | "%"
            | "-rrb-" | "-rsb-" | "-rcb-" | "]" | "}" | "'s" | "'re" | "'ve" | "'ll" | "'d" | "'m"
            | "n't" | "′" => sides(true, false),
            "\"" => {
                self.double_open = match word.tag.as_str() {
                    "``" => true,
                    "''" => false,
                    _ => !self.double_open,
                };
                sides(!self.double_open, self.double_open)
            }
            "'" => sides(word.tag != "``", word.tag == "``"),
            "not" => sides(previous_text == "can", false),
            "na" => sides(matches!(previous_text.as_str(), "gon" | "wan"), false),
            "ta" => sides(previous_text == "got", false),
            "me" => sides(matches!(previous_text.as_str(), "gim" | "lem"), false),
            "—" | "/" => sides(true, true),
            // "two- and three-year"
            "-" | "–" | "−" if word.tag == "HYPH" => {
                sides(true, next.is_none_or(|next| next.tag != "CC"))
            }
            "–" if word.tag != ":" => sides(true, true),
            _ => sides(false, false),
        }
    }
}
