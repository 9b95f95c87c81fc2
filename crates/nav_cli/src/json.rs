//! The option `--json`: writes results as JSON to a file or to standard output.

use crate::{Failure, FileError, OutFile, print, values::json_file};
use serde::Serialize;
use std::{
    fmt::Display,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The option `--json`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(about = None, long_about = None)]
pub struct JsonArgs {
    /// Write the results as JSON to this file; - is standard output, in place of the text
    #[arg(long, value_name = "FILE", value_parser = json_file())]
    pub json: Option<PathBuf>,
}

impl JsonArgs {
    /// Opens the destination: before the work, since a run of an hour must not fail because a
    /// folder does not exist.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub fn open(&self) -> Result<JsonOut, FileError> {
        self.json
            .as_deref()
            .map_or(Ok(JsonOut::Nowhere), JsonOut::open)
    }
}

/// The destination of results as JSON.
pub enum JsonOut {
    /// None.
    Nowhere,
    /// Standard output.
    Stdout,
    /// A file.
    File(OutFile),
}

impl JsonOut {
    /// Opens a file; `-` is standard output.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        Ok(Self::File(OutFile::create(path)?))
    }

    /// Returns whether JSON takes standard output, so that nothing else may be printed there.
    pub const fn takes_stdout(&self) -> bool {
        matches!(self, Self::Stdout)
    }

    /// Writes results as one line of JSON, so that those of several runs can be appended to a file.
    ///
    /// # Errors
    ///
    /// The file or standard output cannot be written.
    pub fn write(self, results: &impl Serialize) -> Result<(), Failure> {
        match self {
            Self::Nowhere => {}
            Self::Stdout => print(|out| write_line(out, results))?,
            Self::File(file) => file.put(|out| write_line(out, results))?,
        }
        Ok(())
    }

    /// Writes results as JSON, and prints them as `text` unless JSON takes standard output.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn report(self, results: &impl Serialize, text: impl Display) -> Result<(), Failure> {
        let is_printed = !self.takes_stdout();
        self.write(results)?;
        if is_printed {
            print(|out| write!(out, "{text}"))?;
        }
        Ok(())
    }
}

/// Writes results as a line, at once.
fn write_line(out: &mut impl Write, results: &impl Serialize) -> io::Result<()> {
    let mut json = serde_json::to_vec(results)?;
    json.push(b'\n');
    out.write_all(&json)
}
