//! A parse as Universal Dependencies in CoNLL-U; `docs/conllu-format.md` says what is where.

use tracebank_relations::ud;

use super::Record;

/// The lines of a sentence with the blank line behind them; nothing for a sentence without words, which CoNLL-U cannot hold.
pub(super) fn text(record: Record<'_>) -> String {
    let parse = record.parse;
    let mut tokens = ud::convert(parse.model_tree.as_ref().unwrap_or(&parse.tree));
    for (token, found) in tokens.iter_mut().zip(&parse.tokens) {
        token.chars = Some(found.chars.start + parse.start_char..found.chars.end + parse.start_char);
    }
    let sentence = ud::write(&ud::split_hyphens(tokens), &sent_id(record), &parse.text);
    if sentence.is_empty() { sentence } else { format!("# outcome = {}\n{sentence}", parse.outcome) }
}

/// The name of a sentence: the id of its JSON line, else file and number, else where it begins. It is without white space and slashes, which
/// the format reserves.
pub(super) fn sent_id(Record { parse, id, origin }: Record<'_>) -> String {
    let part = origin.and_then(|origin| origin.part).map_or(String::new(), |part| format!("-{}", part + 1));
    let name = match (id, origin) {
        (Some(id), _) => format!("{id}{part}"),
        (None, Some(origin)) => format!("{}:{}", origin.file, origin.number),
        (None, None) => parse.start_char.to_string(),
    };
    name.replace(|c: char| c.is_whitespace() || c.is_control() || c == '/', "_")
}
