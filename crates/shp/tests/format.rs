//! The authors' format on the free trees of the repository, on very deep trees and on garbage.

mod support;

use proptest::prelude::*;
use support::{VARIANTS, assert_written_or_refused, read, trees, written};
use tracebank_shp::{self as shp, Style};
use tracebank_syntax::tree::Tree;

#[test]
fn every_free_tree_is_written_and_read_or_refused_with_a_reason() {
    for file in tracebank_testdata::free("handmade.mrg").parent().unwrap().read_dir().unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "mrg") {
            trees(&path).iter().for_each(assert_written_or_refused);
        }
    }
}

#[test]
fn depth_is_no_danger() {
    let deep = 100_000;
    let tree: Tree = format!("{}(NN a){}", "(NP-SBJ ".repeat(deep), ")".repeat(deep)).parse().unwrap();
    for (_, style) in VARIANTS {
        let back = read(&written(&tree, style)).unwrap();
        let mut wanted = format!("(ROOT {tree})").parse::<Tree>().unwrap();
        if !style.functions {
            wanted.strip_functions();
        }
        assert!(back == wanted);
    }
}

fn spine() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["_", "NP", "VP_S", "(NP_(*))_VP_S", "(0)_(S_(NP_(*T*)))_S_S", "NP_(*)", "(S"])
}

fn node() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["NP_0", "S_0", "S_1", "VP_0", "X_0", "ROOT_0", "NP"])
}

prop_compose! {
    fn line(number: usize)(
        spine in spine(),
        parent in 0..5_usize,
        node in node(),
        trace in prop::option::of((0..5_usize, self::node(), self::node(), any::<[bool; 2]>(), "[*=]")),
    ) -> String {
        let flag = |is_null| if is_null { "T" } else { "F" };
        let trace = trace.map_or(String::new(), |(word, target, own, [a, b], kind)| {
            format!(" {word} {target} {} {own} {} {kind}", flag(a), flag(b))
        });
        format!("{number} w{number} X {spine} {parent} {node}{trace}\n")
    }
}

proptest! {
    #[test]
    fn garbage_is_no_danger(text in "[0-9 \n_()*#=TFNPSÀ-]{0,80}") {
        for tree in shp::Reader::new(text.as_bytes()) {
            let _ = tree.map(|tree| shp::write(&tree, &Style::default()));
        }
    }

    #[test]
    fn a_graph_that_is_nearly_right_is_read_whole_or_refused(
        lines in (line(1), line(2), line(3), line(4)),
    ) {
        let text = [lines.0, lines.1, lines.2, lines.3].concat();
        if let Ok(tree) = read(&text) {
            prop_assert!(tree.words().eq(["w1", "w2", "w3", "w4"]));
            prop_assert_eq!(tree.to_string().parse::<Tree>().unwrap(), tree);
        }
    }
}
