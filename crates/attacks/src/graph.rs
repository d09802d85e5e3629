//! Every tree that can be read survives the graph and its text form, whatever the head rules and the targets of its edges.

use std::sync::LazyLock;

use tracebank_syntax::class::{Class, Structure, thin};
use tracebank_syntax::graph::{self, Orientation, Targets, text};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::Reader;

static TABLES: LazyLock<[(HeadTable, Targets); 3]> = LazyLock::new(|| {
    let pairs = [("collins", Targets::Referent), ("authors", Targets::Parent), ("penn", Targets::Common)];
    pairs.map(|(name, targets)| (HeadTable::named(name).unwrap(), targets))
});

/// One attack. Panics where a promise does not hold.
pub fn attack(bytes: &[u8]) {
    for tree in Reader::new(bytes).flatten() {
        let mut wanted = tree.clone();
        wanted.renumber();
        for (table, targets) in &*TABLES {
            let graph = graph::encode(&tree, table, *targets);
            assert_eq!(graph::decode(&graph).as_ref(), Ok(&wanted));
            let written = text::write(&graph);
            assert_eq!(text::Reader::new(written.as_bytes()).next(), Some(Ok(graph.clone())));
            let arcs = graph.arcs(Orientation::AcyclicByTree);
            if arcs.len() < 30 {
                let kept = thin(&arcs, Structure::OneEndpointCrossing).kept;
                assert!(Class::of(&kept).is(Structure::OneEndpointCrossing));
            }
        }
    }
}
