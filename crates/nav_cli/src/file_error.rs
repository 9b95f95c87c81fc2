//! Files that are read, and errors of files with the reason in words.

use crate::Failure;
use std::{
    fmt::Display,
    fs::File,
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};

/// The error of a file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {}", path.display(), reason(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("{}: cannot be written: {}", path.display(), write_reason(path, source))]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl FileError {
    /// Creates the error of a file that cannot be read.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::Read {
            path: path.to_owned(),
            source,
        }
    }

    /// Creates the error of a file that cannot be written.
    pub fn write(path: &Path, source: io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            source,
        }
    }
}

/// Names the file in the sentence of an error.
pub trait InFile<T> {
    /// Puts the path before the message.
    ///
    /// # Errors
    ///
    /// As before, with another message.
    fn in_file(self, path: &Path) -> Result<T, Failure>;
}

impl<T, E: Display> InFile<T> for Result<T, E> {
    fn in_file(self, path: &Path) -> Result<T, Failure> {
        self.map_err(|error| format!("{}: {error}", path.display()).into())
    }
}

/// Returns the usual reasons in words, without the system's error number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        _ => error.to_string(),
    }
}

fn write_reason(path: &Path, error: &io::Error) -> String {
    match (error.kind(), path.parent()) {
        (ErrorKind::NotFound, Some(folder)) => {
            format!(
                "the folder {} does not exist; make it first",
                folder.display()
            )
        }
        _ => reason(error),
    }
}

/// The greatest file that is read: a map of 16384×16384 cells with all its layers takes less.
pub const FILE_MAX: u64 = 2 << 30;

/// The most that is read of what is no file, such as a pipe or a device that never ends. A guess:
/// maps that programs make on the fly are small.
const STREAM_MAX: u64 = 64 << 20;

/// Reads a file, or a stream that ends.
///
/// # Errors
///
/// [`FileError::Read`]: it cannot be read, or is too long.
pub fn read_file(path: &Path) -> Result<Vec<u8>, FileError> {
    let read = File::open(path).and_then(|file| {
        if file.metadata()?.is_file() {
            read_at_most(file, FILE_MAX, "it is longer than 2 GiB")
        } else {
            let why = "it is no file, and does not end within 64 MiB";
            read_at_most(file, STREAM_MAX, why)
        }
    });
    read.map_err(|source| FileError::read(path, source))
}

/// Reads to the end. Fails with `why` behind `most` bytes.
fn read_at_most(file: File, most: u64, why: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file.metadata()?.len() <= most {
        // What it says of its length is a hint only.
        file.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= most {
            return Ok(bytes);
        }
    }
    Err(io::Error::other(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_the_remedy() {
        let missing = || io::Error::from(ErrorKind::NotFound);
        assert_eq!(
            FileError::read(Path::new("a.map"), missing()).to_string(),
            "a.map: cannot be read: there is no such file"
        );
        assert_eq!(
            FileError::write(Path::new("out/a.map"), missing()).to_string(),
            "out/a.map: cannot be written: the folder out does not exist; make it first"
        );
    }
}
