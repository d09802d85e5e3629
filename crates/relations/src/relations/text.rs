//! Relations as text for people.

use std::ops::Range;

use tracebank_syntax::tree::Tree;

use super::{Argument, Filler, Relation, Step};

/// Forms of *be* that stand behind *not*.
const NON_FINITE: [&str; 3] = ["be", "being", "been"];

/// The relations as lines, with their predicates and first arguments in columns.
///
/// ```text
/// bought  subject=Google (by)  object=The company (which → trace)
/// wants   subject=The company  complement=[sell]
/// ```
pub fn table(relations: &[Relation], show: &dyn Fn(Range<usize>) -> String) -> String {
    let rows: Vec<Vec<String>> = relations.iter().map(|relation| relation.cells(show)).collect();
    let width = |column: usize| {
        let cells = rows.iter().filter(|row| row.len() > column + 1).map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths = [width(0), width(1)];
    let line = |row: &Vec<String>| {
        let pad = |(column, cell): (usize, &String)| match widths.get(column) {
            Some(&width) if column + 1 < row.len() => format!("{cell:width$}"),
            _ => cell.clone(),
        };
        row.iter().enumerate().map(pad).collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

impl Relation {
    /// A line of text: the predicate, then its arguments, with what was passed on the way in brackets.
    ///
    /// ```text
    /// bought  subject=Google (by)  object=The company (which → trace)
    /// ```
    pub fn to_text(&self, tree: &Tree) -> String {
        let words: Vec<&str> = tree.words().collect();
        self.show(&|tokens| words[tokens].join(" "))
    }

    /// The same, with the words as `show` gives them: as they stand in a text, say.
    pub fn show(&self, show: &dyn Fn(Range<usize>) -> String) -> String {
        self.cells(show).join("  ")
    }

    fn cells(&self, show: &dyn Fn(Range<usize>) -> String) -> Vec<String> {
        let arguments = self.arguments.iter().map(|argument| argument.show(show));
        std::iter::once(self.predicate_text(show)).chain(arguments).collect()
    }

    /// The predicate with the verbs before it where they say more than its tense: *would have stayed*, *is not old*.
    fn predicate_text(&self, show: &dyn Fn(Range<usize>) -> String) -> String {
        let predicate = &self.predicate;
        let word = |at: usize| show(at..at + 1);
        let said = predicate.copula.is_some() || predicate.is_auxiliary || !predicate.modality.is_empty();
        let mut words = if said { predicate.auxiliaries.clone() } else { Vec::new() };
        if predicate.negated {
            let is_finite = words.first().is_some_and(|first| !NON_FINITE.contains(&first.as_str()));
            words.insert(usize::from(is_finite), "not".to_owned());
        }
        if !predicate.is_auxiliary {
            words.push(word(predicate.token));
        }
        words.extend(predicate.particle.map(word));
        let text = words.join(" ");
        if predicate.gapped { format!("({text})") } else { text }
    }
}

impl Argument {
    /// `object=The company (which → trace)`.
    pub fn show(&self, show: &dyn Fn(Range<usize>) -> String) -> String {
        let mut notes: Vec<String> = self.preposition.clone().into_iter().collect();
        let pronoun = self.via.iter().any(|step| matches!(step, Step::Pronoun(_)));
        if pronoun {
            let steps = self.via.iter().map(|step| match step {
                Step::Pronoun(tokens) => show(tokens.clone()),
                Step::Null(_) => "trace".to_owned(),
            });
            let mut steps: Vec<String> = steps.collect();
            steps.dedup();
            // *in which* says it already
            notes.retain(|preposition| !steps[0].to_lowercase().starts_with(&format!("{preposition} ")));
            notes.push(steps.join(" → "));
        }
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        format!("{}={}{notes}", self.role, self.filler.show(show))
    }
}

impl Filler {
    /// The words; of a clause, its predicate in brackets.
    pub fn show(&self, show: &dyn Fn(Range<usize>) -> String) -> String {
        match self {
            Filler::Phrase { head, clause: true, .. } => format!("[{}]", show(*head..*head + 1)),
            Filler::Phrase { tokens, .. } => show(tokens.clone()),
            Filler::Addressee => "you".to_owned(),
            Filler::Anyone => "nobody in particular".to_owned(),
        }
    }
}
