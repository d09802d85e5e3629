//! The score of each word as the head of each other: inner products within sentences.

use crate::matrix::{Matrix, View, ViewMut, Write};
use crate::ops::{Spans, each};
use crate::tape::{Tape, Var};

impl Tape<'_> {
    /// For each word of each sentence its inner products with the root and the words of the sentence, one ragged row
    /// after the other in a matrix of one row. `heads` has a row for the root before the words of each sentence. A
    /// word is not its own head: there stands minus infinity.
    pub fn head_scores(&mut self, dependents: &Var, heads: &Var, spans: &Spans) -> Var {
        let total = each(spans).map(|(from, to)| (to - from) * (to - from + 1)).sum();
        let mut value = Matrix::stale(1, total);
        let multiply = self.multiply();
        for block in blocks(spans) {
            let (d, h) = block.rows(dependents, heads);
            let scores = &mut value.values_mut()[block.start..block.end()];
            multiply(ViewMut::of(scores, block.words + 1), Write::Over, 1.0, d, h.t());
            for word in 0..block.words {
                scores[word * (block.words + 1) + word + 1] = f32::NEG_INFINITY;
            }
        }
        let wanted = self.wants(&[dependents, heads], &[]);
        let nodes = (dependents.node(), heads.node());
        let (dependents, heads, spans) = (dependents.share(), heads.share(), Spans::clone(spans));
        self.push(value, wanted, move |mut gradient, sink| {
            let cols = dependents.cols();
            for block in blocks(&spans) {
                for word in 0..block.words {
                    gradient.values_mut()[block.start + word * (block.words + 1) + word + 1] = 0.0;
                }
            }
            let at = |block: &Block| View::of(&gradient.values()[block.start..block.end()], block.words + 1);
            sink.accumulate(nodes.0, dependents.rows(), cols, |sum| {
                for block in blocks(&spans) {
                    let out = sum.view_mut().rows(block.from, block.from + block.words);
                    multiply(out, Write::Add, 1.0, at(&block), block.rows(&dependents, &heads).1);
                }
            });
            sink.accumulate(nodes.1, heads.rows(), cols, |sum| {
                for block in blocks(&spans) {
                    let from = block.from + block.sentence;
                    let out = sum.view_mut().rows(from, from + block.words + 1);
                    multiply(out, Write::Add, 1.0, at(&block).t(), block.rows(&dependents, &heads).0);
                }
            });
        })
    }
}

/// The scores of one sentence.
struct Block {
    sentence: usize,
    /// The sentence's first row among the words of the batch.
    from: usize,
    words: usize,
    /// The first score.
    start: usize,
}

impl Block {
    fn end(&self) -> usize {
        self.start + self.words * (self.words + 1)
    }

    fn rows<'a>(&self, dependents: &'a Matrix, heads: &'a Matrix) -> (View<'a>, View<'a>) {
        let first = self.from + self.sentence;
        (
            dependents.view().rows(self.from, self.from + self.words),
            heads.view().rows(first, first + self.words + 1),
        )
    }
}

/// The sentences that have words.
fn blocks(spans: &[usize]) -> impl Iterator<Item = Block> {
    let mut start = 0;
    each(spans).enumerate().map(move |(sentence, (from, to))| {
        let block = Block { sentence, from, words: to - from, start };
        start = block.end();
        block
    })
}

#[cfg(test)]
mod tests {
    use crate::ops::{check::check, spans};

    #[test]
    fn scores_of_heads() {
        check(&[(5, 3), (8, 3)], |tape, x| tape.head_scores(&x[0], &x[1], &spans([2, 0, 3])));
    }
}
