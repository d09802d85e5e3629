//! What the network says about a sentence.

use super::Network;
use crate::matrix::Matrix;
use crate::ops::{Widths, each};
use crate::prepare::Prepared;

/// Logarithms of probabilities for one sentence.
#[derive(Clone, Debug)]
pub struct Scores {
    words: usize,
    tags: Matrix,
    spines: Matrix,
    arcs: Matrix,
    attachments: Matrix,
    traces: Matrix,
}

impl Scores {
    /// The number of words.
    pub fn len(&self) -> usize {
        self.words
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }

    /// The tags of a word.
    pub fn tags(&self, word: usize) -> &[f32] {
        self.tags.row(word)
    }

    /// The spines of a word.
    pub fn spines(&self, word: usize) -> &[f32] {
        self.spines.row(word)
    }

    /// The heads of a word: first the root, then all words; minus infinity for the word itself.
    pub fn heads(&self, word: usize) -> &[f32] {
        self.arcs.row(word)
    }

    /// The labels of a word's attachment to a head: 0 for the root, else one more than the word's index.
    pub fn attachments(&self, word: usize, head: usize) -> &[f32] {
        self.attachments.row(word * (self.words + 1) + head)
    }

    /// The labels of a trace between two words; label 0 says that there is none.
    pub fn traces(&self, parent: usize, child: usize) -> &[f32] {
        self.traces.row(parent * self.words + child)
    }
}

impl Network {
    /// Scores for each of the sentences.
    pub fn scores(&self, sentences: &[&Prepared]) -> Vec<Scores> {
        let tape = &mut self.inference();
        let words = self.read(tape, sentences);
        let tags = self.tags(tape, &words);
        let tags = tape.log_softmax(tags, Widths::Even);
        let spines = self.spines(tape, &words);
        let spines = tape.log_softmax(spines, Widths::Even);
        let (arcs, widths) = self.arcs(tape, &words);
        let arcs = tape.log_softmax(arcs, widths);

        let (mut attachment_pairs, mut trace_pairs) = (Vec::new(), Vec::new());
        for (nth, (from, to)) in each(&words.spans).enumerate() {
            for word in from..to {
                attachment_pairs.extend((from + nth..=to + nth).map(|head| (word as u32, head as u32)));
                trace_pairs.extend((from..to).map(|child| (word as u32, child as u32)));
            }
        }
        let attachments = self.attachments(tape, &words, attachment_pairs.into());
        let attachments = tape.log_softmax(attachments, Widths::Even);
        let traces = self.traces(tape, &words, trace_pairs.into());
        let traces = tape.log_softmax(traces, Widths::Even);

        let (mut with_root, mut without_root) = (0, 0);
        let sentence = |(from, to)| {
            let words: usize = to - from;
            let (first, first_trace) = (with_root, without_root);
            with_root += words * (words + 1);
            without_root += words * words;
            Scores {
                words,
                tags: rows(&tags, from, to),
                spines: rows(&spines, from, to),
                arcs: Matrix::from_vec(words, words + 1, arcs.values()[first..with_root].to_vec()),
                attachments: rows(&attachments, first, with_root),
                traces: rows(&traces, first_trace, without_root),
            }
        };
        each(&words.spans).map(sentence).collect()
    }
}

fn rows(x: &Matrix, from: usize, to: usize) -> Matrix {
    Matrix::from_vec(to - from, x.cols(), x.values()[from * x.cols()..to * x.cols()].to_vec())
}
