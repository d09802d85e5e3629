//! Paths of the trees that tests read.
//!
//! Free trees are in the repository ([`free`]), and tests that read them run everywhere. Whole treebanks, and the output of other programs over
//! them, stay outside ([`treebank`], [`oracle`]): the variable `TREEBANKS` names their folder. A test that needs them is marked
//! `#[ignore = "needs TREEBANKS"]` and belongs to a test target called `treebanks`, so that a green run on a clone means what it says, and one
//! command runs all of them:
//!
//! ```text
//! TREEBANKS=/path/to/treebanks cargo test --workspace --test treebanks -- --ignored
//! ```

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};

/// The path of a free file in `treebank/`.
///
/// ```
/// assert!(tracebank_testdata::free("handmade.mrg").is_file());
/// ```
pub fn free(file: &str) -> PathBuf {
    existing(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../treebank").join(file))
}

/// The path of a file in the folder that `TREEBANKS` names.
pub fn treebank(file: &str) -> PathBuf {
    existing(treebanks().join(file))
}

/// The path of another program's output, in the folder `oracle` beside the one that `TREEBANKS` names.
pub fn oracle(file: &str) -> PathBuf {
    existing(treebanks().join("../oracle").join(file))
}

/// The folder that `TREEBANKS` names.
///
/// # Panics
/// Where the variable is not set: only a test that was asked for by `--ignored` comes here, and it must not pass without its data.
pub fn treebanks() -> PathBuf {
    std::env::var_os("TREEBANKS")
        .map(PathBuf::from)
        .expect("the variable TREEBANKS names the folder of the treebanks")
}

fn existing(path: PathBuf) -> PathBuf {
    assert!(path.exists(), "there is no {}", path.display());
    path
}
