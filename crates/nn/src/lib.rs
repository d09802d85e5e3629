#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::float_cmp, reason = "some results are exact"))]

#[cfg(target_arch = "x86_64")]
mod amx;
mod approximate;
#[cfg(feature = "train")]
mod bf16;
mod buffer;
pub mod gradients;
pub mod int8;
pub mod layer;
pub mod matrix;
pub mod ops;
#[cfg(feature = "train")]
pub mod optimiser;
pub mod params;
pub mod product;
pub mod random;
#[cfg(feature = "train")]
pub mod shards;
pub mod tape;
mod vector;
