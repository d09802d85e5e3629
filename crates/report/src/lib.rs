//! Gold and guess in, numbers and pictures out.
//!
//! * [`evalb`]: brackets, as the program of that name counts them;
//! * [`nulls`]: null elements and traces, after Johnson (2002), by two definitions;
//! * [`score`]: counts, precision, recall and F1.

pub mod evalb;
pub mod nulls;
pub mod score;
