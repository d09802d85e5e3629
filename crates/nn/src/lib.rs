#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::float_cmp, reason = "some results are exact"))]

mod approximate;
mod buffer;
pub mod gradients;
pub mod int8;
pub mod layer;
pub mod matrix;
pub mod ops;
#[cfg(feature = "train")]
pub mod optimiser;
pub mod params;
mod product;
pub mod random;
#[cfg(feature = "train")]
pub mod shards;
pub mod tape;
mod vector;
