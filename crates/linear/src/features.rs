//! The features, as tables to read.
//!
//! A line is what is looked at, and behind the bar what it is crossed with: views of the label that is scored. A line makes one feature
//! for each view. What can be looked at:
//!
//! | | |
//! |---|---|
//! | `w.tag`, `w-1.word` | a [field](crate::observed::Field) of the word, or of one beside it |
//! | `p.…`, `c.…` | the same for parent and child; in `TRACE`, for the word with the null and the antecedent |
//! | `side`, `distance`, … | a [relation](crate::observed::Relation) of the two |
//! | `between.tag` | a field of the words between the two: one feature for each value |
//!
//! `HEAD` and `ATTACHMENT` follow `McDonald` et al. (2005).

use crate::hash::{mix, text};
use crate::observed::{FIELDS, Field, Observed, RELATIONS, Relation};

/// Features of the spine of a word. Views: the spine, its lowest and its topmost phrase, the types of its nulls, and its phrases without nulls.
pub const SPINE: &[&str] = &[
    "                                  | whole bottom top nulls",
    "w.word                            | whole bottom top nulls bare",
    "w.lower                           | whole nulls",
    "w.tag                             | whole bottom top nulls bare",
    "w.word w.tag                      | whole bottom top nulls bare",
    "w.suffix3 w.tag                   | whole nulls",
    "w.suffix2                         | whole bare",
    "w.shape w.tag                     | whole",
    "w-1.word                          | whole top nulls bare",
    "w+1.word                          | whole top nulls bare",
    "w-1.tag w.tag                     | whole bottom top nulls bare",
    "w.tag w+1.tag                     | whole bottom top nulls bare",
    "w-1.tag w.tag w+1.tag             | whole nulls bare",
    "w-2.tag w-1.tag w.tag             | whole nulls bare",
    "w.tag w+1.tag w+2.tag             | whole nulls bare",
    "w-2.tag w-1.tag w.tag w+1.tag     | bare nulls",
    "w-1.tag w.tag w+1.tag w+2.tag     | bare nulls",
    "w.tag w+1.tag w+2.tag w+3.tag     | bare nulls",
    "w.lower w-1.tag                   | whole nulls bare",
    "w.lower w+1.tag                   | whole nulls bare",
    "w.lower w-1.lower                 | whole nulls",
    "w.lower w+1.lower                 | whole nulls",
    "w.lower w-1.tag w+1.tag           | bare nulls",
    "w.lower w+1.tag w+2.tag           | bare nulls",
    "w.tag w-1.lower                   | whole nulls bare",
    "w.tag w+1.lower                   | whole nulls bare",
    "w.tag w-2.lower                   | nulls",
    "w.tag w+2.lower                   | nulls",
    "w.tag w-1.lower w+1.lower         | nulls",
    "w.tag w-3.tag w-2.tag w-1.tag     | nulls",
];

/// Features of the function tags of a word's topmost phrase.
pub const FUNCTION: &[&str] = &[
    "                      | whole",
    "w.lower               | whole",
    "w.tag                 | whole",
    "w-1.tag w.tag w+1.tag | whole",
    "w-1.lower w.tag       | whole",
    "w.tag w+1.lower       | whole",
    "w-2.tag w-1.tag w.tag | whole",
    "w.tag w+1.tag w+2.tag | whole",
    "w-1.lower w.lower     | whole",
    "w.lower w+1.tag       | whole",
];

/// Features of a structural edge.
pub const HEAD: &[&str] = &[
    "side distance                                            | whole",
    "p.lower p.tag side                                       | whole",
    "p.tag side distance                                      | whole",
    "c.lower c.tag side                                       | whole",
    "c.lower side distance                                    | whole",
    "c.tag side distance                                      | whole",
    "p.lower p.tag c.lower c.tag side                         | whole",
    "p.tag c.lower c.tag side                                 | whole",
    "p.lower c.lower c.tag side                               | whole",
    "p.lower p.tag c.tag side                                 | whole",
    "p.lower p.tag c.lower side                               | whole",
    "p.lower c.lower side                                     | whole",
    "p.tag c.lower side distance                              | whole",
    "p.lower c.tag side distance                              | whole",
    "p.tag c.tag side                                         | whole",
    "p.tag c.tag side distance                                | whole",
    "p.coarse c.coarse side distance commas verbs             | whole",
    "p.tag c.tag side commas                                  | whole",
    "p.tag c.tag side verbs                                   | whole",
    "p.tag between.tag c.tag side                             | whole",
    "p.tag p+1.tag c-1.tag c.tag side                         | whole",
    "p-1.tag p.tag c-1.tag c.tag side                         | whole",
    "p.tag p+1.tag c.tag c+1.tag side                         | whole",
    "p-1.tag p.tag c.tag c+1.tag side                         | whole",
    "p.tag p+1.tag c.tag side distance                        | whole",
    "p-1.tag p.tag c.tag side distance                        | whole",
    "p.tag c.tag c+1.tag side distance                        | whole",
    "p.tag c-1.tag c.tag side distance                        | whole",
    "p.tag c.lower c+1.lower side                             | whole",
    "p.lower c.lower c+1.tag side                             | whole",
    "p.tag c-1.lower c.tag side                               | whole",
];

/// Features of the phrase of the parent to which a word is attached. Views: its name, and its label.
pub const ATTACHMENT: &[&str] = &[
    "side                                 | whole label",
    "p.lower p.tag side                   | whole",
    "p.tag side distance                  | whole",
    "c.lower c.tag side                   | whole label",
    "c.lower side distance                | whole",
    "c.tag side distance                  | whole label",
    "p.tag c.tag side                     | whole label",
    "p.tag c.tag side distance            | whole label",
    "p.tag c.lower side                   | whole label",
    "p.lower c.tag side                   | whole label",
    "p.lower c.lower side                 | whole",
    "p.tag c.tag side commas verbs        | whole",
    "p.tag between.tag c.tag side         | whole",
    "p.tag p+1.tag c-1.tag c.tag side     | whole",
    "p-1.tag p.tag c.tag c+1.tag side     | whole",
    "p.tag c.tag c+1.tag side             | whole label",
    "p.tag c-1.tag c.tag side             | whole label",
    "p.tag c.lower c+1.lower side         | whole",
];

/// Features of a trace: `p` has the null, `c` the antecedent. Views: the trace, the type of the null, what refers, and what is referred to.
pub const TRACE: &[&str] = &[
    "side                                 | whole kind",
    "side distance                        | whole kind from to",
    "side verbs                           | whole kind",
    "side commas                          | whole kind",
    "side questions                       | whole kind",
    "side verbs commas questions          | whole kind",
    "p.lower side                         | whole from",
    "p.tag side                           | whole from",
    "c.lower side                         | whole to",
    "c.tag side                           | whole to",
    "p.tag c.tag side                     | whole kind",
    "p.tag c.tag side distance            | whole kind",
    "p.tag c.tag side verbs               | whole kind",
    "p.lower c.tag side                   | whole kind",
    "p.tag c.lower side                   | whole kind",
    "p.lower c.lower side                 | kind",
    "p.lower side verbs                   | kind",
    "c.lower side verbs                   | kind",
    "p.tag between.tag c.tag side         | kind",
    "between.tag side                     | whole kind",
    "between.lower side                   | kind",
    "p-1.tag p.tag c.tag c+1.tag side     | kind",
    "p-1.tag p.tag side                   | whole",
    "p-1.lower p.tag side                 | whole",
    "p.tag p+1.tag side                   | whole",
    "c-1.tag c.tag side                   | whole",
    "c.tag c+1.tag side                   | whole",
    "c-1.tag c.tag c+1.tag side verbs     | kind",
    "p-1.tag p.tag p+1.tag c.tag side     | kind",
];

/// Features of the two [roles](crate::roles) of a word.
pub const ROLE: &[&str] = &[
    "                              | whole",
    "w.lower                       | whole",
    "w.tag                         | whole",
    "w.lower w.tag                 | whole",
    "w.suffix3 w.tag               | whole",
    "w-1.lower w.tag               | whole",
    "w.tag w+1.lower               | whole",
    "w-1.tag w.tag w+1.tag         | whole",
    "w-2.tag w-1.tag w.tag         | whole",
    "w.tag w+1.tag w+2.tag         | whole",
    "w-1.lower w.lower             | whole",
    "w.lower w+1.lower             | whole",
    "w.lower w-1.tag w+1.tag       | whole",
    "w-2.tag w-1.tag w.tag w+1.tag | whole",
    "w-1.tag w.tag w+1.tag w+2.tag | whole",
    "w-2.lower w.tag               | whole",
    "w.tag w+2.lower               | whole",
];

/// Features of the tag of a word, when those before it are known.
pub const TAG: &[&str] = &[
    "                      | whole",
    "w.word                | whole",
    "w.lower               | whole",
    "w.suffix2             | whole",
    "w.suffix3             | whole",
    "w.prefix2             | whole",
    "w.shape               | whole",
    "w.shape w.suffix2     | whole",
    "w-1.tag               | whole",
    "w-2.tag w-1.tag       | whole",
    "w-1.tag w.lower       | whole",
    "w-1.tag w.suffix3     | whole",
    "w-1.tag w+1.lower     | whole",
    "w-1.lower             | whole",
    "w+1.lower             | whole",
    "w-2.lower             | whole",
    "w+2.lower             | whole",
    "w-1.lower w.lower     | whole",
    "w.lower w+1.lower     | whole",
    "w-1.suffix2 w.suffix2 | whole",
    "w.suffix3 w+1.suffix2 | whole",
    "w+1.suffix2           | whole",
    "w+1.shape w.shape     | whole",
    "w-1.shape w.shape     | whole",
];

/// A property that a line looks at.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Atom {
    /// A field beside the first or the second word.
    Field {
        is_second: bool,
        offset: isize,
        field: Field,
    },
    Relation(Relation),
    Between(Field),
}

impl Atom {
    fn parse(atom: &str) -> Option<Atom> {
        let relation = RELATIONS.iter().find(|(name, _)| *name == atom);
        if let Some(&(_, relation)) = relation {
            return Some(Atom::Relation(relation));
        }
        let (place, name) = atom.split_once('.')?;
        let field = FIELDS.iter().find(|(known, _)| *known == name)?.1;
        if place == "between" {
            return Some(Atom::Between(field));
        }
        let (end, offset) = place.split_at(1);
        let offset = if offset.is_empty() { 0 } else { offset.parse().ok()? };
        matches!(end, "w" | "p" | "c").then_some(Atom::Field { is_second: end == "c", offset, field })
    }
}

/// A line of a table.
#[derive(Clone, PartialEq, Debug)]
struct Line {
    salt: u64,
    atoms: Vec<Atom>,
    between: Option<Field>,
    views: Vec<usize>,
}

/// A table, ready for use.
#[derive(Clone, PartialEq, Debug)]
pub struct Templates {
    lines: Vec<Line>,
    views: usize,
}

/// For each view, the hashes of what the lines with that view saw.
pub type Keys = Vec<Vec<u64>>;

impl Templates {
    /// The table of this name, the views in this order; `None` if a line is not to be understood.
    pub fn parse(name: &str, lines: &[&str], views: &[&str]) -> Option<Templates> {
        let line = |line: &&str| {
            let (left, right) = line.split_once('|')?;
            let all: Vec<Atom> = left.split_whitespace().map(Atom::parse).collect::<Option<_>>()?;
            let view = |view: &str| views.iter().position(|known| *known == view);
            // The spaces of a line are there for people.
            let salt = left.split_whitespace().fold(text(name), |salt, atom| mix(salt, text(atom)));
            let field = |atom: &Atom| if let Atom::Between(field) = atom { Some(*field) } else { None };
            Some(Line {
                salt,
                between: all.iter().find_map(field),
                atoms: all.into_iter().filter(|atom| field(atom).is_none()).collect(),
                views: right.split_whitespace().map(view).collect::<Option<_>>()?,
            })
        };
        Some(Templates { lines: lines.iter().map(line).collect::<Option<_>>()?, views: views.len() })
    }

    /// The hashes of what the lines see of two words; of one, if both are the same.
    pub fn keys(&self, sentence: &Observed, first: usize, second: usize, keys: &mut Keys) {
        keys.resize_with(self.views, Vec::new);
        keys.iter_mut().for_each(Vec::clear);
        let relations = sentence.relations(first, second);
        for line in &self.lines {
            let key = line.atoms.iter().fold(line.salt, |key, atom| {
                let seen = match *atom {
                    Atom::Field { is_second, offset, field } => {
                        sentence.field(if is_second { second } else { first }, offset, field)
                    }
                    Atom::Relation(relation) => relations[relation as usize],
                    Atom::Between(_) => 0,
                };
                mix(key, seen)
            });
            for &view in &line.views {
                match line.between {
                    None => keys[view].push(key),
                    Some(field) => {
                        let seen = sentence.between(first, second, field);
                        keys[view].extend(seen.map(|seen| mix(key, seen)));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_mean_nothing_are_refused() {
        for line in
            ["w.tag", "w.nothing | whole", "x.tag | whole", "w+.tag | whole", "w.tag | part", "tag | whole"]
        {
            assert_eq!(Templates::parse("test", &[line], &["whole"]), None, "{line}");
        }
    }

    #[test]
    fn lines_see_what_they_say() {
        let words = ["a", "b", "a", "c", "a"].map(String::from);
        let sentence = Observed::new(&words, &["A", "B", "A", "C", "A"]);
        let templates =
            Templates::parse("test", &["p.word c.tag side | v w", "between.tag | w"], &["v", "w"]).unwrap();
        let keys = |first, second| {
            let mut keys = Keys::new();
            templates.keys(&sentence, first, second, &mut keys);
            keys
        };
        assert_eq!(keys(1, 3)[0], keys(3, 5)[0]);
        assert_ne!(keys(1, 3)[0], keys(3, 1)[0]);
        assert_ne!(keys(1, 3)[0], keys(1, 2)[0]);
        assert_eq!(keys(1, 5)[1].len(), 1 + 3);
    }
}
