//! Numbers and pictures of trees.
