//! Learning: from what a scorer says and what is right to how the scores should change.
//!
//! ```text
//! scores, gold ── Objective ──> loss, and its gradient in every score cell
//!                                     │
//!              a linear scorer ───────┴──────── a neural scorer
//!              (gradient × features)               (back-propagation)
//! ```
//!
//! An [`Objective`](objective::Objective) sees nothing but [`SentenceScores`](crate::scores::SentenceScores) and
//! [`Gold`](crate::gold::Gold), and answers in [cells](cell::Cell). So all objectives serve all scorers.

pub mod cell;
pub mod crf;
pub mod kind;
pub mod local;
pub mod loss;
pub mod margin;
pub mod objective;
pub mod online;
pub mod random;
pub mod update;
