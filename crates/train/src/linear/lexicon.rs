//! The counts that a lexicon is made of.

use std::collections::BTreeMap;

use tracebank_linear::lexicon::{Entry, Lexicon};
use tracebank_parser::gold::Gold;

/// The lexicon of sentences with `tags` different tags.
pub(super) fn count<'e>(sentences: impl Iterator<Item = (&'e [String], &'e Gold)>, tags: usize) -> Lexicon {
    let mut words: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut by_tag = vec![Counts::default(); tags];
    for (forms, gold) in sentences {
        for (word, form) in forms.iter().enumerate() {
            let tag = gold.tags[word].map(|tag| tag.0);
            let spine = gold.spines[word].map(|spine| spine.0);
            let function = gold.functions[word].map(|function| function.0);
            words.entry(form).or_default().add(tag, spine, function);
            if let Some(tag) = tag {
                by_tag[tag as usize].add(Some(tag), spine, function);
            }
        }
    }
    let words = words.into_iter().map(|(word, counts)| (word.to_owned(), counts.entry()));
    Lexicon::new(words.collect(), by_tag.into_iter().map(Counts::entry).collect())
}

#[derive(Clone, Default)]
struct Counts {
    count: u32,
    seen: [BTreeMap<u16, u32>; 3],
}

impl Counts {
    fn add(&mut self, tag: Option<u16>, spine: Option<u16>, function: Option<u16>) {
        self.count += 1;
        for (seen, id) in self.seen.iter_mut().zip([tag, spine, function]) {
            if let Some(id) = id {
                *seen.entry(id).or_default() += 1;
            }
        }
    }

    fn entry(self) -> Entry {
        let ranked = |seen: BTreeMap<u16, u32>| {
            let mut ranked: Vec<(u16, u32)> = seen.into_iter().collect();
            ranked.sort_by_key(|&(id, count)| (std::cmp::Reverse(count), id));
            ranked.into_iter().map(|(id, _)| id).collect()
        };
        let [tags, spines, functions] = self.seen.map(ranked);
        Entry { count: self.count, tags, spines, functions }
    }
}
