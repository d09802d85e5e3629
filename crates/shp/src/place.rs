//! Places of null elements among the children of their phrase.

use tracebank_syntax::tree::{NodeId, Tree};

use super::sprout::Sprouts;

/// Puts every null into its phrase. The text does not tell where; these are the authors' guesses.
pub(super) fn place_nulls(tree: &mut Tree, sprouts: &Sprouts<'_>) {
    for &(phrase, null) in &sprouts.nulls {
        let next = tree.children(phrase).nth(slot(tree, phrase, null));
        tree.insert_before(phrase, next, null);
    }
}

/// How many children of `phrase` stand before `null`.
fn slot(tree: &Tree, phrase: NodeId, null: NodeId) -> usize {
    let label = |node| tree.label_text(node);
    let last = tree.children(phrase).count();
    let guess = match label(null) {
        null if null.starts_with("ADVP") => last,
        null if null.starts_with("NP-SBJ") || label(phrase).starts_with("SBAR") => 0,
        _ => beside_the_verb(tree.children(phrase).map(label)).unwrap_or(last),
    };
    match tree.children(phrase).nth(guess).map(label) {
        Some(next) if next.starts_with("-L") || [",", "LST", "``"].contains(&next) => guess + 1,
        _ => guess,
    }
}

/// Before the first verb phrase, or one further than behind a list mark if that comes first; without either, behind the last verb.
fn beside_the_verb<'a>(labels: impl Iterator<Item = &'a str>) -> Option<usize> {
    let mut behind_verb = None;
    for (place, label) in labels.enumerate() {
        match label {
            _ if label.starts_with("VB") => behind_verb = Some(place + 1),
            _ if label.starts_with("LST") => return Some(place + 2),
            _ if label.starts_with("VP") => return Some(place),
            _ => {}
        }
    }
    behind_verb
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    /// A case is the spine of the first word, whose last label is that of the phrase; the first word and one that hangs from the phrase,
    /// each with its tag; and the phrase.
    #[test]
    fn nulls_stand_where_the_authors_guess() {
        let cases = [
            // ADVP last; NP-SBJ first; all first in an SBAR, whatever follows the category
            ("(ADVP_(*T*))_VP", "a VBZ", "b NP", "(VP (VBZ a) (NP b) (ADVP (-NONE- *T*)))"),
            ("(NP-SBJ_(*))_S", "a X", "b VP", "(S (NP-SBJ (-NONE- *)) (X a) (VP b))"),
            ("(0)_SBARQ", "a X", "b S", "(SBARQ (-NONE- 0) (X a) (S b))"),
            // behind the verb, before the verb phrase, last
            ("(NP_(*))_VP", "a VBN", "b PP", "(VP (VBN a) (NP (-NONE- *)) (PP b))"),
            ("(NP_(*))_S", "a X", "b VP-TPC", "(S (X a) (NP (-NONE- *)) (VP-TPC b))"),
            ("(NP_(*))_PP", "a IN", "b RB", "(PP (IN a) (RB b) (NP (-NONE- *)))"),
            // behind the last verb, but before the first verb phrase
            ("(NP_(*))_VP", "a VB", "b VB", "(VP (VB a) (VB b) (NP (-NONE- *)))"),
            ("(NP_(*))_VP", "a VP", "b VB", "(VP (NP (-NONE- *)) (VP a) (VB b))"),
            // one child further than behind a list mark
            ("(NP_(*))_S", "a LST", "b X", "(S (LST a) (X b) (NP (-NONE- *)))"),
            // never before an opening bracket, a comma or a quotation mark
            ("(NP-SBJ_(*))_S", "-LRB- -LRB-", "b VP", "(S (-LRB- -LRB-) (NP-SBJ (-NONE- *)) (VP b))"),
            ("(0)_SBAR", "`` ``", "b S", "(SBAR (`` ``) (-NONE- 0) (S b))"),
            ("(NP_(*))_VP", "a VB", ", ,", "(VP (VB a) (, ,) (NP (-NONE- *)))"),
            // in the order of the spine
            ("(0)_(*U*)_PP", "a IN", "b NP", "(PP (IN a) (NP b) (-NONE- 0) (-NONE- *U*))"),
        ];
        for (spine, first, second, wanted) in cases {
            let phrase = spine.rsplit('_').next().unwrap();
            let text = format!("1 {first} {spine} 0 ROOT_0\n2 {second} _ 1 {phrase}_0\n");
            let tree = Reader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(tree.to_string(), format!("(ROOT {wanted})"));
        }
    }
}
