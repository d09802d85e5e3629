//! Compiling the rules of a class into the program that the dense engine runs.
//!
//! 1. *Trim* (`Rules::trim`): drop kinds that no complete structure contains.
//! 2. *Merge* ([`merge`](tracebank_chart::merge)): kinds that no context can tell apart become one class.
//! 3. *Factor* ([`factor`](mod@factor)): each rule table becomes a short list of products of sets of classes.
//! 4. Three-item combinations are cut in two. `[ab.c] [bc] [cd]` hides `b` in its first two items, so those make an
//!    auxiliary item of their own over two vertices; in `[ab.c] [bc] [cd.b]` the first two items make an auxiliary item
//!    over three. No combination then joins more than two things at a time.
//!
//! The result is a [`Program`]: for each step of the engine a sparse bilinear map ([`terms`]) between arrays. Everything
//! the engine does, inside and outside, is an application of these maps.

mod array;
mod build;
pub mod factor;
mod program;
pub mod terms;

pub use array::Array;
pub use program::{Finish, Program};
