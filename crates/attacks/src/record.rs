//! Any bytes beside an unfinished file are the record of a run or are refused; a record is never believed beyond the file it tells of.

// The command line offers nothing but `run`, and building all of it for one file would be dear: the file is taken as it stands.
#[path = "../../cli/src/record.rs"]
#[allow(dead_code, unreachable_pub)]
mod of_run;

use of_run::{Fingerprint, Record};

/// One attack. Panics where a promise does not hold.
pub fn attack(input: &[u8]) {
    // The last bytes are the length of the file that the record tells of.
    let (bytes, length) = input.split_at(input.len().saturating_sub(4));
    let length = length.iter().rev().fold(0, |length, &byte| length << 8 | u64::from(byte));
    let ours = Fingerprint::from([("model".to_owned(), "a".to_owned())]);
    let Ok(record) = Record::parse(bytes) else { return };
    let again = Record::parse(record.to_text().as_bytes());
    assert_eq!(again.as_ref(), Ok(&record));
    match record.check(&ours, length) {
        Ok(()) => assert!(record.bytes <= length && record.fingerprint == ours),
        Err(reason) => assert!(!reason.is_empty()),
    }
}
