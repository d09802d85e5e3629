//! Small files that are read whole: recipes, patterns, parameters, tokens. One without an end is refused, and takes no memory before that.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::failure::Failure;

/// The most bytes of a file that somebody wrote by hand.
const MOST: u64 = 16 << 20;

/// The bytes of a file, which has at most `most` of them.
pub(crate) fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let at = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| at(&error))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| at(&error))?;
    if bytes.len() as u64 > most {
        return Err(at(&format!("it has more than {} MiB, which is not what is wanted here", most >> 20)));
    }
    Ok(bytes)
}

/// The text of a file, without the mark that some editors put before it.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let text = String::from_utf8(bytes(path, MOST)?)
        .map_err(|error| Failure(format!("{}: it is not UTF-8: {}", path.display(), error.utf8_error())))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_limit_and_no_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.prm");
        std::fs::write(&path, "\u{feff}MAX_ERROR 10\n").unwrap();
        assert_eq!(text(&path).unwrap(), "MAX_ERROR 10\n");
        assert!(bytes(&path, 16).unwrap().len() == 16 && bytes(&path, 15).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_an_end_is_refused() {
        let error = text(Path::new("/dev/zero")).unwrap_err().to_string();
        assert!(error.starts_with("/dev/zero: it has more than 16 MiB"), "{error}");
    }
}
