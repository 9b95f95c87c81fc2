//! Files that the program writes, whole or not at all, and its standard output.

use crate::FileError;
use std::{
    fs::{self, File, Permissions},
    io::{self, BufWriter, ErrorKind, StdoutLock, Write},
    path::{Path, PathBuf},
};
use tempfile::TempPath;

/// A file that is written beside its path and takes the place of an earlier one once it is
/// complete. Dropped before that, it leaves nothing behind. Devices and pipes are written directly.
pub struct OutFile {
    path: PathBuf,
    file: BufWriter<File>,
    /// Where it is until it is complete; `None` if it is written directly.
    beside: Option<TempPath>,
}

impl OutFile {
    /// Opens a file to be written.
    ///
    /// # Errors
    ///
    /// Its folder cannot be written.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let opened = match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                let file = File::options().write(true).open(path);
                file.map(|file| (file, None))
            }
            Ok(there) if there.permissions().readonly() => Err(ErrorKind::PermissionDenied.into()),
            there => beside(path, there.ok().map(|there| there.permissions())),
        };
        let (file, beside) = opened.map_err(|source| FileError::write(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::new(file),
            beside,
        })
    }

    /// Writes a whole file.
    ///
    /// # Errors
    ///
    /// It cannot be written. An earlier file is unchanged.
    pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        Self::create(path)?.put(|file| file.write_all(bytes))
    }

    /// Writes the file, and puts it in its place.
    ///
    /// # Errors
    ///
    /// It cannot be written. An earlier file is unchanged.
    pub fn put(mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), FileError> {
        write(&mut self).map_err(|source| FileError::write(&self.path, source))?;
        self.finish()
    }

    /// Returns another handle of the file, for a writer that does not give it back.
    ///
    /// # Errors
    ///
    /// The system gives none.
    pub fn handle(&self) -> Result<File, FileError> {
        let handle = self.file.get_ref().try_clone();
        handle.map_err(|source| FileError::write(&self.path, source))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// It cannot be written. An earlier file is unchanged.
    pub fn finish(mut self) -> Result<(), FileError> {
        let placed = self.file.flush().and_then(|()| match self.beside {
            Some(beside) => Ok(beside.persist(&self.path)?),
            None => Ok(()),
        });
        placed.map_err(|source| FileError::write(&self.path, source))
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Creates a file in the folder of a path, with the permissions of the file that it will replace.
fn beside(path: &Path, permissions: Option<Permissions>) -> io::Result<(File, Option<TempPath>)> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".chase-");
    #[cfg(unix)]
    let permissions = permissions.or_else(|| {
        // Those of new files, less what the user's mask takes.
        Some(std::os::unix::fs::PermissionsExt::from_mode(0o666))
    });
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let created = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    let (file, path) = created.into_parts();
    Ok((file, Some(path)))
}

/// The error of standard output that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("standard output cannot be written: {0}")]
pub struct StdoutError(pub io::Error);

/// Prints to standard output through a buffer.
///
/// # Errors
///
/// [`StdoutError`].
pub fn print(
    print: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
) -> Result<(), StdoutError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let printed = print(&mut out).and_then(|()| out.flush());
    printed.map_err(StdoutError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_file_stays_until_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "old").unwrap();
        let mut file = OutFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        OutFile::write(&path, b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
