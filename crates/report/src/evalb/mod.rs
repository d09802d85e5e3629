//! Brackets as the program `evalb` (Sekine and Collins) counts them.
//!
//! Null elements, marks and the phrases that hold nothing else are no part of the comparison, and neither are the words and
//! brackets that the [`Settings`] leave out (punctuation and the top, unless they say otherwise). Two brackets are the same
//! when they span the same words and have the same category; each bracket matches at most one other.
//!
//! ```
//! use tracebank_report::evalb::{Settings, compare};
//! let gold = "( (S (NP (PRP We)) (VP (VBP like) (NP (NN tea)) (ADVP (RB a) (NN lot))) (. .)))".parse()?;
//! let guess = "( (S (NP (PRP We)) (VP (VBP like) (NP (NN tea) (RB a) (NN lot))) (. .)))".parse()?;
//! let score = compare(&gold, &guess, &Settings::default()).unwrap().score;
//! assert_eq!((score.brackets.matched, score.brackets.gold, score.brackets.test), (3, 5, 4));
//! # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
//! ```

mod crossing;
mod face;
mod settings;
mod summary;

use thiserror::Error;
use tracebank_syntax::tree::Tree;

use crate::score::Counts;
use crossing::Crossing;
pub use face::Bracket;
use face::Face;
pub use settings::{Settings, SettingsError, SettingsProblem};
pub use summary::Summary;

/// The numbers of one sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SentenceScore {
    /// How many words the gold has, punctuation included.
    pub length: usize,
    /// The brackets.
    pub brackets: Counts,
    /// How many brackets of the guess cross a bracket of the gold.
    pub crossing: u64,
    /// How many words were compared.
    pub words: u64,
    /// How many of them have the right tag.
    pub correct_tags: u64,
}

impl SentenceScore {
    /// Whether all brackets are right.
    pub fn is_complete(&self) -> bool {
        self.brackets.matched == self.brackets.gold && self.brackets.matched == self.brackets.test
    }
}

/// A gold tree beside a guess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison<'t> {
    /// The numbers.
    pub score: SentenceScore,
    /// The brackets of the gold.
    pub gold: Vec<Bracket<'t>>,
    /// The brackets of the guess.
    pub test: Vec<Bracket<'t>>,
}

/// The reason why two trees have no score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Mismatch {
    /// `evalb` skips these.
    #[error("the guess has no words")]
    NoWords,
    /// `evalb` calls these errors. The words of the two may still be the same: a word may be punctuation for one of them only.
    #[error("after leaving out punctuation the gold has {gold} words and the guess {test}")]
    Length {
        /// Words of the gold.
        gold: usize,
        /// Words of the guess.
        test: usize,
    },
    /// `evalb` calls these errors too.
    #[error("the words differ")]
    Words,
}

/// Compares two trees over the same words.
pub fn compare<'t>(gold: &'t Tree, guess: &'t Tree, settings: &Settings) -> Result<Comparison<'t>, Mismatch> {
    let (mut gold, mut test) = (Face::of(gold, settings), Face::of(guess, settings));
    let words = line_up(&mut gold, &mut test, settings)?;
    let correct_tags = gold
        .kept_words()
        .zip(test.kept_words())
        .filter(|(mine, theirs)| settings.same_label(mine.tag, theirs.tag))
        .count();
    let length = sentence_length(&gold, settings);
    gold.settle(settings);
    test.settle(settings);
    let matched = match_brackets(&mut gold.brackets, &mut test.brackets, settings);
    let score = SentenceScore {
        length,
        brackets: Counts { matched, gold: gold.brackets.len() as u64, test: test.brackets.len() as u64 },
        crossing: count_crossing(&gold.brackets, &test.brackets, words),
        words: words as u64,
        correct_tags: correct_tags as u64,
    };
    Ok(Comparison { score, gold: gold.brackets, test: test.brackets })
}

/// The score of a sentence whose guess is missing or unusable: everything in the gold is missed.
pub fn missed<'t>(gold: &'t Tree, settings: &Settings) -> Comparison<'t> {
    let mut face = Face::of(gold, settings);
    let length = sentence_length(&face, settings);
    face.settle(settings);
    let score = SentenceScore {
        length,
        brackets: Counts { matched: 0, gold: face.brackets.len() as u64, test: 0 },
        crossing: 0,
        words: face.kept_words().count() as u64,
        correct_tags: 0,
    };
    Comparison { score, gold: face.brackets, test: Vec::new() }
}

fn sentence_length(gold: &Face, settings: &Settings) -> usize {
    gold.words.iter().filter(|word| settings.counts_for_length(word.tag)).count()
}

/// How many words the two have, if they have the same ones.
fn line_up(gold: &mut Face, test: &mut Face, settings: &Settings) -> Result<usize, Mismatch> {
    if test.kept_words().next().is_none() {
        return Err(Mismatch::NoWords);
    }
    if gold.kept_words().count() != test.kept_words().count() {
        agree_on_quotes(gold, test, settings);
    }
    let (gold_words, test_words) = (gold.kept_words().count(), test.kept_words().count());
    if gold_words != test_words {
        return Err(Mismatch::Length { gold: gold_words, test: test_words });
    }
    let same = gold
        .kept_words()
        .zip(test.kept_words())
        .all(|(mine, theirs)| settings.same_word(mine.text, theirs.text));
    if same { Ok(gold_words) } else { Err(Mismatch::Words) }
}

/// A `'` may be a closing quote, which is left out, for one side, and a possessive for the other: then both keep it.
///
/// DIVERGENCE: `evalb` finds the two by counting kept words, which goes wrong behind the first difference; here they stand
/// at the same place of the sentence.
fn agree_on_quotes(gold: &mut Face, test: &mut Face, settings: &Settings) {
    for (mine, theirs) in gold.words.iter_mut().zip(&mut test.words) {
        if settings.is_quote(mine.tag, mine.text) && settings.is_quote(theirs.tag, theirs.text) {
            let kept = mine.kept || theirs.kept;
            (mine.kept, theirs.kept) = (kept, kept);
        }
    }
}

/// Marks the pairs of equal brackets. Brackets of one span are neighbours in both lists, and among them, as in `evalb`, each gold
/// bracket takes the first of the guess that is still free and fits.
fn match_brackets(gold: &mut [Bracket], test: &mut [Bracket], settings: &Settings) -> u64 {
    let mut matched = 0;
    let mut same_span = 0;
    for bracket in gold {
        while let Some(candidate) = test.get(same_span)
            && (candidate.order() < bracket.order() || candidate.matched)
        {
            same_span += 1;
        }
        let partner = test[same_span..]
            .iter_mut()
            .take_while(|candidate| candidate.order() == bracket.order())
            .find(|candidate| {
                let fits = !settings.labelled || settings.same_label(bracket.label, candidate.label);
                !candidate.matched && fits
            });
        if let Some(partner) = partner {
            (bracket.matched, partner.matched) = (true, true);
            matched += 1;
        }
    }
    matched
}

/// A bracket that matches one of the gold crosses none, as those of the gold do not cross each other.
fn count_crossing(gold: &[Bracket], test: &[Bracket], words: usize) -> u64 {
    let mut candidates = test.iter().filter(|bracket| !bracket.matched).peekable();
    if candidates.peek().is_none() {
        return 0;
    }
    let crossing = Crossing::of(gold.iter().map(|bracket| (bracket.start, bracket.end)), words);
    candidates.filter(|bracket| crossing.crosses(bracket.start, bracket.end)).count() as u64
}

#[cfg(test)]
mod tests;
