//! Runs the real program in a folder of the test. Tests of other programs include this file too:
//! each names its program by `PROGRAM` at its root.

#![allow(
    dead_code,
    reason = "the tests of each program use what they need of it"
)]

use crate::PROGRAM;
use serde_json::Value;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The program under test, with a working directory of its own.
pub struct Program {
    folder: PathBuf,
}

impl Program {
    /// Makes an empty folder for the program. `test` is the name of the test, which must be unique.
    pub fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    /// Writes a file into the folder, or into one below it.
    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), content).unwrap();
        self
    }

    /// Returns the path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the content of a file in the folder.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Returns a command that runs the program in the folder, without arguments yet.
    pub fn command(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&self.folder);
        command
    }

    /// Runs the program with arguments, given as on a command line.
    pub fn run(&self, arguments: &str) -> Output {
        self.command()
            .args(arguments.split_whitespace())
            .output()
            .unwrap()
    }

    /// Runs the program, which must succeed silently on stderr, and returns its output.
    pub fn succeed(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments}: {errors}");
        assert_eq!(errors, "", "{arguments}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the program, which must succeed, and returns its output on stdout and on stderr.
    pub fn warn(&self, arguments: &str) -> (String, String) {
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments}: {errors}");
        (String::from_utf8(output.stdout).unwrap(), errors)
    }

    /// Runs the program with `--json -` and returns the report that it prints.
    pub fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.succeed(&format!("{arguments} --json -"))).unwrap()
    }

    /// Runs the program, which must end with exit code 2, without output and with one line on
    /// stderr. Returns that line after its `error: `.
    pub fn fail(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments}");
        let line = errors.strip_suffix('\n').unwrap();
        assert!(!line.contains('\n'), "more than one line: {errors}");
        line.strip_prefix("error: ").unwrap().to_owned()
    }
}
