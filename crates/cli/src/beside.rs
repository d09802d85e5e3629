//! Files of the program's own beside an output: `FILE.part`, its record, the checkpoint of a training run and its lock.
//!
//! Nobody named them on the command line, so a link, a device or a FIFO that has such a name is neither followed nor opened.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use miette::Result;

use crate::failure::Failure;
use crate::fault;
use crate::output::{Output, Place, unwritable};

/// `path` with an ending behind its whole name: files that differ in any part of their names have files of their own beside them.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The reason why what has this name is not touched, if there is one.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            Err(io::Error::other("it is a symbolic link, which is not followed"))
        }
        Ok(found) if !found.is_file() => Err(not_regular()),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn not_regular() -> io::Error {
    io::Error::other("it is no regular file")
}

/// Opens such a file.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    check(path)?;
    // Somebody may put another thing there before it is opened; a FIFO would then be waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    fault::point()?;
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// The first `most` bytes of such a file.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, OpenOptions::new().read(true))?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes such a file, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    check(path).map_err(|error| unwritable(path, &error))?;
    let mut output = Output::at(Place::File(path.to_owned()), false)?;
    output.write_bytes(bytes)?;
    output.finish()
}

/// Keeps others out of a file as long as it is open; `who` tells who keeps us out.
pub(crate) fn lock(file: &File, path: &Path, who: impl FnOnce() -> String) -> Result<()> {
    let told = |what: &str| Failure(format!("{}: {what}", path.display()));
    match file.try_lock() {
        Ok(()) if is_at(file, path) => Ok(()),
        Ok(()) => Err(told("another process has finished it just now").into()),
        Err(TryLockError::WouldBlock) => Err(told(&format!("{} is writing it", who())).into()),
        // Some file systems have no locks; then there is nobody to keep out either.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(unwritable(path, &error).into()),
    }
}

/// Whether a file still has its name: whoever had the lock before may have renamed or removed it after we opened it.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let [open, named] = [file.metadata(), fs::symlink_metadata(path)]
            .map(|found| found.ok().map(|found| (found.dev(), found.ino())));
        open.is_some() && open == named
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// A lock for files that are replaced as a whole, and cannot be locked themselves: `FILE.lock`, which goes when it is dropped.
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Keeps others away from the file at `path`.
    pub(crate) fn of(path: &Path) -> Result<Lock> {
        let path = with_ending(path, ".lock");
        let file = open(&path, OpenOptions::new().write(true).create(true).truncate(false));
        let file = file.map_err(|error| unwritable(&path, &error))?;
        lock(&file, &path, || "another process".to_owned())?;
        Ok(Lock { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // It does no harm if it stays.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_lock_is_refused_until_the_first_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.checkpoint");
        let first = Lock::of(&path).unwrap();
        let refused = Lock::of(&path).err().unwrap().to_string();
        assert!(refused.contains("another process is writing it"), "{refused}");
        drop(first);
        drop(Lock::of(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_on_a_file_that_lost_its_name_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let [part, whole] = ["out.part", "out"].map(|name| folder.path().join(name));
        let file = File::create(&part).unwrap();
        fs::rename(&part, &whole).unwrap();
        assert!(lock(&file, &part, String::new).is_err());
        File::create(&part).unwrap();
        assert!(lock(&file, &part, String::new).is_err(), "another file has the name");
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_touched() {
        use std::os::unix::net::UnixListener;
        let folder = tempfile::tempdir().unwrap();
        let [link, target, socket] = ["link", "target", "socket"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("target", &link).unwrap();
        fs::write(&target, "mine").unwrap();
        let _listener = UnixListener::bind(&socket).unwrap();
        for path in [&link, &socket, &folder.path().to_owned()] {
            assert!(read(path, 10).is_err() && write(path, b"theirs").is_err(), "{}", path.display());
            assert!(open(path, OpenOptions::new().write(true).create(true)).is_err(), "{}", path.display());
        }
        assert_eq!(fs::read(&target).unwrap(), b"mine");
    }
}
