//! Training of the network.

pub mod checkpoint;
mod epoch;
mod session;
mod start;
mod structured;
mod tasks;
mod trainer;

pub(crate) use start::Start;

pub use session::NetworkSession;
pub use structured::{Structured, StructuredRecipe};
pub use tasks::{Losses, TaskWeights};
pub use trainer::{NetworkObjective, PreparedExample, Trainer};
