//! Marks on the nodes in which two trees differ.

use tracebank_syntax::tree::{NodeId, Tree};

use crate::evalb;
use crate::evaluation::Options;
use crate::nulls::authors::{self, Strictness};

/// The nodes of a tree that the other tree does not have.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NodeMarks(Vec<bool>);

impl NodeMarks {
    /// Whether `node` is marked.
    pub fn is_wrong(&self, node: NodeId) -> bool {
        self.0.get(node.index()).copied().unwrap_or(false)
    }

    /// The marks on these nodes of `tree`.
    pub fn on(tree: &Tree, nodes: impl IntoIterator<Item = NodeId>) -> NodeMarks {
        let mut marks = NodeMarks::of(tree);
        nodes.into_iter().for_each(|node| marks.mark(node));
        marks
    }

    fn of(tree: &Tree) -> NodeMarks {
        NodeMarks(vec![false; tree.arena_len()])
    }

    fn mark(&mut self, node: NodeId) {
        self.0[node.index()] = true;
    }
}

/// The differences of two trees: brackets as `evalb` counts them, null elements and gaps as the authors' scorer does with
/// co-indexation, and tags.
///
/// ```
/// use tracebank_report::{draw::Marks, evaluation::Options};
/// use tracebank_syntax::tree::Tree;
/// let gold: Tree = "( (S (NP (N we)) (VP (V go) (NP (-NONE- *)))))".parse()?;
/// let guess: Tree = "( (S (NP (N we)) (XP (V go))))".parse()?;
/// let marks = Marks::between(&gold, &guess, &Options::default());
/// let wrong: Vec<_> = gold.preorder(gold.top()).filter(|&node| marks.gold.is_wrong(node)).map(|n| gold.label_text(n)).collect();
/// assert_eq!(wrong, ["VP", "-NONE-"]);
/// # Ok::<(), tracebank_syntax::penn::SyntaxError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Marks {
    /// Nodes that the guess misses.
    pub gold: NodeMarks,
    /// Nodes that the guess has too much.
    pub test: NodeMarks,
}

impl Marks {
    /// Compares two trees. If their words differ, there is nothing to compare and nothing is marked.
    pub fn between(gold: &Tree, guess: &Tree, options: &Options) -> Marks {
        let mut marks = Marks { gold: NodeMarks::of(gold), test: NodeMarks::of(guess) };
        if !gold.words().eq(guess.words()) {
            return marks;
        }
        if let Ok(comparison) = evalb::compare(gold, guess, &options.evalb) {
            let wrong = |brackets: &[evalb::Bracket], marks: &mut NodeMarks| {
                brackets
                    .iter()
                    .filter(|bracket| !bracket.matched)
                    .for_each(|bracket| marks.mark(bracket.node));
            };
            wrong(&comparison.gold, &mut marks.gold);
            wrong(&comparison.test, &mut marks.test);
        }
        let nulls = authors::compare(gold, guess, Strictness::Coindex, &options.nulls);
        nulls.gold.iter().filter(|found| !found.matched).for_each(|found| marks.gold.mark(found.node));
        nulls.test.iter().filter(|found| !found.matched).for_each(|found| marks.test.mark(found.node));
        for (mine, theirs) in gold.word_nodes().zip(guess.word_nodes()) {
            if !options.evalb.same_label(gold.label_text(mine), guess.label_text(theirs)) {
                marks.gold.mark(mine);
                marks.test.mark(theirs);
            }
        }
        marks
    }
}
