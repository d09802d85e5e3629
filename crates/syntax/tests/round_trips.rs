//! decode ∘ encode is the identity, on the free treebank of the repository and on random trees.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tracebank_syntax::dialect::{DIALECTS, Dialect};
use tracebank_syntax::graph::{self, Targets, text};
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::penn::{Input, Reader};
use tracebank_syntax::tree::{NodeId, Tree};

/// The trees of a free file, which is called after its dialect: `craft-sample.mrg`. Other files are in Penn's.
fn trees(path: &Path) -> Vec<Tree> {
    let name = path.file_name().unwrap().to_string_lossy();
    let released = |dialect: &&Dialect| name.starts_with(dialect.name) && !name.contains(".chains.");
    let historical = name.contains("pahc").then_some("helsinki");
    let dialect = DIALECTS.iter().find(released).or(Dialect::named(historical.unwrap_or("penn"))).unwrap();
    let read = Reader::new(Input::open(path).unwrap().stream).map(Result::unwrap);
    read.map(|mut tree| {
        dialect.normalise(&mut tree);
        tree
    })
    .collect()
}

/// Every free file of trees in the repository.
fn free_files() -> Vec<PathBuf> {
    let folder = tracebank_testdata::free("handmade.mrg").parent().unwrap().to_owned();
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "mrg"));
    files.sort();
    assert!(files.len() >= 3);
    files
}

/// Through the graph and back, through its text and back, and through both bracket forms and back.
fn assert_survives(tree: &Tree, table: &HeadTable) {
    let mut wanted = tree.clone();
    wanted.renumber();
    for targets in [Targets::Referent, Targets::Parent, Targets::Common] {
        let graph = graph::encode(tree, table, targets);
        assert_eq!(graph::decode(&graph).as_ref(), Ok(&wanted), "{tree}");
        let written = text::write(&graph);
        assert_eq!(text::Reader::new(written.as_bytes()).next(), Some(Ok(graph)), "{tree}\n{written}");
    }
    assert_eq!(tree.to_string().parse().as_ref(), Ok(tree));
    let pretty = format!("{tree:#}");
    let back: Tree = pretty.parse().unwrap();
    assert_eq!(&back, tree);
    assert_eq!(format!("{back:#}"), pretty);
}

#[test]
fn the_free_treebank_survives_under_every_head_table() {
    let all: Vec<Tree> = free_files().iter().flat_map(|path| trees(path)).collect();
    assert!(all.len() > 350);
    for name in HeadTable::NAMES {
        let table = HeadTable::named(name).unwrap();
        all.iter().for_each(|tree| assert_survives(tree, &table));
    }
}

#[test]
fn function_tags_can_be_dropped_first() {
    let table = HeadTable::named("penn").unwrap();
    for mut tree in free_files().iter().flat_map(|path| trees(path)) {
        tree.strip_functions();
        assert_survives(&tree, &table);
    }
}

/// A tree as a preorder of choices: how many children, and what each node is called.
fn random_tree() -> impl Strategy<Value = Tree> {
    let labels = ["S", "VP", "NP-SBJ", "NP-SBJ-1", "NP-2", "SBAR-1=2", "X=2-1", "NP-1-1", "PP=1", "CC"];
    let label = prop_oneof![
        prop::sample::select(labels.to_vec()).prop_map(str::to_owned),
        "[A-Z]{1,3}(-[A-Z1-3]{0,2}){0,2}(=[1-3])?"
    ];
    let tag = prop::sample::select(&["NN", "VB", "CC", ",", "NN-1", "ID-1"][..]);
    let null = prop::sample::select(&["*", "*-1", "*T*-2", "0", "*ICH*-1", "*EXP*-2", "*U*"][..]);
    let leaf = prop_oneof![
        4 => ("[a-z]{1,3}", tag).prop_map(|(word, tag)| Node::Token(tag.to_owned(), word)),
        3 => null.prop_map(|word| Node::Token("-NONE-".to_owned(), word.to_owned())),
        1 => "[a-z~#@^\\[\\]>/\\\\]{1,3}".prop_map(Node::Bare),
        1 => Just(Node::Token("SU".to_owned(), "/]".to_owned())),
    ];
    let node = leaf.prop_recursive(6, 40, 5, move |inner| {
        (label.clone(), prop::collection::vec(inner, 1..5))
            .prop_map(|(l, children)| Node::Phrase(l, children))
    });
    (prop_oneof![Just(""), Just("ROOT"), Just("S")], prop::collection::vec(node, 1..4)).prop_map(
        |(top, children)| {
            let mut tree = Tree::with_top(top);
            let root = tree.top();
            children.iter().for_each(|child| child.build(&mut tree, root));
            // what was written is what counts: a phrase of one bare word reads as a token
            tree.to_string().parse().unwrap()
        },
    )
}

#[derive(Clone, Debug)]
enum Node {
    Phrase(String, Vec<Node>),
    Token(String, String),
    Bare(String),
}

impl Node {
    fn build(&self, tree: &mut Tree, parent: NodeId) {
        match self {
            Node::Phrase(label, children) => {
                let phrase = tree.push_phrase(parent, label);
                children.iter().for_each(|child| child.build(tree, phrase));
            }
            Node::Token(tag, word) => drop(tree.push_token(parent, tag, word)),
            Node::Bare(word) => drop(tree.push_bare_word(parent, word)),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn random_trees_survive(tree in random_tree(), table in prop::sample::select(HeadTable::NAMES.to_vec())) {
        assert_survives(&tree, &HeadTable::named(table).unwrap());
    }

    #[test]
    fn craft_normalisation_keeps_the_words(tree in random_tree()) {
        let mut normalised = tree.clone();
        Dialect::named("craft").unwrap().normalise(&mut normalised);
        prop_assert!(tree.words().eq(normalised.words()));
        assert_survives(&normalised, &HeadTable::named("penn").unwrap());
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(prop_oneof![Just(b'('), Just(b')'), Just(b' '), Just(b'\n'), any::<u8>()], 0..200)) {
        let read = Reader::new(&bytes[..]).count();
        prop_assert!(read <= bytes.len());
    }

    #[test]
    fn any_graph_text_is_read_without_panic(text in "[0-3\t\n ()@#~>^/\\[\\]NP*-]{0,80}") {
        for graph in text::Reader::new(format!("0\t-\t-\t()\n{text}").as_bytes()).flatten() {
            let _ = graph::decode(&graph);
        }
    }
}
