//! Any text is a pattern or an error whose place is in the text; a pattern reads back from its printed form.

use tracebank_search::Pattern;

/// One attack. Panics where a promise does not hold.
pub fn attack(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    match Pattern::parse(text) {
        Ok(pattern) => assert_eq!(Pattern::parse(&pattern.to_string()).as_ref(), Ok(&pattern)),
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some());
            let _ = error.to_string();
        }
    }
}
