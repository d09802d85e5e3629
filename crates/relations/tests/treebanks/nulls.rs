//! Every null of the gold trees is in a relation, or has a reason why not.

use std::collections::BTreeMap;

use tracebank_relations::nulls;
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::penn::{Input, Reader};

/// Files, their dialects, and the least share of their indexed nulls that is in a relation.
const FILES: [(&str, &str, f64); 4] = [
    ("wsj-dev.mrg.gz", "penn", 0.99),
    ("masc-dev.mrg.gz", "masc", 0.95),
    ("genia-dev.mrg.gz", "genia", 0.79),
    ("craft-dev.released.mrg.gz", "craft", 0.90),
];

#[test]
#[ignore = "needs TREEBANKS"]
fn every_indexed_null_is_in_a_relation_or_has_a_reason() {
    for (file, dialect, floor) in FILES {
        let path = tracebank_testdata::treebank(file);
        let (mut inside, mut all) = (0, 0);
        let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
        for tree in Reader::new(Input::open(&path).unwrap().stream) {
            let mut tree = tree.unwrap();
            Dialect::named(dialect).unwrap().normalise(&mut tree);
            for null in nulls(&tree) {
                // Phrases that fill gaps are no null elements.
                let Some(element) = tree.null_element(null.node) else { continue };
                if element.index.is_none() {
                    continue;
                }
                all += 1;
                if null.argument.is_some() {
                    inside += 1;
                } else {
                    let reason = null.reason.expect("what is in no relation has a reason");
                    *reasons.entry(format!("{} {reason}", element.kind)).or_default() += 1;
                }
            }
        }
        println!("{file}: {inside} of {all} indexed nulls in a relation");
        for (reason, count) in &reasons {
            println!("  {count:5} {reason}");
        }
        assert!(f64::from(inside) >= floor * f64::from(all), "{file}");
    }
}
