//! Lists of verbs, from `data/verbs.txt`.

const LISTS: &str = include_str!("../../../data/verbs.txt");

/// Whether a word is a verb with which asides tell whose words a clause has.
pub(super) fn is_saying(form: &str) -> bool {
    is_listed("saying", form)
}

/// Whether a word is a verb of rising or falling.
pub(super) fn is_change(form: &str) -> bool {
    is_listed("change", form)
}

/// Whether a word is a form of *be*.
pub(super) fn is_be(form: &str) -> bool {
    is_listed("be", form)
}

fn is_listed(list: &str, form: &str) -> bool {
    let lists = LISTS.lines().map(str::split_whitespace);
    lists.into_iter().any(|mut verbs| verbs.next() == Some(list) && verbs.any(|verb| verb == form))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_its_own_verbs() {
        assert!(is_saying("said") && is_change("rose") && is_be("was"));
        assert!(!is_saying("rose") && !is_change("said") && !is_change("change") && !is_be("had"));
    }
}
