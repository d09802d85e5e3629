//! Self-attention with several heads over a ragged batch.
//!
//! A row of the input is the query, the key and the value of one word piece, side by side, each `heads` times as wide
//! as one head. Pieces look at those of their own sentence only, so each sentence and head is a few small products.
//! The probabilities are kept for the way back: to compute them again would cost more than to read them.

use std::rc::Rc;

use crate::matrix::{Matrix, Write};
use crate::ops::{Spans, each};
use crate::product::Multiply;
use crate::tape::{Tape, Var};
use crate::vector;

impl Tape<'_> {
    /// Attends within each sentence: `[rows, 3 * width]` to `[rows, width]`.
    pub fn attention(&mut self, qkv: &Var, heads: usize, spans: &Spans) -> Var {
        let (rows, width) = (qkv.rows(), qkv.cols() / 3);
        let shape = Shape { width, head: width / heads };
        let (wanted, multiply) = (self.wants(&[qkv], &[]), self.multiply());
        let mut value = Matrix::stale(rows, width);
        let mut kept = Vec::new();
        for (from, to) in each(spans) {
            let qkv = qkv.view().rows(from, to);
            for head in 0..heads {
                let mut scores = Matrix::stale(to - from, to - from);
                let [q, k, v] = shape.columns(head);
                let keys = qkv.cols(k.0, k.1).t();
                multiply(scores.view_mut(), Write::Over, shape.factor(), qkv.cols(q.0, q.1), keys);
                for row in 0..to - from {
                    vector::softmax(scores.row_mut(row));
                }
                let out = value.view_mut().rows(from, to).cols(q.0, q.1);
                multiply(out, Write::Over, 1.0, scores.view(), qkv.cols(v.0, v.1));
                if wanted {
                    kept.push(scores);
                }
            }
        }
        let (node, qkv, spans) = (qkv.node(), qkv.share(), Spans::clone(spans));
        self.push(value, wanted, move |gradient, sink| {
            sink.add(node, backward(&gradient, &qkv, &kept, heads, &spans, &shape, multiply));
        })
    }
}

struct Shape {
    width: usize,
    head: usize,
}

impl Shape {
    /// The columns of a head's query, key and value.
    fn columns(&self, head: usize) -> [(usize, usize); 3] {
        [0, 1, 2].map(|part| {
            let from = part * self.width + head * self.head;
            (from, from + self.head)
        })
    }

    fn factor(&self) -> f32 {
        1.0 / (self.head as f32).sqrt()
    }
}

fn backward(
    gradient: &Matrix,
    qkv: &Rc<Matrix>,
    kept: &[Matrix],
    heads: usize,
    spans: &Spans,
    shape: &Shape,
    multiply: Multiply,
) -> Matrix {
    let mut result = Matrix::stale(qkv.rows(), qkv.cols());
    for (sentence, (from, to)) in each(spans).enumerate() {
        let qkv = qkv.view().rows(from, to);
        let mut at_scores = Matrix::stale(to - from, to - from);
        for head in 0..heads {
            let probabilities = &kept[sentence * heads + head];
            let [q, k, v] = shape.columns(head);
            let gradient = gradient.view().rows(from, to).cols(q.0, q.1);
            let mut write = |columns: (usize, usize), left, right| {
                let out = result.view_mut().rows(from, to).cols(columns.0, columns.1);
                multiply(out, Write::Over, 1.0, left, right);
            };
            write(v, probabilities.view().t(), gradient);
            multiply(at_scores.view_mut(), Write::Over, 1.0, gradient, qkv.cols(v.0, v.1).t());
            for row in 0..to - from {
                vector::softmax_backward(at_scores.row_mut(row), probabilities.row(row), shape.factor());
            }
            write(q, at_scores.view(), qkv.cols(k.0, k.1));
            write(k, at_scores.view().t(), qkv.cols(q.0, q.1));
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use crate::ops::{check::check, spans};

    #[test]
    fn attention() {
        check(&[(6, 12)], |tape, x| tape.attention(&x[0], 2, &spans([2, 1, 3])));
    }
}
