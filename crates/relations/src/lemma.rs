//! Lemmas of English words, from the word and its Penn tag.
//!
//! Three things decide, in this order: a table of function words and of forms that several verbs share
//! (`function-words.tsv`), tables of irregular forms (`irregular-*.tsv`), and the spelling rules of regular ones. A
//! rule can be undone in several ways (*hoped* could be of *hop* or of *hope*), so it proposes candidates, and a list of
//! known words chooses; for a word that no list has, the candidate that is spelt like an English verb is taken.
//!
//! ```
//! use tracebank_relations::lemma;
//! assert_eq!(lemma("hoped", "VBD"), "hope");
//! assert_eq!(lemma("children", "NNS"), "child");
//! assert_eq!(lemma("phosphorylated", "VBN"), "phosphorylate");
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static FUNCTION_WORDS: LazyLock<BTreeMap<&str, Vec<[&str; 2]>>> = LazyLock::new(|| {
    let mut table: BTreeMap<&str, Vec<[&str; 2]>> = BTreeMap::new();
    for row in rows(include_str!("../data/lemmas/function-words.tsv")) {
        let [tags, form, lemma] = row[..] else { panic!("three columns: {row:?}") };
        table.entry(form).or_default().push([tags, lemma]);
    }
    table
});
static IRREGULAR_VERBS: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| pairs(include_str!("../data/lemmas/irregular-verbs.tsv")));
static IRREGULAR_NOUNS: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| pairs(include_str!("../data/lemmas/irregular-nouns.tsv")));
static IRREGULAR_ADJECTIVES: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| pairs(include_str!("../data/lemmas/irregular-adjectives.tsv")));
static VERBS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| words(include_str!("../data/lemmas/verbs.txt")));
static NOUNS_IN_E: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| words(include_str!("../data/lemmas/nouns-in-e.txt")));
static ADJECTIVES_IN_E: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| words(include_str!("../data/lemmas/adjectives-in-e.txt")));

/// The rows of a table: lines that are no comments, cut at tabs.
pub(crate) fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| line.split('\t').map(str::trim).collect())
}

fn pairs(text: &'static str) -> BTreeMap<&'static str, &'static str> {
    rows(text).map(|row| (row[0], row[1])).collect()
}

fn words(text: &'static str) -> BTreeSet<&'static str> {
    rows(text).map(|row| row[0]).collect()
}

/// The lemma of `word` with the Penn tag `tag`. Proper names keep their capitals.
pub fn lemma(word: &str, tag: &str) -> String {
    let lower = word.to_lowercase();
    let found = by_tables(word, lower.clone(), tag);
    // a word that is nothing but an ending stays
    if found.is_empty() { lower } else { found }
}

fn by_tables(word: &str, lower: String, tag: &str) -> String {
    if let Some(lemma) = function_word(&lower, tag) {
        return lemma.to_owned();
    }
    match tag {
        "VBD" | "VBN" | "VBG" | "VBZ" | "VB" | "VBP" | "MD" => verb(&lower, tag),
        "NNS" => keep_acronym(word, noun(&lower)),
        "NNPS" => capitalised(word, &noun(&lower)),
        "NNP" | "FW" | "ADD" | "GW" => word.to_owned(),
        "JJ" if is_nationality(word) => word.to_owned(),
        "NN" | "JJ" | "AFX" | "SYM" | "LS" => keep_acronym(word, lower),
        "JJR" | "JJS" | "RBR" | "RBS" => adjective(&lower),
        "CD" => number(word, lower),
        _ => lower,
    }
}

fn function_word(lower: &str, tag: &str) -> Option<&'static str> {
    let fits = |tags: &str| tags.strip_suffix('*').map_or(tags == tag, |prefix| tag.starts_with(prefix));
    let rows = FUNCTION_WORDS.get(lower)?;
    // a row for the tag itself goes before one for all tags that begin so
    let exact = rows.iter().find(|[tags, _]| *tags == tag);
    exact.or_else(|| rows.iter().find(|[tags, _]| fits(tags))).map(|[_, lemma]| *lemma)
}

/// Whether an adjective is of a country or a people, and keeps its capital: `Indian`, `Spanish`.
pub(crate) fn is_nationality(word: &str) -> bool {
    const ENDINGS: [&str; 8] = ["ian", "ican", "ese", "ish", "aeli", "raqi", "slim", "Arab"];
    word.starts_with(char::is_uppercase)
        && word.chars().skip(1).all(char::is_lowercase)
        && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// A word that has a capital after its first letter, or a digit, is a name and keeps its letters: `DNA`, `p53`.
fn is_acronym(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    singular.chars().skip(1).any(char::is_uppercase)
        && !singular.chars().all(|c| c.is_uppercase() || c == '-')
        || (singular.chars().count() > 1 && singular.chars().all(|c| c.is_uppercase() || !c.is_alphabetic()))
}

fn keep_acronym(word: &str, lemma: String) -> String {
    match word.get(..lemma.len()) {
        Some(start) if is_acronym(word) && start.to_lowercase() == lemma => start.to_owned(),
        _ => lemma,
    }
}

fn capitalised(word: &str, lemma: &str) -> String {
    match word.get(..lemma.len()) {
        Some(start) if start.to_lowercase() == lemma => start.to_owned(),
        _ => {
            let mut letters = lemma.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            first + letters.as_str()
        }
    }
}

/// A number in figures without the commas that group its digits.
fn number(word: &str, lower: String) -> String {
    let grouped = word
        .split(',')
        .skip(1)
        .all(|group| group.len() >= 3 && group.as_bytes()[..3].iter().all(u8::is_ascii_digit));
    if word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(',') && grouped {
        return word.replace(',', "");
    }
    lower
}

fn verb(form: &str, tag: &str) -> String {
    if matches!(tag, "VB" | "MD") {
        return form.to_owned();
    }
    if tag == "VBP" {
        return match form {
            "am" | "are" => "be".to_owned(),
            _ => form.to_owned(),
        };
    }
    if let Some(lemma) = IRREGULAR_VERBS.get(form) {
        return (*lemma).to_owned();
    }
    // in `re-made` and `co-written` the second part is the verb
    if let Some((prefix, rest)) = form.rsplit_once('-')
        && !rest.is_empty()
        && !VERBS.contains(form)
    {
        return format!("{prefix}-{}", verb(rest, tag));
    }
    let ending = match tag {
        "VBZ" => return third_person(form),
        "VBG" => {
            form.strip_suffix("ing").or_else(|| form.strip_suffix("in")).or_else(|| form.strip_suffix("in'"))
        }
        _ => form.strip_suffix("ed").or_else(|| form.strip_suffix("'d")),
    };
    let Some(stem) = ending.filter(|stem| stem.contains(is_vowel)) else {
        return match PREFIXES
            .iter()
            .find_map(|prefix| Some((prefix, IRREGULAR_VERBS.get(form.strip_prefix(prefix)?)?)))
        {
            Some((prefix, lemma)) => format!("{prefix}{lemma}"),
            None => form.to_owned(),
        };
    };
    let candidates = of_stem(stem);
    let known = |word: &String| VERBS.contains(word.as_str());
    let derived = |word: &String| {
        PREFIXES.iter().any(|prefix| word.strip_prefix(prefix).is_some_and(|rest| VERBS.contains(rest)))
    };
    let choice =
        candidates.iter().find(|word| known(word)).or_else(|| candidates.iter().find(|word| derived(word)));
    choice.cloned().unwrap_or_else(|| unknown(stem))
}

/// Prefixes with which new verbs are made of known ones.
const PREFIXES: [&str; 14] =
    ["re", "co", "over", "under", "pre", "de", "mis", "out", "un", "up", "down", "trans", "inter", "dis"];

/// The verbs that could have this stem before -ed or -ing, likeliest first.
fn of_stem(stem: &str) -> Vec<String> {
    let with_e = format!("{stem}e");
    if let Some(single) = undoubled(stem) {
        return vec![single.to_owned(), stem.to_owned(), with_e];
    }
    if let Some(body) = stem.strip_suffix('i') {
        return vec![format!("{body}y"), with_e, stem.to_owned()];
    }
    if let Some(body) = stem.strip_suffix("ck") {
        return vec![stem.to_owned(), format!("{body}c")];
    }
    // *hop* would have doubled its consonant
    if is_short(stem) { vec![with_e, stem.to_owned()] } else { vec![stem.to_owned(), with_e] }
}

/// Ends of stems behind which a verb has a silent -e.
const SILENT: [&str; 25] = [
    "at", "iz", "yz", "is", "iv", "uc", "ag", "ur", "in", "bl", "tl", "dl", "gl", "cl", "pl", "c", "v", "u",
    "yp", "yl", "g", "os", "us", "id", "ir",
];

fn unknown(stem: &str) -> String {
    if let Some(body) = stem.strip_suffix('i') {
        return format!("{body}y");
    }
    if let Some(single) = undoubled(stem)
        && !stem.ends_with(['s', 'l', 'f', 'z'])
    {
        return single.to_owned();
    }
    let silent =
        SILENT.iter().any(|end| stem.ends_with(end)) && !stem.ends_with("ng") && !stem.ends_with("ain");
    if silent || is_short(stem) { format!("{stem}e") } else { stem.to_owned() }
}

fn third_person(form: &str) -> String {
    let Some(stem) = form.strip_suffix('s') else { return form.to_owned() };
    if let Some(body) = stem.strip_suffix("ie")
        && body.len() > 1
    {
        return format!("{body}y");
    }
    if let Some(body) = stem.strip_suffix('e') {
        let sibilant = body.ends_with(['s', 'x', 'z', 'o']) || body.ends_with("ch") || body.ends_with("sh");
        if sibilant && !VERBS.contains(stem) {
            return body.to_owned();
        }
    }
    if form.ends_with("ss") { form.to_owned() } else { stem.to_owned() }
}

fn noun(form: &str) -> String {
    if let Some(lemma) = IRREGULAR_NOUNS.get(form) {
        return (*lemma).to_owned();
    }
    if let Some((first, last)) = form.rsplit_once('-')
        && !last.is_empty()
    {
        return format!("{first}-{}", noun(last));
    }
    if form.starts_with(|c: char| c.is_ascii_digit()) {
        return form.to_owned();
    }
    for (ending, singular) in [("men", "man"), ("children", "child"), ("people", "people")] {
        if let Some(start) = form.strip_suffix(ending) {
            return format!("{start}{singular}");
        }
    }
    let Some(stem) =
        form.strip_suffix("'s").or_else(|| form.strip_suffix("’s")).or_else(|| form.strip_suffix('s'))
    else {
        return form.to_owned();
    };
    if stem.ends_with('s') || stem.ends_with("ou") || stem.len() < 2 || form.ends_with("is") && form.len() > 4
    {
        return form.to_owned();
    }
    if let Some(body) = stem.strip_suffix("ie")
        && body.len() > 1
    {
        return if NOUNS_IN_E.contains(stem) { stem.to_owned() } else { format!("{body}y") };
    }
    if let Some(body) = stem.strip_suffix('e') {
        let sibilant = body.ends_with(['s', 'x', 'z', 'o']) || body.ends_with("ch") || body.ends_with("sh");
        if sibilant && !NOUNS_IN_E.contains(stem) {
            return body.to_owned();
        }
    }
    stem.to_owned()
}

fn adjective(form: &str) -> String {
    if let Some(lemma) = IRREGULAR_ADJECTIVES.get(form) {
        return (*lemma).to_owned();
    }
    let Some(stem) = form.strip_suffix("est").or_else(|| form.strip_suffix("er")) else {
        return form.to_owned();
    };
    if let Some(body) = stem.strip_suffix('i') {
        return format!("{body}y");
    }
    let with_e = format!("{stem}e");
    if ADJECTIVES_IN_E.contains(with_e.as_str()) {
        return with_e;
    }
    match undoubled(stem) {
        Some(single) if !stem.ends_with(['l', 's']) => single.to_owned(),
        _ => stem.to_owned(),
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// `stop` of `stopp`.
fn undoubled(stem: &str) -> Option<&str> {
    let mut last = stem.chars().rev();
    let (a, b) = (last.next()?, last.next()?);
    (a == b && !is_vowel(a)).then(|| &stem[..stem.len() - a.len_utf8()])
}

/// Whether a stem is of one syllable, with one vowel and one consonant behind it, as `hop`.
fn is_short(stem: &str) -> bool {
    let letters: Vec<char> = stem.chars().collect();
    let vowels = letters.iter().filter(|&&letter| is_vowel(letter)).count();
    let n = letters.len();
    vowels == 1
        && n >= 2
        && is_vowel(letters[n - 2])
        && !is_vowel(letters[n - 1])
        && !matches!(letters[n - 1], 'w' | 'x')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_a_rule() {
        let cases = [
            ("She", "PRP", "she"),
            ("me", "PRP", "I"),
            ("n't", "RB", "not"),
            ("wo", "MD", "will"),
            ("'s", "VBZ", "be"),
            ("'s", "POS", "'s"),
            ("'d", "MD", "would"),
            ("'d", "VBD", "have"),
            ("went", "VBD", "go"),
            ("found", "VBD", "find"),
            ("found", "VB", "found"),
            ("hoped", "VBD", "hope"),
            ("hopped", "VBD", "hop"),
            ("walked", "VBN", "walk"),
            ("passed", "VBN", "pass"),
            ("controlled", "VBN", "control"),
            ("tried", "VBD", "try"),
            ("tries", "VBZ", "try"),
            ("dies", "VBZ", "die"),
            ("goes", "VBZ", "go"),
            ("passes", "VBZ", "pass"),
            ("uses", "VBZ", "use"),
            ("being", "VBG", "be"),
            ("making", "VBG", "make"),
            ("running", "VBG", "run"),
            ("seeing", "VBG", "see"),
            ("panicking", "VBG", "panic"),
            ("phosphorylated", "VBN", "phosphorylate"),
            ("immunoprecipitated", "VBN", "immunoprecipitate"),
            ("co-expressed", "VBN", "co-express"),
            ("overwritten", "VBN", "overwrite"),
            ("are", "VBP", "be"),
            ("children", "NNS", "child"),
            ("firemen", "NNS", "fireman"),
            ("houses", "NNS", "house"),
            ("buses", "NNS", "bus"),
            ("companies", "NNS", "company"),
            ("movies", "NNS", "movie"),
            ("analyses", "NNS", "analysis"),
            ("series", "NN", "series"),
            ("DNAs", "NNS", "DNA"),
            ("States", "NNPS", "State"),
            ("Companies", "NNPS", "Company"),
            ("larger", "JJR", "large"),
            ("older", "JJR", "old"),
            ("biggest", "JJS", "big"),
            ("happier", "JJR", "happy"),
            ("better", "RBR", "well"),
            ("better", "JJR", "good"),
            ("10,000", "CD", "10000"),
            ("The", "DT", "the"),
            ("those", "DT", "that"),
            ("Google", "NNP", "Google"),
        ];
        for (word, tag, wanted) in cases {
            assert_eq!(lemma(word, tag), wanted, "{word} {tag}");
        }
    }
}
