//! The kernel for AMX: `tdpbusd` multiplies sixty-four inputs of sixteen rows by the weights of sixteen outputs and adds up, in one instruction. A panel
//! lies in memory as the instruction wants it.

use std::arch::asm;

use super::kernel::Unit;
use super::layer::{Panel, Product, Sums};
use crate::amx::Tiles;

/// Bytes of a row of a tile, and of a tile.
const LINE: usize = 64;
const TILE: usize = 16 * LINE;

/// Two tiles of rows and two of outputs: their four sums fill half of the registers, and hide how long each takes.
const ROWS: usize = 32;
const PANELS: usize = 2;
/// Quads of a row of a tile.
const QUADS: usize = 16;

/// Whole tiles.
pub(super) const UNIT: Unit = Unit { quads: QUADS, rows: ROWS };

/// Writes a product.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn run(product: &Product<'_>, out: &mut [f32]) {
    let tiles = Tiles::shaped();
    product.by_blocks(out, |first_row, panels, found| block(&tiles, product, first_row, panels, found));
}

fn block(
    _: &Tiles,
    product: &Product<'_>,
    first_row: usize,
    [left, right]: [Panel<'_>; PANELS],
    found: &mut [[Sums; PANELS]; ROWS],
) {
    let quads = left.quads.len();
    let numbers = &product.numbers[first_row * quads..][..ROWS * quads];
    assert!(quads > 0 && quads.is_multiple_of(QUADS) && right.quads.len() == quads);
    // SAFETY: `numbers` has thirty-two rows of `quads` quads, each panel has as many, and `found` has room for four tiles of sums. The
    // tiles have their shapes.
    unsafe {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "2:",
            "tileloadd tmm4, [{upper} + {step}*1]",
            "tileloadd tmm6, [{left} + {line}*1]",
            "tdpbusd tmm0, tmm4, tmm6",
            "tileloadd tmm5, [{lower} + {step}*1]",
            "tdpbusd tmm2, tmm5, tmm6",
            "tileloadd tmm7, [{right} + {line}*1]",
            "tdpbusd tmm1, tmm4, tmm7",
            "tdpbusd tmm3, tmm5, tmm7",
            "add {upper}, {line}",
            "add {lower}, {line}",
            "add {left}, {tile}",
            "add {right}, {tile}",
            "dec {depth}",
            "jnz 2b",
            "lea {line}, [{line} + {line}]",
            "tilestored [{found} + {line}*1], tmm0",
            "tilestored [{found} + {line}*1 + 64], tmm1",
            "tilestored [{found} + {line}*1 + 2048], tmm2",
            "tilestored [{found} + {line}*1 + 2112], tmm3",
            upper = inout(reg) numbers.as_ptr() => _,
            lower = inout(reg) numbers[ROWS / 2 * quads..].as_ptr() => _,
            left = inout(reg) left.quads.as_ptr() => _,
            right = inout(reg) right.quads.as_ptr() => _,
            depth = inout(reg) quads / QUADS => _,
            line = inout(reg) LINE => _,
            tile = const TILE,
            step = in(reg) 4 * quads,
            found = in(reg) found.as_mut_ptr(),
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
}
