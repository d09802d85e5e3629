//! Dates, times and ranges, whose words treebanks leave flat and Universal Dependencies do not.
//!
//! Each row of [`ROWS`] is a governor and a dependant that stand together; which of them was over the other before, or that both hung on one word,
//! does not matter. Rows are tried in order, so that *Monday, May 2, 2001* is first *May* under *Monday*, then *2* in its place and *May* under it,
//! then *2001* under *2*.

use crate::scene::Scene;

use super::{Arc, Arcs};

/// What a word can be in a date.
#[derive(Clone, Copy)]
enum Part {
    Weekday,
    Month,
    Day,
    Year,
    Date,
    Clock,
    Half,
    Number,
    Magnitude,
}
use Part::{Clock, Date, Day, Half, Magnitude, Month, Number, Weekday, Year};

/// Two parts in the order of the text, whether the first governs, the label, and an example with the dependant in brackets.
const ROWS: [(Part, Part, bool, &str, &str); 10] = [
    (Weekday, Month, true, "appos", "Monday, [May]"),
    (Month, Day, false, "nmod:unmarked", "[May] 2"),
    (Day, Month, true, "nmod:unmarked", "2 [May]"),
    (Day, Year, true, "nmod:unmarked", "May 2, [2001]"),
    (Month, Year, true, "nmod:unmarked", "May [2001]"),
    (Clock, Half, true, "nmod:unmarked", "5 [pm]"),
    (Number, Half, true, "nmod:unmarked", "5 [pm]"),
    (Date, Clock, true, "list", "05/02/2001 [5:00]"),
    (Number, Magnitude, false, "compound", "[200] million"),
    (Number, Number, true, "nmod", "5 - [10]"),
];

impl Part {
    fn fits(self, word: &str) -> bool {
        const MONTHS: [&str; 12] =
            ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
        const DAYS: [&str; 7] =
            ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
        const NAMES: [&str; 12] = [
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ];
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Weekday => DAYS.contains(&word),
            Month => {
                let short = word.strip_suffix('.').unwrap_or(word);
                NAMES.contains(&word) || MONTHS.contains(&short) || short == "sept"
            }
            Day => {
                let number =
                    ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
                digits(number) && number.parse().is_ok_and(|day: u32| (1..=31).contains(&day))
            }
            Year => digits(word) && word.len() == 4,
            Date => word.split('/').count() == 3 && word.split('/').all(digits),
            Clock => word.split(':').count() > 1 && word.split(':').all(digits),
            Magnitude => matches!(word, "hundred" | "thousand" | "million" | "billion" | "trillion"),
            Half => matches!(word, "am" | "pm" | "a.m." | "p.m." | "a.m" | "p.m"),
            Number => digits(&word.replace([',', '.', ':', '$'], "")),
        }
    }
}

/// Puts the parts of dates, times and ranges in their places.
pub(crate) fn arrange(scene: &Scene<'_>, arcs: &mut Arcs) {
    let words: Vec<String> = scene.words.iter().map(|&leaf| scene.lower(leaf)).collect();
    for (first, second, forward, label, _) in ROWS {
        for at in 0..words.len() {
            if !first.fits(&words[at]) {
                continue;
            }
            let is_range = matches!(second, Number);
            let between = match (first, second) {
                (_, Year) | (Weekday, _) => words.get(at + 1).is_some_and(|word| word == ","),
                (_, Number) => {
                    words.get(at + 1).is_some_and(|word| matches!(word.as_str(), "-" | "–" | "to"))
                }
                _ => false,
            };
            let other = at + 1 + usize::from(between);
            // a day stands beside its year only behind a month
            let lonely = matches!((first, second), (Day, Year)) && !is_dated(&words, at);
            if lonely || is_range && !between || !words.get(other).is_some_and(|word| second.fits(word)) {
                continue;
            }
            let (governor, dependant) = if forward { (at, other) } else { (other, at) };
            if hang(arcs, governor, dependant, label) && is_range {
                arcs.set(at + 1, Arc { head: Some(other), label: "case".to_owned() });
            }
        }
    }
}

fn is_dated(words: &[String], day: usize) -> bool {
    let before = day.checked_sub(1).is_some_and(|at| Month.fits(&words[at]));
    before || words.get(day + 1).is_some_and(|word| Month.fits(word))
}

/// Puts `dependant` under `governor`, if the two are together; the governor takes the place of both.
fn hang(arcs: &mut Arcs, governor: usize, dependant: usize, label: &str) -> bool {
    let (over, under) = (arcs[governor].head, arcs[dependant].head);
    if over == Some(dependant) {
        arcs.set(governor, arcs[dependant].clone());
        arcs.hand_over(dependant, governor, |at, _| at != governor);
    } else if under != Some(governor) && (over.is_none() || over != under) {
        return false;
    } else if arcs[dependant].label == "appos" && over == under {
        arcs.set_label(governor, "appos");
    }
    arcs.set(dependant, Arc { head: Some(governor), label: label.to_owned() });
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaves of an example, all flat in one noun phrase.
    fn tree(words: &[&str]) -> String {
        let tag = |word: &str| match word {
            "," => ",",
            "-" => "HYPH",
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => "CD",
            _ => "NNP",
        };
        let leaves: Vec<String> = words.iter().map(|word| format!("({} {word})", tag(word))).collect();
        format!("( (FRAG (NP {})))", leaves.join(" "))
    }

    #[test]
    fn every_row_arranges_its_example() {
        for (_, _, _, label, example) in ROWS {
            let example = example.replace(',', " ,");
            let bare = example.replace(['[', ']'], "");
            let words: Vec<&str> = bare.split(' ').collect();
            let dependant = example.split(' ').position(|word| word.starts_with('[')).unwrap();
            let tokens = crate::ud::convert(&tree(&words).parse().unwrap());
            assert_eq!(
                (tokens[dependant].deprel.as_str(), tokens[dependant].head > 0),
                (label, true),
                "{example}"
            );
        }
    }

    #[test]
    fn a_day_of_the_week_heads_its_date_flat_or_not() {
        let nested = "( (FRAG (NP (NP (NNP Monday)) (, ,) (NP (NNP May) (CD 2)) (, ,) (NP (CD 2001)))))";
        for tree in [nested.to_owned(), tree(&["Monday", ",", "May", "2", ",", "2001"])] {
            let tokens = crate::ud::convert(&tree.parse().unwrap());
            let arcs: Vec<String> =
                tokens.iter().map(|token| format!("{} {}", token.head, token.deprel)).collect();
            let wanted = ["0 root", "4 punct", "4 nmod:unmarked", "1 appos", "6 punct", "4 nmod:unmarked"];
            assert_eq!(arcs, wanted, "{tree}");
        }
    }

    #[test]
    fn a_number_that_stands_in_no_date_stays_where_it_was() {
        // a year behind a day without a month, and two numbers without a dash
        for words in [["4", "2001"], ["5", "10"]] {
            let tokens = crate::ud::convert(&tree(&words).parse().unwrap());
            assert!(tokens.iter().all(|token| !token.deprel.starts_with("nmod")), "{words:?}");
        }
    }
}
