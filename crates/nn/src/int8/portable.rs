//! The kernel for any machine, and the twin that the others are tested against.

use super::layer::{PANEL, Panel, Product, Sums};

/// Writes a product.
pub(super) fn run(product: &Product<'_>, out: &mut [f32]) {
    product.by_tiles(out, |[numbers], [panel], [[sums]]| tile(numbers, panel, sums));
}

fn tile(numbers: &[[u8; 4]], panel: Panel<'_>, sums: &mut Sums) {
    *sums = [0; PANEL];
    for (numbers, quad) in numbers.iter().zip(panel.quads) {
        let numbers = numbers.map(i32::from);
        for (sum, weights) in sums.iter_mut().zip(&quad.0) {
            for (number, &weight) in numbers.iter().zip(weights) {
                *sum = sum.wrapping_add(number * i32::from(weight));
            }
        }
    }
}
