//! The bits that a small network computes, as one number: the same on every machine.
//!
//!     cargo run --release -p tracebank-nn --example same_bits
//!
//! `.ci/machines` runs it on emulated machines with and without each set of instructions.

#![allow(clippy::print_stdout, reason = "this is a program")]

use tracebank_nn::int8::Int8Weights;
use tracebank_nn::layer::{Linear, Norm};
use tracebank_nn::ops::{Widths, spans};
use tracebank_nn::params::{Builder, Learning, Params};
use tracebank_nn::random::Random;
use tracebank_nn::tape::Tape;

/// Rows, inputs and outputs of linear layers: those of an encoder, and some that fill no tile and no panel.
const SHAPES: [(usize, usize, usize); 5] =
    [(1, 300, 200), (5, 384, 1152), (9, 131, 333), (70, 384, 48), (30, 1536, 384)];

fn main() {
    let mut random = Random::new(5);
    let mut bits = 0_u64;
    for (rows, inputs, outputs) in SHAPES {
        let mut params = Params::default();
        let mut builder =
            Builder { params: &mut params, random: Some(random.clone()), learning: Learning::Fresh };
        let layer = Linear::new(&mut builder, "layer", inputs, outputs);
        let norm = Norm::new(&mut builder, "norm", outputs);
        let int8 = Int8Weights::new(&params);
        let mut tape = Tape::infer(&params, Some(&int8));
        let x = tape.constant(random.normal_matrix(rows, inputs, 1.0));
        let y = layer.apply(&mut tape, &x);
        let y = if outputs % 36 == 0 {
            tape.attention(&y, 12, &spans([rows / 2, rows - rows / 2]))
        } else {
            norm.apply(&mut tape, y, None)
        };
        let y = tape.gelu(&y);
        let y = tape.log_softmax(y, Widths::Even);
        for value in y.values() {
            bits = (bits ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01b3);
        }
    }
    println!("{bits:016x}");
}
