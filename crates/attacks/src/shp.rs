//! Any bytes can be read in the authors' form, and a tree that was read from it and can be written is read again.

use tracebank_shp::{Reader, Style, write};

/// One attack. Panics where a promise does not hold.
pub fn attack(bytes: &[u8]) {
    for tree in Reader::new(bytes).flatten() {
        for functions in [true, false] {
            for redirect_gaps in [true, false] {
                let style = Style { functions, redirect_gaps, comments: functions };
                let Ok(text) = write(&tree, &style) else { continue };
                let again: Vec<_> = Reader::new(text.as_bytes()).collect();
                assert!(
                    matches!(&again[..], [Ok(again)] if again.words().eq(tree.words())),
                    "{tree}\n{text}\n{again:?}"
                );
            }
        }
    }
}
