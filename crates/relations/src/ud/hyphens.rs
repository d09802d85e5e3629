//! Words with hyphens and slashes, cut as the English treebanks of Universal Dependencies cut them: *text-based* and *and/or* are three words there.

use super::UdToken;
use super::words::is_adjective_in_name;

/// Prefixes that stay with their word.
const PREFIXES: [&str; 22] = [
    "non", "re", "co", "pre", "anti", "un", "e", "semi", "multi", "mid", "ex", "de", "sub", "post", "pro",
    "counter", "mis", "over", "ultra", "inter", "bi", "x",
];

/// First parts that say how many: *two-year*.
const NUMBERS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty"];
/// First parts that say how and do not end in *ly*: *well-known*.
const ADVERBS: [&str; 7] = ["well", "so", "ill", "ever", "much", "once", "far"];

/// Parts that are no nouns, with their tags and label: *state-of-the-art*.
const FUNCTION_WORDS: [(&str, (&str, &str, &str)); 16] = [
    ("the", ("DET", "DT", "det")),
    ("a", ("DET", "DT", "det")),
    ("of", ("ADP", "IN", "case")),
    ("in", ("ADP", "IN", "case")),
    ("on", ("ADP", "IN", "case")),
    ("to", ("ADP", "IN", "case")),
    ("by", ("ADP", "IN", "case")),
    ("for", ("ADP", "IN", "case")),
    ("at", ("ADP", "IN", "case")),
    ("from", ("ADP", "IN", "case")),
    ("with", ("ADP", "IN", "case")),
    ("behind", ("ADP", "IN", "case")),
    ("under", ("ADP", "IN", "case")),
    ("and", ("CCONJ", "CC", "cc")),
    ("or", ("CCONJ", "CC", "cc")),
    ("not", ("PART", "RB", "advmod")),
];

/// How the parts of a word hang together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// *text-based*: under the last.
    Hyphen,
    /// *and/or*: conjuncts of the first.
    Slash,
    /// *5-10*: the second under the first.
    Range,
}

/// The parts of a word, the marks between them among them, and how it was cut; one part if it is not to be cut.
fn parts(form: &str) -> (Vec<&str>, Cut) {
    let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let is_word = |part: &&str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '\'' | '’'))
    };
    let (mark, cut) = if form.contains('/') { ('/', Cut::Slash) } else { ('-', Cut::Hyphen) };
    let words: Vec<&str> = form.split(mark).collect();
    let letters = words.iter().any(|part| part.chars().filter(|c| c.is_alphabetic()).count() > 1);
    let whole = match cut {
        _ if words.len() < 2 || !words.iter().all(is_word) => true,
        Cut::Slash => !words.iter().any(|part| part.chars().all(char::is_alphabetic)) || form.contains('.'),
        _ => {
            !(letters || words.len() == 2 && words.iter().all(|part| digits(part)))
                || PREFIXES.contains(&words[0].to_lowercase().as_str())
        }
    };
    if whole {
        return (vec![form], cut);
    }
    let cut = if cut == Cut::Hyphen && !letters { Cut::Range } else { cut };
    let mut found = vec![words[0]];
    let mut at = words[0].len();
    for word in &words[1..] {
        found.extend([&form[at..=at], word]);
        at += 1 + word.len();
    }
    (found, cut)
}

/// The tokens with such words cut. The last part of a hyphenated word takes the place of the whole, else the first, and the others depend on it.
pub fn split_hyphens(tokens: Vec<UdToken>) -> Vec<UdToken> {
    // the new place of each token's head part, counted from 1
    let mut place = vec![0];
    let mut end = 0;
    for token in &tokens {
        let (pieces, cut) = parts(&token.form);
        place.push(if cut == Cut::Hyphen { end + pieces.len() } else { end + 1 });
        end += pieces.len();
    }
    let mut found = Vec::with_capacity(end);
    for token in tokens {
        let (pieces, cut) = parts(&token.form);
        let first = found.len() + 1;
        // the parts stand one behind another, unless the text has it otherwise
        let mut at = token.chars.clone().filter(|chars| chars.len() == token.form.chars().count());
        let mut take = |text: &str| {
            let chars = at.as_mut()?;
            let start = chars.start;
            chars.start += text.chars().count();
            Some(start..chars.start)
        };
        let governing = if cut == Cut::Hyphen { pieces.len() - 1 } else { 0 };
        for (piece, &text) in pieces.iter().enumerate() {
            let chars = if pieces.len() == 1 { token.chars.clone() } else { take(text) };
            let part = UdToken { form: text.to_owned(), chars, ..token.clone() };
            found.push(if piece == governing {
                let lemma =
                    if pieces.len() == 1 { token.lemma.clone() } else { crate::lemma(text, &token.xpos) };
                let deps = token.deps.iter().map(|(head, label)| (place[*head], label.clone())).collect();
                UdToken { lemma, head: place[token.head], deps, ..part }
            } else {
                let (word, head) = inner(&part, cut, first, piece, first + governing);
                let (upos, xpos, label) = word;
                hung(part, upos, xpos, label, head)
            });
        }
    }
    found
}

/// Tags, label and governor of a part that does not stand for the whole.
fn inner(
    part: &UdToken,
    cut: Cut,
    first: usize,
    piece: usize,
    head: usize,
) -> ((&'static str, String, &'static str), usize) {
    let own = |label| (part.upos, part.xpos.clone(), label);
    let is_mark = piece % 2 == 1;
    let lower = part.form.to_lowercase();
    let function = FUNCTION_WORDS.iter().find(|(word, _)| cut == Cut::Hyphen && *word == lower);
    if let Some(&(_, (upos, xpos, label))) = function {
        return ((upos, xpos.to_owned(), label), head);
    }
    match cut {
        Cut::Hyphen if is_mark => (("PUNCT", "HYPH".to_owned(), "punct"), first + piece - 1),
        Cut::Hyphen if part.form.chars().all(|c| c.is_ascii_digit()) => {
            (("NUM", "CD".to_owned(), "nummod"), head)
        }
        Cut::Hyphen if NUMBERS.contains(&lower.as_str()) => (("NUM", "CD".to_owned(), "nummod"), head),
        Cut::Hyphen if lower.ends_with("ly") || ADVERBS.contains(&lower.as_str()) => {
            (("ADV", "RB".to_owned(), "advmod"), head)
        }
        Cut::Hyphen if part.upos != "PROPN" && is_adjective_in_name(&lower) => {
            (("ADJ", "JJ".to_owned(), "amod"), head)
        }
        Cut::Hyphen if part.upos == "PROPN" => (("PROPN", "NNP".to_owned(), "compound"), head),
        Cut::Hyphen => (("NOUN", "NN".to_owned(), "compound"), head),
        Cut::Slash if is_mark => (("SYM", "SYM".to_owned(), "cc"), first + piece + 1),
        Cut::Slash => (own("conj"), head),
        Cut::Range if is_mark => (("SYM", "SYM".to_owned(), "case"), first + piece + 1),
        Cut::Range => (own("nmod"), head),
    }
}

fn hung(part: UdToken, upos: &'static str, xpos: String, label: &str, head: usize) -> UdToken {
    let feats = match upos {
        _ if upos == part.upos => part.feats.clone(),
        "NUM" => {
            let form = if part.form.chars().all(char::is_alphabetic) { "Word" } else { "Digit" };
            vec![format!("NumForm={form}"), "NumType=Card".to_owned()]
        }
        "ADJ" => vec!["Degree=Pos".to_owned()],
        "NOUN" | "PROPN" => vec!["Number=Sing".to_owned()],
        _ => Vec::new(),
    };
    let lemma = if upos == "PROPN" { part.form.clone() } else { part.form.to_lowercase() };
    let deps = vec![(head, label.to_owned())];
    UdToken { lemma, upos, xpos, feats, head, deprel: label.to_owned(), deps, misc: Vec::new(), ..part }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_the_treebanks_cut_them() {
        for (form, wanted) in [
            ("text-based", "text - based"),
            ("and/or", "and / or"),
            ("13-17", "13 - 17"),
            ("re-read", "re-read"),
            ("1/2", "1/2"),
            ("05/02/2001", "05/02/2001"),
            ("713-853-3098", "713-853-3098"),
            ("http://x.org/a", "http://x.org/a"),
        ] {
            assert_eq!(parts(form).0.join(" "), wanted, "{form}");
        }
    }

    #[test]
    fn parts_depend_as_the_treebanks_have_it() {
        for (tagged, wanted) in [
            ("JJ text-based", "NOUN compound 3 PUNCT punct 1 ADJ root 0"),
            ("JJ two-year", "NUM nummod 3 PUNCT punct 1 ADJ root 0"),
            ("JJ 10-day", "NUM nummod 3 PUNCT punct 1 ADJ root 0"),
            ("JJ well-known", "ADV advmod 3 PUNCT punct 1 ADJ root 0"),
            ("JJ newly-built", "ADV advmod 3 PUNCT punct 1 ADJ root 0"),
            ("NN high-speed", "ADJ amod 3 PUNCT punct 1 NOUN root 0"),
            (
                "JJ state-of-the-art",
                "NOUN compound 7 PUNCT punct 1 ADP case 7 PUNCT punct 3 DET det 7 PUNCT punct 5 ADJ root 0",
            ),
            ("NNP Rolls-Royce", "PROPN compound 3 PUNCT punct 1 PROPN root 0"),
            ("CC and/or", "CCONJ root 0 SYM cc 3 CCONJ conj 1"),
            ("CD 13-17", "NUM root 0 SYM case 3 NUM nmod 1"),
        ] {
            let (tag, word) = tagged.split_once(' ').unwrap();
            let tree = format!("( (FRAG ({tag} {word})))").parse().unwrap();
            let tokens = split_hyphens(crate::ud::convert(&tree));
            let shown = tokens.iter().map(|token| format!("{} {} {}", token.upos, token.deprel, token.head));
            assert_eq!(shown.collect::<Vec<_>>().join(" "), wanted, "{word}");
        }
    }
}
