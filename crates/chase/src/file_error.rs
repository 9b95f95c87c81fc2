//! Files that cannot be read or written, with the reason in words.

use std::{
    io::{self, ErrorKind},
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_say_what_would_be_right() {
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
