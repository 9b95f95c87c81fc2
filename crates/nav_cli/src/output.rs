//! Files that the program writes, whole or not at all, and its standard output.

use crate::FileError;
use std::{
    fs::{self, File, Permissions},
    io::{self, BufWriter, StdoutLock, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// A file that is written beside its path and takes the place of an earlier one once it is complete.
/// Dropped before that, it leaves nothing behind. Devices and pipes are written directly.
pub struct OutFile {
    path: PathBuf,
    to: Destination,
}

enum Destination {
    Beside(BufWriter<NamedTempFile>),
    Direct(BufWriter<File>),
}

impl OutFile {
    /// Opens a file to be written.
    ///
    /// # Errors
    ///
    /// Its folder cannot be written.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let failed = |source| FileError::write(path, source);
        let to = match fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
            Ok(there) if !there.is_file() => {
                let file = File::options().write(true).open(path).map_err(failed)?;
                Destination::Direct(BufWriter::new(file))
            }
            there => {
                if let Ok(there) = &there
                    && there.permissions().readonly()
                {
                    return Err(failed(io::ErrorKind::PermissionDenied.into()));
                }
                let file = beside(path, there.ok().map(|there| there.permissions()));
                Destination::Beside(BufWriter::new(file.map_err(failed)?))
            }
        };
        let path = path.to_owned();
        Ok(Self { path, to })
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

    /// Another handle of the file, for a writer that does not give it back.
    ///
    /// # Errors
    ///
    /// The system gives none.
    pub fn handle(&self) -> Result<File, FileError> {
        let handle = match &self.to {
            Destination::Beside(file) => file.get_ref().as_file().try_clone(),
            Destination::Direct(file) => file.get_ref().try_clone(),
        };
        handle.map_err(|source| FileError::write(&self.path, source))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// It cannot be written. An earlier file is unchanged.
    pub fn finish(self) -> Result<(), FileError> {
        let Self { path, to } = self;
        let finished = match to {
            Destination::Direct(mut file) => file.flush(),
            Destination::Beside(file) => file
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| Ok(file.persist(&path).map(drop)?)),
        };
        finished.map_err(|source| FileError::write(&path, source))
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            Destination::Beside(file) => file.write(bytes),
            Destination::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            Destination::Beside(file) => file.flush(),
            Destination::Direct(file) => file.flush(),
        }
    }
}

/// Creates a file in the folder of a path, with the permissions of the file that it will replace.
fn beside(path: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
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
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
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
