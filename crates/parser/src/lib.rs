//! From sentences to trees with traces.

pub mod decode;
pub mod gold;
pub mod inventory;
pub mod scores;
