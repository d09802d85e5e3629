//! Unit marks: `$ 5` is read "five dollars", so the Penn Treebank puts a null, `*U*`, where the unit is spoken.
//!
//! Treebanks of today leave most of them out, and where they go is no matter of judgement, so a rule puts them in: at the end of the
//! lowest phrase above a currency sign that is no `QP`, and above a range that names its unit twice (`10 cents to 15 cents`).

use std::collections::BTreeSet;

use tracebank_syntax::tree::{Kind, NodeId, Tree};

/// The null element of a unit.
pub(crate) const UNIT: &str = "*U*";

/// The tags of currency signs.
pub(crate) const CURRENCIES: [&str; 2] = ["$", "#"];

/// The phrases that should end in a unit mark and have none, from left to right.
pub(crate) fn unmarked(tree: &Tree) -> Vec<NodeId> {
    let mut seen = BTreeSet::new();
    let quantities = tree.preorder(tree.top()).filter(|&node| is_sum(tree, node) || is_range(tree, node));
    let hosts = quantities.filter_map(|node| host(tree, node));
    hosts.filter(|&host| !is_marked(tree, host) && seen.insert(host)).collect()
}

/// The lowest phrase above `node` that is no `QP`.
fn host(tree: &Tree, node: NodeId) -> Option<NodeId> {
    tree.ancestors(node)
        .find(|&above| tree.label(above).category() != "QP")
        .filter(|&host| host != tree.top())
}

/// A currency sign with something behind it.
fn is_sum(tree: &Tree, node: NodeId) -> bool {
    tree.kind(node) == Kind::Token
        && CURRENCIES.contains(&tree.label_text(node))
        && tree.next_sibling(node).is_some()
}

/// A `QP` with two numbers that have a noun each.
fn is_range(tree: &Tree, node: NodeId) -> bool {
    let is = |node: NodeId, tag: &str| tree.label(node).category() == tag;
    let counted = |child: &NodeId| {
        is(*child, "CD") && tree.next_sibling(*child).is_some_and(|next| is(next, "NN") || is(next, "NNS"))
    };
    is(node, "QP") && tree.children(node).filter(counted).count() > 1
}

fn is_marked(tree: &Tree, phrase: NodeId) -> bool {
    tree.children(phrase).any(|child| tree.null_element(child).is_some_and(|null| null.kind == UNIT))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tracebank_syntax::penn::{Input, Reader};

    use super::*;

    fn marked(text: &str) -> String {
        let mut tree: Tree = text.parse().unwrap();
        put_in(&mut tree);
        tree.to_string()
    }

    fn put_in(tree: &mut Tree) {
        for host in unmarked(tree) {
            let mark = tree.new_token("-NONE-", UNIT);
            tree.append(host, mark);
        }
    }

    #[test]
    fn sums_of_each_shape_get_their_mark() {
        for tree in [
            "(S (NP ($ $) (CD 5) (-NONE- *U*)))",
            "(S (NP (QP ($ $) (CD 1.5) (CD billion)) (-NONE- *U*)))",
            "(S (NP (DT a) (ADJP ($ US$) (CD 5) (-NONE- *U*)) (NN bill)))",
            "(S (NP (QP (IN between) ($ C$) (CD 3) (CC and) ($ C$) (CD 4)) (-NONE- *U*)))",
            "(S (NP (QP (CD 10) (NNS cents) (TO to) (CD 15) (NNS cents)) (-NONE- *U*)))",
            "(S (NP (DT the) ($ $) (QP (CD 5) (CD million)) (-NONE- *U*)))",
            "(S (NP (CD 5) (NN %)) (NP (DT the) ($ $)))",
        ] {
            assert_eq!(marked(tree), tree, "one is there already");
            assert_eq!(marked(&tree.replace(" (-NONE- *U*)", "")), tree);
        }
    }

    /// The WSJ sample is not open: it is read where it lies, if it is there.
    #[test]
    fn marks_taken_out_come_back() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/treebanks/wsj-train.mrg.gz");
        let Ok(input) = Input::open(&path) else { return };
        let (mut right, mut gold, mut guess) = (0, 0, 0);
        for tree in Reader::new(input.stream).flatten() {
            let mut bare = tree.clone();
            bare.prune_leaves(|tree, leaf| tree.word(leaf) == Some(UNIT));
            put_in(&mut bare);
            let [wanted, found] = [&tree, &bare].map(places);
            right += wanted.intersection(&found).count();
            gold += wanted.len();
            guess += found.len();
        }
        let (precision, recall) =
            (f64::from(right as u32) / guess as f64, f64::from(right as u32) / gold as f64);
        assert!(precision >= 0.98 && recall >= 0.98, "{right} right of {guess} put in and {gold} wanted");
    }

    /// Each mark as how many leaves are before it and how many phrases above.
    fn places(tree: &Tree) -> BTreeSet<(usize, usize)> {
        let leaves = tree.leaves(tree.top()).enumerate();
        let marks = leaves.filter(|&(_, leaf)| tree.word(leaf) == Some(UNIT));
        marks.map(|(at, leaf)| (at, tree.ancestors(leaf).count())).collect()
    }
}
