//! The dialects in which a parse can be asked for.
//!
//! A model is told which treebank's dialects to follow. A dialect is what a *user* asks for: it names the dialects of the model
//! that come nearest, and what is done to the answer for the rest.

use crate::rewrite::Rewrite;

/// A way of writing trees that a parse can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// The dialects of a model that give it, the best first, each with what is then still to be done.
    ways: &'static [(&'static str, &'static [Rewrite])],
}

/// The dialects. A model's own dialects can be asked for by name even if they are none of these.
pub const DIALECTS: [Dialect; 4] = [
    Dialect {
        name: "penn",
        description: "the Penn Treebank: * for every subject that is understood, *U* behind sums of money, no NML",
        ways: &[
            ("penn", &[]),
            ("masc", &[Rewrite::PlainPro, Rewrite::NoNominals, Rewrite::Quantities, Rewrite::Units]),
        ],
    },
    Dialect {
        name: "masc",
        description: "MASC: *PRO* for the subject of an infinitive, * for what a passive leaves behind",
        ways: &[("masc", &[])],
    },
    Dialect { name: "genia", description: "GENIA: abstracts of molecular biology", ways: &[("genia", &[])] },
    Dialect {
        name: "craft",
        description: "CRAFT: articles of biomedicine; written with an index on each null, as in the Penn Treebank",
        ways: &[("craft", &[])],
    },
];

/// What a model has to be told, and what is done to its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    pub(crate) dialect: usize,
    pub(crate) rewrites: &'static [Rewrite],
}

impl Plan {
    /// How a model that knows `dialects` gives the dialect called `name`.
    pub(crate) fn of(name: &str, dialects: &[String]) -> Option<Plan> {
        let known = |wanted: &str| dialects.iter().position(|dialect| dialect == wanted);
        let ways = DIALECTS.iter().filter(|dialect| dialect.name == name).flat_map(|dialect| dialect.ways);
        let mut plans =
            ways.filter_map(|&(wanted, rewrites)| Some(Plan { dialect: known(wanted)?, rewrites }));
        plans.next().or_else(|| Some(Plan { dialect: known(name)?, rewrites: &[] }))
    }

    /// Penn if the model can give it, else what it was trained on first.
    pub(crate) fn usual(dialects: &[String]) -> Plan {
        Plan::of("penn", dialects).unwrap_or(Plan { dialect: 0, rewrites: &[] })
    }
}

/// The names that a model with these dialects understands.
pub(crate) fn known(dialects: &[String]) -> Vec<String> {
    let shared = DIALECTS.iter().map(|dialect| dialect.name.to_owned());
    let mut names: Vec<String> = shared.filter(|name| Plan::of(name, dialects).is_some()).collect();
    names.extend(dialects.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_convention_is_taken_and_the_rest_is_rewritten() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let shipped = names(&["craft", "masc", "genia"]);
        let penn = Plan::of("penn", &shipped).unwrap();
        assert_eq!((penn.dialect, penn.rewrites.len()), (1, 4));
        assert_eq!(Plan::of("craft", &shipped), Some(Plan { dialect: 0, rewrites: &[] }));
        let own = names(&["brown", "penn"]);
        assert_eq!(Plan::of("penn", &own), Some(Plan { dialect: 1, rewrites: &[] }));
        assert_eq!(Plan::of("brown", &own), Some(Plan { dialect: 0, rewrites: &[] }));
        assert_eq!(Plan::of("genia", &own), None);
        assert_eq!(Plan::usual(&names(&["brown"])).dialect, 0);
    }
}
