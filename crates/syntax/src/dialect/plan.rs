//! Plans: how a model that has learnt some dialects gives the one that is asked for.

use super::{DIALECTS, Dialect, Rewrite};

/// The dialect that a model is told to follow, and the rewrites of its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The number of the dialect among those of the model.
    pub dialect: usize,
    /// The rewrites, in their order.
    pub rewrites: &'static [Rewrite],
}

impl Plan {
    /// The plan by which a model that knows `dialects` gives the dialect called `name`: its own dialect of that name, whether the registry
    /// has it or not, else the nearest one that can be rewritten.
    pub fn of(name: &str, dialects: &[String]) -> Option<Plan> {
        let plan = |wanted: &str, rewrites| {
            let dialect = dialects.iter().position(|dialect| dialect == wanted)?;
            Some(Plan { dialect, rewrites })
        };
        let known = Dialect::named(name);
        let others = known.map_or(&[][..], |dialect| dialect.rewritten_from);
        let finish = known.map_or(&[][..], |dialect| dialect.finish);
        plan(name, finish).or_else(|| others.iter().find_map(|&(other, rewrites)| plan(other, rewrites)))
    }

    /// The plan where no dialect is asked for: Penn's if the model can give it, else that of the dialect it learnt first.
    pub fn usual(dialects: &[String]) -> Plan {
        Plan::of("penn", dialects).unwrap_or(Plan { dialect: 0, rewrites: &[] })
    }
}

/// The names of the dialects that a model with these can give.
pub fn known(dialects: &[String]) -> Vec<String> {
    let registered = DIALECTS.iter().map(|dialect| dialect.name.to_owned());
    let mut names: Vec<String> = registered.filter(|name| Plan::of(name, dialects).is_some()).collect();
    names.extend(dialects.iter().filter(|&name| Dialect::named(name).is_none()).cloned());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_dialect_is_taken_and_the_rest_is_rewritten() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let shipped = names(&["craft", "masc", "genia"]);
        let penn = Plan::of("penn", &shipped).unwrap();
        assert_eq!((penn.dialect, penn.rewrites.len()), (1, 13));
        let finish = &[Rewrite::Predicates][..];
        assert_eq!(Plan::of("craft", &shipped), Some(Plan { dialect: 0, rewrites: finish }));
        let bare = &[Rewrite::Predicates, Rewrite::BareAdverbialTraces][..];
        assert_eq!(Plan::of("genia", &shipped), Some(Plan { dialect: 2, rewrites: bare }));
        assert_eq!(known(&shipped), ["penn", "masc", "genia", "craft"]);
        let own = names(&["brown", "penn"]);
        assert_eq!(Plan::of("penn", &own), Some(Plan { dialect: 1, rewrites: finish }));
        assert_eq!(Plan::of("brown", &own), Some(Plan { dialect: 0, rewrites: &[] }));
        assert_eq!(Plan::of("genia", &own), None);
        assert_eq!(known(&own), ["penn", "brown"]);
        assert_eq!(Plan::usual(&names(&["brown"])).dialect, 0);
    }
}
