//! Any text is a pattern or an error whose place is in the text; a pattern reads back from its printed form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tracebank_search::Pattern;

fuzz_target!(|text: &str| {
    match Pattern::parse(text) {
        Ok(pattern) => assert_eq!(Pattern::parse(&pattern.to_string()).as_ref(), Ok(&pattern)),
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some());
            let _ = error.to_string();
        }
    }
});
