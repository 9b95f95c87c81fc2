//! Scenarios that are part of the program, by name.

use super::{definition::Scenario, error::ScenarioError};
use nav_cli::FileError;
use std::{
    io::{self, Read},
    path::Path,
};

macro_rules! bundled {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../../assets/scenarios/", $name, ".ron")),
        )
    };
}

/// The scenarios that are part of the program, by name: the files of `assets/scenarios`.
pub const BUNDLED: [(&str, &str); 19] = [
    bundled!("default"),
    bundled!("hunt"),
    bundled!("rooms"),
    bundled!("maze"),
    bundled!("plain-10k"),
    bundled!("crowd-10k"),
    bundled!("crowd-100k"),
    bundled!("crowd-1m"),
    bundled!("horde-1m"),
    bundled!("siege-10k"),
    bundled!("stairs"),
    bundled!("swamp"),
    bundled!("two-players"),
    bundled!("doors"),
    bundled!("sizes"),
    bundled!("mmo"),
    bundled!("survival"),
    bundled!("rts"),
    bundled!("roguelike"),
];

impl Scenario {
    /// Reads the [bundled](BUNDLED) scenario of a name; `None` if there is none.
    ///
    /// # Errors
    ///
    /// As [`Scenario::load`].
    pub fn bundled(name: &str) -> Option<Result<Self, ScenarioError>> {
        let (_, text) = BUNDLED.iter().find(|&&(known, _)| known == name)?;
        Some(Self::from_file(Path::new(name), text.as_bytes()))
    }

    /// Reads the scenario named on a command line: the file of this name if there is one, standard
    /// input for `-`, or the [bundled](BUNDLED) scenario of this name.
    ///
    /// # Errors
    ///
    /// As [`Scenario::load`], or there is neither a file nor a scenario of this name.
    pub fn named(name: &Path) -> Result<Self, ScenarioError> {
        if name.as_os_str() == "-" {
            let mut bytes = Vec::new();
            io::stdin()
                .read_to_end(&mut bytes)
                .map_err(|source| FileError::read(name, source))?;
            return Self::from_file(Path::new("standard input"), &bytes);
        }
        match name.to_str().and_then(Self::bundled) {
            Some(bundled) if !name.exists() => bundled,
            // A name that looks like a path gets the error of a missing file.
            None if !name.exists() && is_bare(name) => Err(ScenarioError::Unknown {
                name: name.to_owned(),
                known: BUNDLED.map(|(known, _)| known).join(", "),
            }),
            _ => Self::load(name),
        }
    }
}

fn is_bare(name: &Path) -> bool {
    name.extension().is_none() && name.components().count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_has_a_name() {
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenarios");
        let mut files: Vec<String> = std::fs::read_dir(assets)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort_unstable();
        let mut names = BUNDLED.map(|(name, _)| name);
        names.sort_unstable();
        assert_eq!(files, names);
    }

    #[test]
    fn every_name_is_in_the_book() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/programs.md");
        let page = std::fs::read_to_string(page).unwrap();
        let (_, table) = page.split_once("| names | show |\n|---|---|\n").unwrap();
        let (table, _) = table.split_once("\n\n").unwrap();
        let cells = table.lines().filter_map(|row| row.split('|').nth(1));
        let mut listed: Vec<&str> = cells
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .collect();
        listed.sort_unstable();
        let mut names = BUNDLED.map(|(name, _)| name);
        names.sort_unstable();
        assert_eq!(listed, names);
    }

    #[test]
    fn every_bundled_scenario_is_complete() {
        for (name, _) in BUNDLED {
            let scenario = Scenario::named(Path::new(name)).unwrap();
            assert!(
                !matches!(scenario.map, Some(crate::scenario::MapSource::File(_))),
                "{name} wants a file"
            );
        }
    }

    #[test]
    fn unknown_name() {
        assert_eq!(
            Scenario::named(Path::new("crowd-7"))
                .unwrap_err()
                .to_string(),
            "crowd-7: there is no such file, and no scenario of this name in the program; it has \
             default, hunt, rooms, maze, plain-10k, crowd-10k, crowd-100k, crowd-1m, horde-1m, siege-10k, \
             stairs, swamp, two-players, doors, sizes, mmo, survival, rts, roguelike"
        );
    }
}
