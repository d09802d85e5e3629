//! Alignment: the guess that belongs to each gold sentence.
//!
//! Both files are read side by side. As long as their words agree, sentence by sentence, there is nothing to do. Where they do
//! not, a parser may have left out a sentence, or said something of its own in between; so both files are looked at some
//! sentences ahead for the place where they agree again. A guess that cannot be read is the missing guess of its place.
//!
//! ```
//! use tracebank_report::align::{Pairing, pair_up};
//! use tracebank_syntax::penn::Reader;
//! let gold = "(S (N a))\n(S (N b))\n(S (N c))\n";
//! let guess = "(S (X a))\n(S (X c))\n";
//! let pairs: Vec<_> = pair_up(Reader::new(gold.as_bytes()), Reader::new(guess.as_bytes())).collect();
//! assert!(matches!(pairs[0].pairing, Pairing::Aligned { .. }));
//! assert!(matches!(pairs[1].pairing, Pairing::NoGuess { error: None, .. }));
//! assert!(matches!(pairs[2].pairing, Pairing::Aligned { .. }));
//! ```

use std::collections::VecDeque;
use std::fmt;

use tracebank_syntax::penn::SyntaxError;
use tracebank_syntax::tree::Tree;

/// How many sentences ahead the files are searched for a place where they agree again.
const WINDOW: usize = 32;

/// A tree, or why there is none.
pub type Reading = Result<Tree, SyntaxError>;

/// A sentence of the gold (or a guess that belongs to none) and what was found for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The number of the sentence in the gold, from 1; for [`Pairing::NoGold`] without error, of the guess in its file.
    pub number: usize,
    /// The finding.
    pub pairing: Pairing,
}

/// A gold tree and its guess, as far as there are any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pairing {
    /// Two trees over the same words.
    Aligned {
        /// The gold tree.
        gold: Tree,
        /// The guess.
        guess: Tree,
    },
    /// Two trees over different words.
    WordsDiffer {
        /// The gold tree.
        gold: Tree,
        /// The tree in the place of its guess.
        guess: Tree,
    },
    /// A gold tree without a guess.
    NoGuess {
        /// The gold tree.
        gold: Tree,
        /// Why the guess in its place cannot be read; `None` if there is no guess.
        error: Option<SyntaxError>,
    },
    /// There is no gold to compare with.
    NoGold {
        /// Why the gold cannot be read; `None` if there is a guess that belongs to no gold sentence.
        error: Option<SyntaxError>,
    },
}

impl Pairing {
    /// Why the two do not line up; `None` if they do.
    pub fn misfit(&self) -> Option<Misfit<'_>> {
        match self {
            Pairing::Aligned { .. } => None,
            other => Some(Misfit(other)),
        }
    }
}

/// A pairing that does not line up, as a reason to show.
#[derive(Clone, Copy, Debug)]
pub struct Misfit<'a>(&'a Pairing);

impl fmt::Display for Misfit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Pairing::Aligned { .. } => write!(f, "gold and guess line up"),
            Pairing::WordsDiffer { gold, guess } => {
                let (first, mine, theirs) = first_difference(gold, guess);
                write!(f, "the words differ: word {first} is {mine} in the gold and {theirs} in the guess")
            }
            Pairing::NoGuess { error: None, .. } => write!(f, "there is no guess"),
            Pairing::NoGuess { error: Some(error), .. } => write!(f, "the guess cannot be read: {error}"),
            Pairing::NoGold { error: None } => write!(f, "this guess belongs to no gold sentence"),
            Pairing::NoGold { error: Some(error) } => write!(f, "the gold cannot be read: {error}"),
        }
    }
}

fn first_difference(gold: &Tree, guess: &Tree) -> (usize, String, String) {
    let show = |word: Option<&str>| word.map_or_else(|| "missing".to_owned(), |word| format!("{word:?}"));
    let (mut mine, mut theirs) = (gold.words(), guess.words());
    let mut number = 1;
    loop {
        match (mine.next(), theirs.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            (a, b) => return (number, show(a), show(b)),
        }
    }
}

/// Pairs the sentences of two streams.
pub fn pair_up<G, T>(gold: G, guess: T) -> Pairs<G, T>
where
    G: Iterator<Item = Reading>,
    T: Iterator<Item = Reading>,
{
    Pairs { gold: Lookahead::new(gold), guess: Lookahead::new(guess) }
}

/// The pairs of two streams, in order; see [`pair_up`]. Memory depends on the longest sentences and not on the files.
pub struct Pairs<G, T> {
    gold: Lookahead<G>,
    guess: Lookahead<T>,
}

impl<G, T> Iterator for Pairs<G, T>
where
    G: Iterator<Item = Reading>,
    T: Iterator<Item = Reading>,
{
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        if let (Some(Ok(gold)), Some(Ok(guess))) = (self.gold.peek(0), self.guess.peek(0))
            && !same_words(gold, guess)
        {
            return self.next_of_unequal();
        }
        match self.gold.next() {
            Some((number, Ok(gold))) => {
                let pairing = match self.guess.next() {
                    Some((_, Ok(guess))) => Pairing::Aligned { gold, guess },
                    Some((_, Err(error))) => Pairing::NoGuess { gold, error: Some(error) },
                    None => Pairing::NoGuess { gold, error: None },
                };
                Some(Pair { number, pairing })
            }
            Some((number, Err(error))) => {
                self.guess.next();
                Some(Pair { number, pairing: Pairing::NoGold { error: Some(error) } })
            }
            None => {
                let (number, _) = self.guess.next()?;
                Some(Pair { number, pairing: Pairing::NoGold { error: None } })
            }
        }
    }
}

impl<G, T> Pairs<G, T>
where
    G: Iterator<Item = Reading>,
    T: Iterator<Item = Reading>,
{
    /// The next two trees have different words. The nearer place of agreement decides which side is ahead.
    fn next_of_unequal(&mut self) -> Option<Pair> {
        for distance in 1..=WINDOW {
            if agree(self.gold.peek(distance), self.guess.peek(0)) {
                let (number, gold) = self.gold.next()?;
                let pairing = match gold {
                    Ok(gold) => Pairing::NoGuess { gold, error: None },
                    Err(error) => Pairing::NoGold { error: Some(error) },
                };
                return Some(Pair { number, pairing });
            }
            if agree(self.gold.peek(0), self.guess.peek(distance)) {
                let (number, _) = self.guess.next()?;
                return Some(Pair { number, pairing: Pairing::NoGold { error: None } });
            }
        }
        let ((number, gold), (_, guess)) = (self.gold.next()?, self.guess.next()?);
        let pairing = match (gold, guess) {
            (Ok(gold), Ok(guess)) => Pairing::WordsDiffer { gold, guess },
            (Ok(gold), Err(error)) => Pairing::NoGuess { gold, error: Some(error) },
            (Err(error), _) => Pairing::NoGold { error: Some(error) },
        };
        Some(Pair { number, pairing })
    }
}

fn agree(gold: Option<&Reading>, guess: Option<&Reading>) -> bool {
    matches!((gold, guess), (Some(Ok(gold)), Some(Ok(guess))) if same_words(gold, guess))
}

fn same_words(gold: &Tree, guess: &Tree) -> bool {
    gold.words().eq(guess.words())
}

struct Lookahead<I> {
    source: I,
    /// Trees that were read and not yet handed out.
    waiting: VecDeque<Reading>,
    handed_out: usize,
}

impl<I: Iterator<Item = Reading>> Lookahead<I> {
    fn new(source: I) -> Lookahead<I> {
        Lookahead { source, waiting: VecDeque::new(), handed_out: 0 }
    }

    fn peek(&mut self, distance: usize) -> Option<&Reading> {
        while self.waiting.len() <= distance {
            self.waiting.push_back(self.source.next()?);
        }
        self.waiting.get(distance)
    }

    /// The next tree with its number, from 1.
    fn next(&mut self) -> Option<(usize, Reading)> {
        let reading = self.waiting.pop_front().or_else(|| self.source.next())?;
        self.handed_out += 1;
        Some((self.handed_out, reading))
    }
}

#[cfg(test)]
mod tests {
    use tracebank_syntax::penn::Reader;

    use super::*;

    /// A letter a pair: aligned, differing, missing guess, unreadable guess, surplus guess, unreadable gold.
    fn outline(gold: &str, guess: &str) -> String {
        let pairs = pair_up(Reader::new(gold.as_bytes()), Reader::new(guess.as_bytes()));
        pairs
            .map(|pair| {
                let letter = match pair.pairing {
                    Pairing::Aligned { .. } => 'a',
                    Pairing::WordsDiffer { .. } => 'd',
                    Pairing::NoGuess { error: None, .. } => 'm',
                    Pairing::NoGuess { .. } => 'u',
                    Pairing::NoGold { error: None } => 's',
                    Pairing::NoGold { .. } => 'g',
                };
                format!("{letter}{}", pair.number)
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn files_that_agree_are_paired_in_order() {
        assert_eq!(outline("(S (N a))(S (N b))", "(S (X a))(S (X b))"), "a1 a2");
        assert_eq!(outline("", ""), "");
    }

    #[test]
    fn a_left_out_or_added_sentence_shifts_nothing() {
        assert_eq!(outline("(N a)(N b)(N c)", "(N a)(N c)"), "a1 m2 a3");
        assert_eq!(outline("(N a)(N c)", "(N a)(N b)(N c)"), "a1 s2 a2");
        assert_eq!(outline("(N a)(N b)", "(N a)"), "a1 m2");
        assert_eq!(outline("(N a)", "(N a)(N b)"), "a1 s2");
    }

    #[test]
    fn a_changed_sentence_stays_in_its_place() {
        assert_eq!(outline("(N a)(N b)(N c)", "(N a)(N x)(N c)"), "a1 d2 a3");
    }

    #[test]
    fn what_cannot_be_read_keeps_its_place() {
        assert_eq!(outline("(N a)\n(N b)\n(N c)", "(N a)\n(())\n(N c)"), "a1 u2 a3");
        assert_eq!(outline("(N a)\n(())\n(N c)", "(N a)\n(N b)\n(N c)"), "a1 g2 a3");
    }

    #[test]
    fn reasons_name_the_first_difference() {
        for (guess, theirs) in [("(S (N a))", "missing"), ("(S (N a) (N x) (N c))", "\"x\"")] {
            let gold = Reader::new("(S (N a) (N b) (N c))".as_bytes());
            let pair = pair_up(gold, Reader::new(guess.as_bytes())).next().unwrap();
            assert_eq!(
                pair.pairing.misfit().unwrap().to_string(),
                format!("the words differ: word 2 is \"b\" in the gold and {theirs} in the guess")
            );
        }
    }
}
