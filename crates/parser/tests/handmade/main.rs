//! Sentences whose scores are written by hand, so that the right answer, its proof and its probabilities can be worked out on paper.
//!
//! `exact.rs` tries many sentences against brute force. Budgets, ties and what is asked for at a border are seen here.

mod budgets;
mod labels;
mod rules;
mod shares;
mod traces;

use tracebank_parser::decode::{Decoded, Decoder, Pruning, Settings};
use tracebank_parser::gold::WordAnalysis;
use tracebank_parser::scores::{Grid, SentenceScores};
use tracebank_parser::vocabulary::{Names, Trace, TraceId, Vocabulary};
use tracebank_syntax::class::Structure;

const NONE: f32 = f32::NEG_INFINITY;

/// A sentence and its scores. What is not said to be possible is out of the question. Words are counted from 1; 0 is the root.
struct Sentence {
    vocabulary: Vocabulary,
    scores: SentenceScores,
}

fn place(names: &[String], name: &str) -> usize {
    names.iter().position(|other| other == name).unwrap_or_else(|| panic!("{name} is no name"))
}

impl Sentence {
    fn new(words: usize) -> Sentence {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let names = Names {
            tags: list(&["X"]),
            spines: list(&[
                "NP",
                "NP NP",
                "NP S",
                "VP",
                "VP S",
                "VP SQ",
                "VP FRAG",
                "VP SQ SBARQ",
                "WHNP",
                "VP S(NP(*T*))",
                "VP S(PP(*T*))",
                "VP SQ(NP(*T*))",
                "VP(NP(*T*)) SQ(NP(*T*))",
            ]),
            functions: list(&["", "-SBJ"]),
            attachments: list(&["NP#0", "NP#1", "VP#0", "S#0", "SQ#0", "SBARQ#0", "FRAG#0", "#0"]),
            traces: list(&[
                "(NP *T*)#0 > NP#0",
                "(NP *T*)#0 > NP#1",
                "(NP *T*)#0 > S#0",
                "(NP *T*)#1 > NP#0",
                "(NP *T*)#1 > S#0",
            ]),
            obliged: Vec::new(),
        };
        let scores = SentenceScores {
            tags: Grid::new(words, names.tags.len(), 0.0),
            spines: Grid::new(words, names.spines.len(), NONE),
            functions: Grid::from_values(2, [0.0, -9.0].repeat(words)),
            heads: Grid::new(words, words + 1, NONE),
            attachments: Grid::new(words * (words + 1), names.attachments.len(), NONE),
            traces: vec![Some(Grid::new(words, names.traces.len(), NONE)); words],
            is_cut: false,
        };
        Sentence { vocabulary: Vocabulary::new(names).unwrap(), scores }
    }

    /// The sentence in which a word may have a spine.
    fn spine(mut self, word: usize, spine: &str, score: f32) -> Sentence {
        let spine = place(&self.vocabulary.names().spines, spine);
        self.scores.spines.row_mut(word - 1)[spine] = score;
        self
    }

    /// The sentence in which a word may be the root's child.
    fn root(mut self, word: usize, score: f32) -> Sentence {
        self.scores.heads.row_mut(word - 1)[0] = score;
        self
    }

    /// The sentence in which a word may hang in a phrase of another.
    fn hangs(mut self, word: usize, head: usize, site: &str, score: f32) -> Sentence {
        self.scores.heads.row_mut(word - 1)[head] = 0.0;
        let row = (word - 1) * (self.scores.words() + 1) + head;
        let site = place(&self.vocabulary.names().attachments, site);
        self.scores.attachments.row_mut(row)[site] = score;
        self
    }

    /// The sentence in which a word may refer to another.
    fn refers(mut self, referrer: usize, antecedent: usize, label: &str, score: f32) -> Sentence {
        let label = place(&self.vocabulary.names().traces, label);
        self.scores.traces[referrer - 1].as_mut().unwrap().row_mut(antecedent - 1)[label] = score;
        self
    }

    /// The sentence in which a word has this score as a subject, and 0 as none.
    fn subject(mut self, word: usize, score: f32) -> Sentence {
        self.scores.functions.row_mut(word - 1)[1] = score;
        self
    }

    /// A decoder for the sentence.
    fn decoder(&self, settings: Settings) -> Decoder<'_> {
        Decoder::new(&self.vocabulary, settings)
    }

    fn decode(&self, structure: Structure, settings: Settings, wanted: usize) -> Decoded {
        self.decoder(settings).decode(&self.scores, structure, None, wanted)
    }

    /// The spine of a word of an answer.
    fn spine_of(&self, word: &WordAnalysis) -> &str {
        &self.vocabulary.names().spines[word.spine.index()]
    }

    fn trace(&self, referrer: u32, antecedent: u32, label: &str) -> Trace {
        let label = TraceId(place(&self.vocabulary.names().traces, label) as u16);
        Trace { referrer, antecedent, label }
    }
}

/// Settings that count everything once and leave nothing out.
fn settings() -> Settings {
    let pruning = Pruning { spines: 10, spine_margin: 1e9, trace_margin: 1e9, ..Pruning::default() };
    Settings { violation_penalty: 0.0, pruning, ..Settings::default().unweighted() }
}

/// The value of the best analysis: its score less its penalty.
fn value(decoded: &Decoded) -> f32 {
    decoded.best().score - decoded.best().penalty
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-3
}
