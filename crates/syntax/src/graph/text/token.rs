//! Words and tags that a tree can hold, whatever form it is read from.

use crate::tree::{NON_WORD_TAGS, NULL_TAG};

/// Characters that end a label or a word in brackets. Only ASCII is blank there: words of CRAFT contain U+2009.
pub(super) const ENDS: [char; 8] = ['(', ')', ' ', '\t', '\n', '\r', '\x0b', '\x0c'];

/// A reason why something has no place in a tree.
pub type Refusal = &'static str;

/// The reason why brackets cannot hold a word, if there is one.
pub fn check_form(form: &str) -> Result<(), Refusal> {
    if form.is_empty() {
        Err("an empty word or tag has no place in a tree")
    } else if form.contains(ENDS) {
        Err("a word or tag with a bracket or a blank in it has no place in a tree")
    } else {
        Ok(())
    }
}

/// The reason why a word cannot have this tag, if there is one. An index may have left a hole in it: `ID-()`.
pub fn check_tag(tag: &str) -> Result<(), Refusal> {
    check_form(&tag.replace("()", ""))?;
    if NON_WORD_TAGS.contains(&tag) {
        Err("a word cannot be tagged as a null element or a mark")
    } else {
        Ok(())
    }
}

/// The reason why a mark inside a spine cannot be so, if there is one.
pub(super) fn check_mark(tag: &str, text: &str) -> Result<(), Refusal> {
    check_form(text)?;
    if tag != NULL_TAG && NON_WORD_TAGS.contains(&tag) {
        Ok(())
    } else {
        Err("a mark has the tag SU, CODE or ID")
    }
}
