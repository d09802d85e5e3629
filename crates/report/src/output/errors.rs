//! The sentences with the largest loss, gold and guess side by side.

use std::io::{self, Write};

use tracebank_syntax::tree::Tree;

use crate::align::{Pair, Pairing};
use crate::draw::{Line, Marks, NodeMarks, outline};
use crate::evaluation::{Options, SentenceResult};
use crate::metric::Metric;
use crate::score::Counts;

/// Between the two columns.
const GUTTER: &str = "   │ ";

/// Keeps the sentences with the largest loss: brackets and null elements with co-indexation that only one side has.
#[derive(Clone, Debug)]
pub struct Worst {
    limit: usize,
    /// Largest loss first; of equal ones the first sentence.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    number: usize,
    loss: u64,
    brackets: Counts,
    coindex: Counts,
    gold: Tree,
    guess: Option<Tree>,
}

impl Worst {
    /// Keeps at most `limit` sentences.
    pub fn new(limit: usize) -> Worst {
        Worst { limit, entries: Vec::new() }
    }

    /// Looks at a sentence, and keeps it if it is among the worst so far. Sentences without loss are not kept.
    pub fn offer(&mut self, pair: &Pair, result: &SentenceResult) {
        let (brackets, coindex) = (result.counts[Metric::Brackets], result.counts[Metric::Coindex]);
        let loss = brackets.loss() + coindex.loss();
        let place = self.entries.partition_point(|entry| entry.loss >= loss);
        if loss == 0 || place >= self.limit {
            return;
        }
        let (gold, guess) = match &pair.pairing {
            Pairing::Aligned { gold, guess } | Pairing::WordsDiffer { gold, guess } => (gold, Some(guess)),
            Pairing::NoGuess { gold, .. } => (gold, None),
            Pairing::NoGold { .. } => return,
        };
        self.entries.truncate(self.limit - 1);
        let (gold, guess) = (gold.clone(), guess.cloned());
        self.entries.insert(place, Entry { number: pair.number, loss, brackets, coindex, gold, guess });
    }

    /// Writes them, the worst first. What only one side has is marked with `✗` and, in ANSI codes, red.
    pub fn write(&self, options: &Options, out: &mut impl Write) -> io::Result<()> {
        for entry in &self.entries {
            entry.write(options, out)?;
        }
        Ok(())
    }
}

impl Entry {
    fn write(&self, options: &Options, out: &mut impl Write) -> io::Result<()> {
        let show =
            |Counts { matched, gold, test }: Counts| format!("{matched} of {gold} found, {test} guessed");
        writeln!(
            out,
            "\n\x1b[1msentence {}\x1b[0m: {} wrong; brackets: {}; nulls: {}",
            self.number,
            self.loss,
            show(self.brackets),
            show(self.coindex)
        )?;
        let Some(guess) = &self.guess else {
            writeln!(out, "(there is no guess)")?;
            return outline(&self.gold, &NodeMarks::default())
                .iter()
                .try_for_each(|line| writeln!(out, "{}", line.coloured()));
        };
        let marks = Marks::between(&self.gold, guess, options);
        side_by_side(&outline(&self.gold, &marks.gold), &outline(guess, &marks.test), out)
    }
}

fn side_by_side(left: &[Line], right: &[Line], out: &mut impl Write) -> io::Result<()> {
    let column = left.iter().map(Line::width).max().unwrap_or(0).max("gold".len());
    writeln!(out, "\x1b[2mgold{:1$}{GUTTER}guess\x1b[0m", "", column - "gold".len())?;
    for row in 0..left.len().max(right.len()) {
        let (text, width) = left.get(row).map_or((String::new(), 0), |line| (line.coloured(), line.width()));
        let other = right.get(row).map(Line::coloured).unwrap_or_default();
        writeln!(out, "{text}{:1$}\x1b[2m{GUTTER}\x1b[0m{other}", "", column - width)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tracebank_syntax::penn::Reader;

    use super::*;
    use crate::align::pair_up;
    use crate::evaluation::Evaluation;

    fn report(gold: &str, guess: &str, limit: usize) -> String {
        let mut evaluation = Evaluation::default();
        let mut worst = Worst::new(limit);
        for pair in pair_up(Reader::new(gold.as_bytes()), Reader::new(guess.as_bytes())) {
            if let Some(result) = evaluation.add(&pair) {
                worst.offer(&pair, &result);
            }
        }
        let mut out = Vec::new();
        worst.write(evaluation.options(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[3m", "\x1b[1;31m"]
            .iter()
            .fold(text, |text, code| text.replace(code, ""))
    }

    const GOLD: &str = "( (S (NP (N we)) (VP (V go))))\n( (S (A (N a)) (B (N b))))\n( (S (C (N c))))";

    #[test]
    fn the_worst_come_first_and_the_right_ones_not_at_all() {
        let guess = "( (S (NP (N we)) (VP (V go))))\n( (S (X (N a)) (Y (N b))))\n( (S (Z (N c))))";
        let text = report(GOLD, guess, 5);
        let order: Vec<_> =
            text.lines().filter_map(|line| line.strip_prefix("sentence ")?.split(':').next()).collect();
        assert_eq!(order, ["2", "3"]);
        assert_eq!(report(GOLD, guess, 1).matches("sentence ").count(), 1);
        assert_eq!(report(GOLD, guess, 0), "");
    }

    #[test]
    fn what_differs_is_marked_on_its_side() {
        let text = report("( (S (NP (N we)) (VP (V go))))", "( (S (NP (N we)) (XP (V go))))", 1);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "gold            │ guess",
                "S               │ S",
                "├─ NP (N we)    │ ├─ NP (N we)",
                "└─ ✗VP (V go)   │ └─ ✗XP (V go)",
            ]
        );
    }

    #[test]
    fn a_missing_guess_shows_the_gold() {
        assert!(report("( (S (N a)))", "", 1).contains("(there is no guess)"));
    }
}
