//! Every way to search a file gives the hits of the definition: brackets, an index, counts alone or with all that is shown.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tracebank_search::testing::{
    Choices, DESCRIPTIONS, Dialect as Language, OURS, TREGEX, bytes, pattern, tree,
};
use tracebank_search::{Answer, Asked, Index, IndexError, Lexicon, Pattern, Searcher, View, naive, search};
use tracebank_syntax::dialect::Dialect;
use tracebank_syntax::heads::HeadTable;
use tracebank_syntax::tree::Tree;

/// Descriptions of which some rule labels out by their first byte and length, so that readers leave them out.
const PLAIN: &[&str] = &["NP", "@NP", "VP|S", "/^NP/", "N", "a|b", "@SBAR|WHNP", "-NONE-", "VB"];

/// The hits in each tree by the definition: nodes that the first node matches, and assignments.
fn wanted(pattern: &Pattern, trees: &[Tree], heads: &HeadTable) -> Vec<(Vec<u32>, usize)> {
    let hits = |tree: &Tree| {
        let mut lexicon = Lexicon::default();
        let mut view = View::of(tree, Some(heads), &mut lexicon);
        view.find_roles(tree);
        view.find_references(&lexicon);
        let all = naive::assignments(pattern, &view, &lexicon);
        let mut nodes: Vec<u32> = all.iter().map(|(node, _)| *node).collect();
        nodes.dedup();
        (nodes, all.len())
    };
    trees.iter().map(hits).collect()
}

/// The answers of a search, joined: counts, and the nodes that were shown, tree by tree.
#[derive(Default, PartialEq, Eq, Debug)]
struct Joined {
    count: usize,
    shown: Vec<(usize, Vec<u32>)>,
}

impl Joined {
    fn add(&mut self, answer: Answer) {
        self.count += answer.counts.iter().sum::<usize>();
        let found = answer.found.into_iter().map(Result::unwrap);
        let nodes = found.map(|found| (found.number, found.hits.iter().map(|hit| hit.node.number).collect()));
        self.shown.extend(nodes);
    }
}

fn both_ways(pattern: &Arc<Pattern>, asked: Asked, text: &str, file: &Path) -> [Joined; 2] {
    let dialect = Dialect::named("penn").unwrap();
    let searcher = Searcher::new(&[Arc::clone(pattern)], dialect, None, asked);
    let mut ways = [Joined::default(), Joined::default()];
    search(text.as_bytes(), &searcher, |answer| -> io::Result<()> {
        ways[0].add(answer);
        Ok(())
    })
    .unwrap();
    let index = Index::open(file).unwrap().unwrap();
    index
        .search(&searcher, |answer| -> Result<(), IndexError> {
            ways[1].add(answer);
            Ok(())
        })
        .unwrap();
    ways
}

#[test]
fn all_ways_give_the_hits_of_the_definition() {
    let heads = HeadTable::named("penn").unwrap();
    let relations: Vec<&str> = TREGEX.iter().chain(OURS).copied().collect();
    let folder = tempfile::tempdir().unwrap();
    let mut matched = 0;
    for seed in 0..24 {
        let bytes = bytes(1000 + seed, 20_000);
        let mut choices = Choices(&bytes);
        let texts: Vec<String> = (0..8).map(|_| tree(&mut choices)).collect();
        let trees: Vec<Tree> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let text = texts.join("\n");
        let file = folder.path().join(format!("{seed}.mrg"));
        std::fs::write(&file, &text).unwrap();
        Index::build(&file).unwrap();
        for round in 0..10 {
            // half of the patterns ask for nothing but labels and places
            let plain = round % 2 == 0;
            let relations = if plain { TREGEX } else { &relations };
            let descriptions = if plain { PLAIN } else { DESCRIPTIONS };
            let language = Language { relations, descriptions, name_all: round % 4 < 2 };
            let pattern = Arc::new(Pattern::parse(&pattern(&mut choices, language)).unwrap());
            let wanted = wanted(&pattern, &trees, &heads);
            let count: usize = wanted.iter().map(|(nodes, _)| nodes.len()).sum();
            let assignments: usize = wanted.iter().map(|(_, assignments)| assignments).sum();
            let with_hits = (1..).zip(&wanted).filter(|(_, (nodes, _))| !nodes.is_empty());
            let shown: Vec<_> = with_hits.map(|(number, (nodes, _))| (number, nodes.clone())).collect();
            let ask = |asked| both_ways(&pattern, asked, &text, &file);
            for way in ask(Asked { counts: true, ..Asked::default() }) {
                assert_eq!(way, Joined { count, shown: Vec::new() }, "{pattern}\n{text}");
            }
            for way in ask(Asked { counts: true, assignments: true, ..Asked::default() }) {
                assert_eq!(way, Joined { count: assignments, shown: Vec::new() }, "{pattern}\n{text}");
            }
            for way in ask(Asked { details: true, ..Asked::default() }) {
                assert_eq!(way.count, count, "{pattern}\n{text}");
                assert_eq!(way.shown, shown, "{pattern}\n{text}");
            }
            matched += usize::from(count > 0);
        }
    }
    assert!(matched > 60, "only {matched} patterns match anything");
}
