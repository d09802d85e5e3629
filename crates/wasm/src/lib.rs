//! The page's operations and the parser as a WebAssembly module.
//!
//! The module has no bindings of its own making and imports nothing: JavaScript writes UTF-8 into memory that it [allocates](allocate), calls,
//! and reads the answer out of memory that it [releases](release). A result is one number of 64 bits, the address in its upper half and the
//! length in its lower. `crates/page/files/worker.js` is the other side.

use std::cell::RefCell;

use serde_json::json;
use tracebank::Parser;
use tracebank_page::Problem;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Memory for `length` bytes, which [`release`] or a call that takes it gives back.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Gives memory back.
///
/// # Safety
/// `address` and `length` are those of [`allocate`] or of a result, and this is done once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(address: *mut u8, length: usize) {
    // SAFETY: the caller's promise.
    drop(unsafe { taken(address, length) });
}

/// Loads a model, and takes its memory. The result is empty, or a problem as JSON.
///
/// # Safety
/// As for [`release`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn load(address: *mut u8, length: usize) -> u64 {
    // SAFETY: the caller's promise.
    let bytes = unsafe { taken(address, length) };
    given(match Parser::from_bytes(bytes.into_vec()) {
        Ok(parser) => {
            PARSER.set(Some(parser));
            String::new()
        }
        Err(error) => Problem::new(422, "model", error.to_string()).to_json().to_string(),
    })
}

/// Answers a request, `{"operation": …, "body": …}`, and takes its memory. The result is `{"media": …, "text": …}` or `{"problem": …}`.
///
/// # Safety
/// As for [`release`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(address: *mut u8, length: usize) -> u64 {
    // SAFETY: the caller's promise.
    let bytes = unsafe { taken(address, length) };
    let answer = request(&bytes).and_then(|(operation, body)| {
        PARSER.with_borrow(|parser| tracebank_page::answer(&operation, &body, parser.as_ref()))
    });
    given(match answer {
        Ok(answer) => json!({"media": answer.media, "text": answer.text}).to_string(),
        Err(problem) => json!({"problem": problem.to_json()}).to_string(),
    })
}

fn request(bytes: &[u8]) -> Result<(String, String), Problem> {
    let bad = |error: &dyn std::fmt::Display| Problem::new(400, "json", error.to_string());
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|error| bad(&error))?;
    let operation = value["operation"].as_str().ok_or_else(|| bad(&"there is no operation"))?;
    Ok((operation.to_owned(), value["body"].to_string()))
}

/// The memory that JavaScript hands over.
///
/// # Safety
/// As for [`release`].
unsafe fn taken(address: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: `allocate` and `given` make boxed slices of this length, and nobody has taken this one yet.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) }
}

/// Memory that JavaScript has to release, with its length.
fn given(text: String) -> u64 {
    let bytes = text.into_bytes().into_boxed_slice();
    let length = bytes.len() as u64;
    (Box::into_raw(bytes).cast::<u8>().addr() as u64) << 32 | length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_goes_out_and_comes_back() {
        let address = allocate(3);
        // SAFETY: these are three bytes that nobody else has.
        let bytes = unsafe {
            address.copy_from_nonoverlapping([7u8, 8, 9].as_ptr(), 3);
            taken(address, 3)
        };
        assert_eq!(*bytes, [7, 8, 9]);
    }

    #[test]
    fn a_request_names_its_operation() {
        let (operation, body) = request(br#"{"operation": "draw", "body": {"tree": "(A b)"}}"#).unwrap();
        assert_eq!((operation.as_str(), body.as_str()), ("draw", r#"{"tree":"(A b)"}"#));
        assert!(request(b"{}").is_err() && request(b"\xff").is_err());
    }
}
