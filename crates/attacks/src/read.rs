//! Any bytes can be read, and what was read as trees is written and read again as the same trees.

use tracebank_syntax::dialect::DIALECTS;
use tracebank_syntax::graph::{self, text};
use tracebank_syntax::penn::Reader;
use tracebank_syntax::tree::Tree;

/// One attack. Panics where a promise does not hold.
pub fn attack(bytes: &[u8]) {
    for tree in Reader::new(bytes).flatten() {
        assert_eq!(tree.to_string().parse::<Tree>().as_ref(), Ok(&tree));
        assert_eq!(format!("{tree:#}").parse::<Tree>().as_ref(), Ok(&tree));
        for dialect in &DIALECTS {
            let mut normalised = tree.clone();
            dialect.normalise(&mut normalised);
            assert!(
                dialect.name == "helsinki" || dialect.name == "keyaki" || tree.words().eq(normalised.words())
            );
        }
    }
    for graph in text::Reader::new(bytes).flatten() {
        let _ = graph::decode(&graph);
    }
}
