//! Results: standard output, a device, or a file that appears only when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use miette::Result;

use crate::failure::{Failure, Misuse, write_failure};
use crate::fault::{self, Fallible};
use crate::unfinished::Unfinished;

/// The file that a command writes, the same for every command.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct OutputArguments {
    /// Write to this file, which appears only when it is complete; `-` is standard output, and a name that ends in .gz is written as gzip
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite the file if there is one, or files in a folder that is written to
    #[arg(long)]
    pub(crate) force: bool,
}

impl OutputArguments {
    /// The file, if it is not standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.out.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Whether it is a terminal that shows colours.
    pub(crate) fn shows_colours(&self) -> bool {
        self.path().is_none() && AutoStream::choice(&io::stdout()) != ColorChoice::Never
    }

    /// Opens it.
    pub(crate) fn open(&self) -> Result<Output> {
        match self.path() {
            None => Ok(Output::stdout()),
            Some(path) => Output::file(path, self.force),
        }
    }
}

/// The thing that a path names.
pub(crate) enum Place {
    /// A device or a FIFO, which is written through: it is somebody else's, and must not be replaced by a file. It is not opened before
    /// there is something to write: a FIFO's reader would take the closing for the end.
    Device(PathBuf),
    /// A file, or the place of one, at the end of all symbolic links.
    File(PathBuf),
}

/// More links than this are taken for a circle.
const MOST_LINKS: usize = 40;

impl Place {
    /// Finds what `path` names. A file that is there is an error unless `force` says that it may go, and so is a folder that is not.
    pub(crate) fn of(path: &Path, force: bool) -> Result<Place> {
        let mut place = path.to_owned();
        for _ in 0..MOST_LINKS {
            let kind = match fs::symlink_metadata(&place) {
                Ok(metadata) => metadata.file_type(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::metadata(folder_of(&place)).map_err(|error| unwritable(path, &error))?;
                    return Ok(Place::File(place));
                }
                Err(error) => return Err(unwritable(path, &error).into()),
            };
            // A link that is none on the disk, as that of /dev/stdout to a pipe, leads nowhere by its name.
            let leads_to_device = |found: fs::Metadata| !found.is_file() && !found.is_dir();
            if kind.is_symlink() && fs::metadata(&place).is_ok_and(leads_to_device) {
                return Ok(Place::Device(place));
            } else if kind.is_symlink() {
                let target = fs::read_link(&place).map_err(|error| unwritable(path, &error))?;
                place = folder_of(&place).join(target);
            } else if kind.is_dir() {
                return Err(Failure(format!("{}: this is a folder", path.display())).into());
            } else if !kind.is_file() {
                return Ok(Place::Device(place));
            } else if !force {
                return Err(Failure(format!(
                    "{}: there is such a file; --force overwrites it",
                    path.display()
                ))
                .into());
            } else {
                return Ok(Place::File(place));
            }
        }
        Err(Failure(format!("{}: its symbolic links go round in a circle", path.display())).into())
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a folder to write files into. One that has files already is an error unless `force` says that those of the same name may go.
pub(crate) fn make_folder(path: &Path, force: bool) -> Result<()> {
    let is_empty = fs::read_dir(path).map_or(true, |mut files| files.next().is_none());
    if !is_empty && !force {
        let why = "there are files in it; --force writes there, over those of the same name";
        return Err(Failure(format!("{}: {why}", path.display())).into());
    }
    Ok(fs::create_dir_all(path).map_err(|error| unwritable(path, &error))?)
}

/// A file that cannot be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure(format!("{}: it cannot be written: {error}", path.display()))
}

/// Whether a file of this name is written as gzip.
pub(crate) fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Refuses a name by which a model would be packed: nothing that reads models unpacks them.
pub(crate) fn refuse_gzip(path: &Path) -> Result<()> {
    if is_gzip(path) {
        let why = "a model is packed already, and is not read from gzip: leave .gz out";
        return Err(Misuse(format!("{}: {why}", path.display())).into());
    }
    Ok(())
}

enum Sink {
    Stdout(StdoutLock<'static>),
    Device(File),
    File { unfinished: Unfinished, path: PathBuf },
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(out) => out.write(bytes),
            Sink::Device(device) => device.write(bytes),
            Sink::File { unfinished, .. } => unfinished.as_file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(out) => out.flush(),
            Sink::Device(device) => device.flush(),
            Sink::File { unfinished, .. } => unfinished.as_file().flush(),
        }
    }
}

enum Encoder {
    Plain(BufWriter<Fallible<Sink>>),
    Gzip(Box<GzEncoder<BufWriter<Fallible<Sink>>>>),
}

/// A place to write results to.
pub(crate) struct Output(Encoder);

impl Output {
    /// Standard output.
    pub(crate) fn stdout() -> Output {
        Output::new(Sink::Stdout(io::stdout().lock()), false)
    }

    /// The file, or the device, at `path`. A file is written under another name until [`Output::finish`].
    pub(crate) fn file(path: &Path, force: bool) -> Result<Output> {
        Output::at(Place::of(path, force)?, is_gzip(path))
    }

    /// A place whose file, if there is one, may go.
    pub(crate) fn at(place: Place, is_gzip: bool) -> Result<Output> {
        let sink = match place {
            Place::Device(path) => {
                let device = OpenOptions::new().write(true).open(&path);
                Sink::Device(device.map_err(|error| unwritable(&path, &error))?)
            }
            Place::File(path) => {
                let unfinished = Unfinished::beside(&path).map_err(|error| unwritable(&path, &error))?;
                Sink::File { unfinished, path }
            }
        };
        Ok(Output::new(sink, is_gzip))
    }

    fn new(sink: Sink, is_gzip: bool) -> Output {
        let out = BufWriter::with_capacity(1 << 16, Fallible::new(sink));
        Output(if is_gzip {
            Encoder::Gzip(Box::new(GzEncoder::new(out, Compression::default())))
        } else {
            Encoder::Plain(out)
        })
    }

    /// Writes `text`.
    pub(crate) fn write(&mut self, text: &str) -> Result<()> {
        self.write_bytes(text.as_bytes())
    }

    /// Writes `bytes`.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer().write_all(bytes).map_err(|error| write_failure(&error))
    }

    /// The writer, for whoever writes in pieces.
    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            Encoder::Plain(out) => out,
            Encoder::Gzip(out) => out,
        }
    }

    /// Everything is written: a file gets its name now, when its bytes are on the disk.
    pub(crate) fn finish(self) -> Result<()> {
        let out = match self.0 {
            Encoder::Plain(out) => out,
            Encoder::Gzip(out) => out.finish().map_err(|error| write_failure(&error))?,
        };
        match out.into_inner().map_err(|error| write_failure(error.error()))?.inner {
            Sink::Stdout(mut out) => out.flush().map_err(|error| write_failure(&error)),
            Sink::Device(mut device) => device.flush().map_err(|error| write_failure(&error)),
            Sink::File { unfinished, path } => {
                let persist = || -> io::Result<()> {
                    fault::point()?;
                    unfinished.as_file().sync_all()?;
                    fault::point()?;
                    unfinished.persist(&path)?;
                    sync_folder(&path)
                };
                Ok(persist().map_err(|error| unwritable(&path, &error))?)
            }
        }
    }
}

/// Brings the names in a file's folder to the disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    fault::point()?;
    // Only Unix opens folders.
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// The row of a table that a file's name ends in, whether it is packed or not.
pub(crate) fn promised<T: Copy>(path: &Path, table: &[(&'static str, T)]) -> Option<(&'static str, T)> {
    let name = path.to_string_lossy().to_lowercase();
    let (_, ending) = name.trim_end_matches(".gz").rsplit_once('.')?;
    table.iter().copied().find(|(known, _)| *known == ending)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::testing::{Plan, with};

    /// Whichever call fails, the file is the old one or the new one, whole, and nothing else is left in its folder.
    #[test]
    fn a_file_is_whole_whatever_fails() {
        let text = "one answer a line\n".repeat(10_000);
        for name in ["out", "out.gz"] {
            let write = |path: &Path| -> Result<()> {
                let mut output = Output::file(path, true)?;
                text.as_bytes().chunks(50_000).try_for_each(|piece| output.write_bytes(piece))?;
                output.finish()
            };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            write(&path).unwrap();
            let new = fs::read(&path).unwrap();
            let mut faults = 0;
            for plan in (0..).flat_map(|call| [Plan::Once(call), Plan::From(call)]) {
                fs::write(&path, "old").unwrap();
                let (result, hit) = with(plan, || write(&path));
                let now = fs::read(&path).unwrap();
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{plan:?}");
                if !hit {
                    assert!(result.is_ok() && now == new);
                    break;
                }
                faults += 1;
                assert!(result.is_err(), "{plan:?} goes unnoticed");
                assert!(now == b"old" || now == new, "{plan:?}");
            }
            assert!(faults >= 10, "{faults}");
        }
    }
}
