//! Files, standard input and gzip streams as one kind of input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::error::ReadError;

const BUFFER: usize = 1 << 16;

/// A stream to read from, with the name that errors call it by. A gzip stream is told by its first two bytes, not by its name.
pub struct Input {
    /// The file's name, `<stdin>` for standard input.
    pub name: String,
    /// Its bytes, unpacked.
    pub stream: Box<dyn BufRead + Send>,
}

impl Input {
    /// Opens `path`; `-` is standard input.
    pub fn open(path: &Path) -> Result<Input, ReadError> {
        let failed = |error: io::Error| ReadError::Open { path: path.to_owned(), reason: error.to_string() };
        if path == Path::new("-") {
            return Input::from_reader("<stdin>", io::stdin()).map_err(failed);
        }
        let file = File::open(path).map_err(failed)?;
        Input::from_reader(&path.display().to_string(), file).map_err(failed)
    }

    /// An input from any stream.
    pub fn from_reader(name: &str, source: impl Read + Send + 'static) -> io::Result<Input> {
        let mut source = BufReader::with_capacity(BUFFER, source);
        let is_gzip = source.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let stream: Box<dyn BufRead + Send> = if is_gzip {
            Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(source)))
        } else {
            Box::new(source)
        };
        Ok(Input { name: name.to_owned(), stream })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    #[test]
    fn gzip_is_unpacked_whatever_its_name() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(b"(A a)\n").unwrap();
        let mut two_members = packed.finish().unwrap();
        two_members.extend_from_within(..);
        let mut text = String::new();
        let mut input = Input::from_reader("x", io::Cursor::new(two_members)).unwrap();
        input.stream.read_to_string(&mut text).unwrap();
        assert_eq!(text, "(A a)\n(A a)\n");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Input::open(Path::new("no/such/file.mrg")).err().unwrap();
        assert!(error.to_string().starts_with("no/such/file.mrg: "), "{error}");
    }
}
