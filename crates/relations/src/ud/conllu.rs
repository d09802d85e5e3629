//! CoNLL-U.

use std::fmt::Write as _;

use super::UdToken;

/// Escapes of the Penn Treebank, and the marks they stand for.
const ESCAPES: [(&str, &[&str]); 13] = [
    ("-LRB-", &["("]),
    ("-RRB-", &[")"]),
    ("-LSB-", &["["]),
    ("-RSB-", &["]"]),
    ("-LCB-", &["{"]),
    ("-RCB-", &["}"]),
    ("``", &["\"", "“", "«", "„"]),
    ("''", &["\"", "”", "»"]),
    ("`", &["'", "‘"]),
    ("'", &["’", "`"]),
    ("--", &["—", "–"]),
    ("...", &["…"]),
    ("\\/", &["/"]),
];

/// A word of a treebank without its escapes: `-LRB-` is `(`.
pub fn plain(word: &str) -> String {
    let word = &word.replace(char::is_whitespace, "_");
    let escaped = ESCAPES.iter().take(8).find(|(escape, _)| escape == word);
    if let Some((_, marks)) = escaped {
        marks[0].to_owned()
    } else {
        let brackets =
            ESCAPES[..6].iter().fold(word.clone(), |word, (escape, marks)| word.replace(escape, marks[0]));
        brackets.replace("\\/", "/").replace("\\*", "*")
    }
}

/// A sentence as CoNLL-U, with the blank line behind it; nothing for no tokens.
///
/// Words are looked for in `text`, which gives them their spelling there and says where no space follows.
pub fn write(tokens: &[UdToken], sent_id: &str, text: &str) -> String {
    let mut out = String::new();
    if tokens.is_empty() {
        return out;
    }
    let (forms, text) = align(tokens, text);
    writeln!(out, "# sent_id = {sent_id}\n# text = {text}").expect("writing to a string");
    for (at, (token, (form, glued))) in tokens.iter().zip(&forms).enumerate() {
        let mut misc = token.misc.clone();
        if *glued {
            misc.push("SpaceAfter=No".to_owned());
        }
        misc.extend(token.chars.as_ref().map(|chars| format!("TokenRange={}:{}", chars.start, chars.end)));
        let list = |items: &[String]| if items.is_empty() { "_".to_owned() } else { items.join("|") };
        let deps: Vec<String> = token.deps.iter().map(|(head, label)| format!("{head}:{label}")).collect();
        let lemma = if token.form == token.lemma { form } else { &token.lemma };
        writeln!(
            out,
            "{}\t{form}\t{lemma}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            at + 1,
            token.upos,
            token.xpos,
            list(&token.feats),
            token.head,
            token.deprel,
            list(&deps),
            list(&misc),
        )
        .expect("writing to a string");
    }
    out.push('\n');
    out
}

/// The forms as they stand in the text, whether the next one follows without a space, and the text that they make; of words that are not in it, the
/// words.
fn align(tokens: &[UdToken], text: &str) -> (Vec<(String, bool)>, String) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut forms = Vec::new();
    let mut rest = text.as_str();
    for token in tokens {
        let spellings =
            ESCAPES.iter().filter(|(escape, _)| *escape == token.form || plain(escape) == token.form);
        let mut spellings: Vec<&str> =
            spellings.flat_map(|(escape, marks)| marks.iter().copied().chain([*escape])).collect();
        spellings.insert(0, &token.form);
        let found = spellings.into_iter().find_map(|form| split_prefix(rest, form));
        let found = found.or_else(|| split_dots(rest, &token.form));
        let Some((form, behind)) = found else {
            forms = tokens.iter().map(|token| (token.form.clone(), false)).collect();
            break;
        };
        let glued = !behind.starts_with(' ') && !behind.is_empty();
        forms.push((form.replace(' ', ""), glued));
        rest = behind.trim_start();
    }
    let text: String =
        forms.iter().flat_map(|(form, glued)| [form.as_str(), if *glued { "" } else { " " }]).collect();
    (forms, text.trim_end().to_owned())
}

/// The start of `text` that has the dots of `form` with spaces between them, and what is behind it: no word of CoNLL-U may hold a space.
fn split_dots<'a>(text: &'a str, form: &str) -> Option<(&'a str, &'a str)> {
    let spaced = form.split("").filter(|dot| !dot.is_empty()).collect::<Vec<_>>().join(" ");
    form.bytes().all(|byte| byte == b'.').then(|| split_prefix(text, &spaced))?
}

/// The start of `text` that reads `form`, whatever its apostrophes look like, and what is behind it.
fn split_prefix<'a>(text: &'a str, form: &str) -> Option<(&'a str, &'a str)> {
    let same = |a: char, b: char| a == b || [a, b].iter().all(|c| matches!(c, '\'' | '’' | '‘' | '`'));
    let mut end = 0;
    let mut letters = text.chars();
    for wanted in form.chars() {
        let letter = letters.next().filter(|&letter| same(letter, wanted))?;
        end += letter.len_utf8();
    }
    Some(text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(tree: &str, text: &str) -> String {
        let tokens = crate::ud::convert(&tree.parse().unwrap());
        align(&tokens, text).1
    }

    #[test]
    fn the_text_is_that_of_the_forms() {
        let tree = "( (S (VP (VB Wait) (: ....) (NP (`` ``) (NN tea) ('' '')))))";
        assert_eq!(aligned(tree, "Wait.... “tea”"), "Wait.... “tea”");
        // dots with spaces between them lose the spaces and no dot
        assert_eq!(aligned(tree, "Wait . . . .  \"tea\""), "Wait .... \"tea\"");
        // words that are not in the text
        assert_eq!(aligned(tree, "Wait ... tea"), "Wait .... \" tea \"");
    }
}
