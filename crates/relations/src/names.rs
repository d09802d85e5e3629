//! Heads of names whose words stand flat: *Mary Smith*, *Washington, D.C.*

use std::collections::BTreeSet;
use std::sync::LazyLock;

use tracebank_syntax::tree::NodeId;

use crate::scene::Scene;

/// Given names, by which a personal name is told from a compound: *Mary Smith* and not *Apple Inc.*
static GIVEN_NAMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    include_str!("../data/given-names.txt").lines().filter(|line| !line.starts_with('#')).collect()
});

/// The name before what says where it is: *Washington* in `(NP (NNP Washington) (, ,) (NNP D.C.))`.
pub(crate) fn placed(scene: &Scene<'_>, children: &[NodeId]) -> Option<NodeId> {
    let is_name = |node: NodeId| scene.is_token(node) && scene.is(node, &["NNP"]);
    match *children {
        [.., name, comma, place] if scene.is(comma, &[","]) && is_name(name) && is_name(place) => {
            children.iter().all(|&child| child == comma || is_name(child)).then_some(name)
        }
        _ => None,
    }
}

/// The given name in `(NP (NNP Mary) (NNP Smith))`.
pub(crate) fn personal(scene: &Scene<'_>, children: &[NodeId], head: NodeId) -> Option<NodeId> {
    if !scene.is(head, &["NNP"]) {
        return None;
    }
    let at = children.iter().position(|&child| child == head)?;
    let names = children[..=at].iter().rev().take_while(|&&child| scene.is(child, &["NNP"])).count();
    let run = &children[at + 1 - names..=at];
    let word = |node: NodeId| scene.tree.word(node).unwrap_or_default();
    let given = run.iter().position(|&child| GIVEN_NAMES.contains(plain(word(child)).as_str()));
    let initial = run.iter().skip(1).position(|&child| word(child).len() == 2 && word(child).ends_with('.'));
    given.or(initial).filter(|&first| first + 1 < run.len() && run.len() - first <= 4).map(|first| run[first])
}

/// A name without accents: *António* as *Antonio*.
fn plain(name: &str) -> String {
    const ACCENTED: [(&str, char); 9] = [
        ("áàâäãå", 'a'),
        ("ÁÀÂÄÃÅ", 'A'),
        ("çćč", 'c'),
        ("éèêëě", 'e'),
        ("ÉÈÊË", 'E'),
        ("íìîï", 'i'),
        ("ñń", 'n'),
        ("óòôöõø", 'o'),
        ("úùûü", 'u'),
    ];
    let bare = |letter: char| {
        ACCENTED.iter().find(|(letters, _)| letters.contains(letter)).map_or(letter, |(_, bare)| *bare)
    };
    name.chars().map(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracebank_syntax::tree::Tree;

    #[test]
    fn names_have_their_heads() {
        for (names, wanted) in [
            ("(NNP Mary) (NNP Smith)", "Mary"),
            ("(NNP António) (NNP Guterres)", "António"),
            ("(NNP Apple) (NNP Inc.)", "Inc."),
            ("(NNP Washington) (, ,) (NNP D.C.)", "Washington"),
            ("(NNP New) (NNP York) (, ,) (NNP N.Y.)", "York"),
            ("(NNP Russia) (, ,) (NNP India) (CC and) (NNP China)", "Russia"),
        ] {
            let tree: Tree = format!("( (NP {names}))").parse().unwrap();
            let scene = Scene::of(&tree);
            let head = scene.head(tree.top()).and_then(|head| tree.word(head));
            assert_eq!(head, Some(wanted), "{names}");
        }
    }
}
