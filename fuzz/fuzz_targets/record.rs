//! Any bytes beside an unfinished file are the record of a run or are refused; a record is never believed beyond the file it tells of.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/cli/src/record.rs"]
#[allow(dead_code, unreachable_pub)]
mod record;

use record::{Fingerprint, Record};

fuzz_target!(|input: (&[u8], u32)| {
    let (bytes, length) = (input.0, u64::from(input.1));
    let ours = Fingerprint::from([("model".to_owned(), "a".to_owned())]);
    let Ok(record) = Record::parse(bytes) else { return };
    let again = Record::parse(record.to_text().as_bytes());
    assert_eq!(again.as_ref(), Ok(&record));
    match record.check(&ours, length) {
        Ok(()) => assert!(record.bytes <= length && record.fingerprint == ours),
        Err(reason) => assert!(!reason.is_empty()),
    }
});
