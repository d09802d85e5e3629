//! Trees survive: brackets are written as they were read, and every tree comes back from its graph.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use tracebank_syntax::graph::{self, Targets};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::tree::Tree;

fn treebank_files() -> Vec<PathBuf> {
    let entries = tracebank_testdata::treebanks().read_dir().unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "gz"));
    files.sort();
    assert!(!files.is_empty());
    files
}

fn head_table(file: &Path) -> HeadTable {
    let name = file.file_name().unwrap().to_string_lossy();
    let table = match () {
        () if name.starts_with("keyaki") => "keyaki",
        () if name.contains("pahc") => "helsinki",
        () => "penn",
    };
    HeadTable::named(table).unwrap()
}

/// Does `check` for every file, on all cores: the largest treebanks take a while.
fn for_each_file(check: impl Fn(&Path) + Sync) {
    let files = treebank_files();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(file);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

#[test]
#[ignore = "needs TREEBANKS"]
fn every_line_is_written_as_it_was_read() {
    for_each_file(|file| {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut Input::open(file).unwrap().stream, &mut text).unwrap();
        let mut written = Vec::with_capacity(text.len());
        for tree in Reader::new(&text[..]) {
            std::io::Write::write_all(&mut written, format!("{}\n", tree.unwrap()).as_bytes()).unwrap();
        }
        assert!(text == written, "{}", file.display());
    });
}

#[test]
#[ignore = "needs TREEBANKS"]
fn every_tree_survives_the_graph() {
    for_each_file(|file| {
        let table = head_table(file);
        let mut trees = 0;
        for tree in Reader::new(Input::open(file).unwrap().stream) {
            let mut tree: Tree = tree.unwrap();
            for targets in [Targets::Referent, Targets::Parent, Targets::Common] {
                let graph = graph::encode(&tree, &table, targets);
                let back = graph::decode(&graph)
                    .unwrap_or_else(|error| panic!("{}: {error}: {tree}", file.display()));
                tree.renumber();
                let written = graph::text::write(&graph);
                let read = graph::text::Reader::new(written.as_bytes()).next();
                assert!(read == Some(Ok(graph)), "{}\n{tree}\n{written}", file.display());
                assert!(back == tree, "{}\n{tree}\n{back}", file.display());
            }
            trees += 1;
        }
        assert!(trees > 0, "{} has no trees", file.display());
    });
}
