//! `nav_lab films`: the moving pictures of behaviours and rules.

use crate::films::SCENES;
use nav_cli::Failure;
use std::path::PathBuf;

/// Makes the moving pictures of behaviours and of rules of crowds, which the book shows
#[derive(Clone, Debug, clap::Args)]
pub(super) struct FilmsArgs {
    /// The folder for them
    folder: PathBuf,
}

pub(super) fn main(args: &FilmsArgs) -> Result<(), Failure> {
    SCENES
        .iter()
        .try_for_each(|scene| scene.write(&args.folder))
}
