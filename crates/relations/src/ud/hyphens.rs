//! Words with hyphens, cut as the English treebanks of Universal Dependencies cut them: *text-based* is three words there.

use super::UdToken;

/// Prefixes that stay with their word.
const PREFIXES: [&str; 22] = [
    "non", "re", "co", "pre", "anti", "un", "e", "semi", "multi", "mid", "ex", "de", "sub", "post", "pro",
    "counter", "mis", "over", "ultra", "inter", "bi", "x",
];

/// The parts of a word, hyphens among them; one part if it is not to be cut.
fn parts(form: &str) -> Vec<&str> {
    let words: Vec<&str> = form.split('-').collect();
    let is_word = |part: &&str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '\'' | '’'))
    };
    let letters = words.iter().any(|part| part.chars().filter(|c| c.is_alphabetic()).count() > 1);
    if words.len() < 2
        || !words.iter().all(is_word)
        || !letters
        || PREFIXES.contains(&words[0].to_lowercase().as_str())
    {
        return vec![form];
    }
    let mut found = vec![words[0]];
    for word in &words[1..] {
        found.extend(["-", word]);
    }
    found
}

/// The tokens with their hyphenated words cut: the last part takes the place of the whole, and the others depend on it.
pub fn split_hyphens(tokens: Vec<UdToken>) -> Vec<UdToken> {
    // the new place of each token's head part, counted from 1
    let mut place = vec![0];
    let mut end = 0;
    for token in &tokens {
        end += parts(&token.form).len();
        place.push(end);
    }
    let mut found = Vec::with_capacity(end);
    for (at, token) in tokens.into_iter().enumerate() {
        let form = token.form.clone();
        let pieces = parts(&form);
        let head = place[at + 1];
        let governor = place[token.head];
        let deps: Vec<(usize, String)> =
            token.deps.iter().map(|(head, label)| (place[*head], label.clone())).collect();
        let first = head + 1 - pieces.len();
        // the parts stand one behind another, unless the text has it otherwise
        let mut at = token.chars.clone().filter(|chars| chars.len() == form.chars().count());
        let mut take = |text: &str| {
            let chars = at.as_mut()?;
            let start = chars.start;
            chars.start += text.chars().count();
            Some(start..chars.start)
        };
        for (piece, text) in pieces.iter().enumerate() {
            let last = piece + 1 == pieces.len();
            let chars = if pieces.len() == 1 { token.chars.clone() } else { take(text) };
            if last {
                let lemma = if pieces.len() == 1 { token.lemma.clone() } else { part_lemma(text, &token) };
                let form = (*text).to_owned();
                found.push(UdToken {
                    form,
                    lemma,
                    head: governor,
                    deps: deps.clone(),
                    chars,
                    ..token.clone()
                });
                continue;
            }
            let (upos, xpos, label, governor) = match *text {
                "-" => ("PUNCT", "HYPH", "punct", first + piece - 1),
                _ if text.chars().all(|c| c.is_ascii_digit()) => ("NUM", "CD", "nummod", head),
                _ if token.upos == "PROPN" => ("PROPN", "NNP", "compound", head),
                _ => ("NOUN", "NN", "compound", head),
            };
            found.push(UdToken {
                form: (*text).to_owned(),
                lemma: if upos == "PROPN" { (*text).to_owned() } else { text.to_lowercase() },
                upos,
                xpos: xpos.to_owned(),
                feats: match upos {
                    "NUM" => vec!["NumForm=Digit".to_owned(), "NumType=Card".to_owned()],
                    "PUNCT" => Vec::new(),
                    _ => vec!["Number=Sing".to_owned()],
                },
                head: governor,
                deprel: label.to_owned(),
                deps: vec![(governor, label.to_owned())],
                chars,
                misc: Vec::new(),
            });
        }
    }
    found
}

fn part_lemma(text: &str, token: &UdToken) -> String {
    crate::lemma(text, &token.xpos)
}
