//! Trees, dialects and graphs.
