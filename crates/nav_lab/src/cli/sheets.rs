//! `nav_lab sheets`: contact sheets of moving pictures.

use crate::films::write_sheets;
use nav_cli::Failure;
use std::path::PathBuf;

/// Draws a contact sheet of twelve frames of each moving picture of a folder, as PNG
///
/// Fails if nothing moves in one of them for more than two seconds.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SheetsArgs {
    /// The folder with moving pictures
    films: PathBuf,
    /// The folder for the sheets
    folder: PathBuf,
}

pub(super) fn main(args: &SheetsArgs) -> Result<(), Failure> {
    let still = write_sheets(&args.films, &args.folder)?;
    if still.is_empty() {
        Ok(())
    } else {
        Err(still.join("; ").into())
    }
}
