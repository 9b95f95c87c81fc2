//! Which file of a crate uses which: paths are followed through imports and re-exports to the
//! file that defines what they name.

use crate::sources::{Binding, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// For each file the files that it uses, and the names that it uses of them.
pub type Uses = BTreeMap<usize, BTreeMap<usize, BTreeSet<String>>>;

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// A module, by its index.
    Module(usize),
    /// Something that is defined in a file.
    Item {
        /// The file, by its index.
        file: usize,
        /// What it is called there.
        name: String,
    },
}

/// Which file uses which. The files of a crate that use no other are left out.
///
/// A module on the way to what a path names counts for nothing, and neither does a re-export:
/// used is the file that defines it.
pub fn uses(sources: &Sources) -> Uses {
    let mut uses = Uses::new();
    for (index, module) in sources.modules.iter().enumerate() {
        let globs = module.globs.iter().filter(|import| !import.is_door);
        let paths = module.paths.iter().chain(globs.map(|import| &import.path));
        for found in paths.flat_map(|path| resolve(sources, index, path)) {
            if let Found::Item { file, name } = found
                && file != module.file
            {
                let names = uses.entry(module.file).or_default();
                names.entry(file).or_default().insert(name);
            }
        }
    }
    uses
}

/// Paths from `crate`, `self` or `super` on that lead to nothing, with their files. There are none
/// unless this test does not understand the sources.
pub fn lost(sources: &Sources) -> Vec<String> {
    let mut lost = Vec::new();
    for (index, module) in sources.modules.iter().enumerate() {
        let globs = module.globs.iter().map(|import| &import.path);
        for path in module.paths.iter().chain(globs) {
            let is_inside = ["crate", "super", "self"].contains(&path[0].as_str());
            // `self` alone is a value, and `crate` alone is the `pub(crate)` of an item.
            if is_inside && path.len() > 1 && resolve(sources, index, path).is_empty() {
                let file = &sources.files[module.file];
                lost.push(format!("{file}: {}", path.join("::")));
            }
        }
    }
    lost
}

/// The names that a user of the crate can write after its name and `::`.
pub fn root_names(sources: &Sources) -> BTreeSet<String> {
    public_names(sources, 0)
}

fn public_names(sources: &Sources, index: usize) -> BTreeSet<String> {
    let module = &sources.modules[index];
    let mut names = module.public.clone();
    for glob in module.globs.iter().filter(|import| import.is_public) {
        for found in resolve(sources, index, &glob.path) {
            if let Found::Module(inner) = found {
                names.extend(public_names(sources, inner));
            }
        }
    }
    names
}

/// What a path that stands in a module leads to; nothing if that is outside the crate.
pub fn resolve(sources: &Sources, module: usize, path: &[String]) -> BTreeSet<Found> {
    let mut open = BTreeSet::new();
    follow(sources, module, path, &mut open)
}

/// `open` holds the names that are being looked up, so that imports of each other come to an end.
fn follow(
    sources: &Sources,
    module: usize,
    path: &[String],
    open: &mut BTreeSet<(usize, String)>,
) -> BTreeSet<Found> {
    let Some((first, rest)) = path.split_first() else {
        return BTreeSet::new();
    };
    let mut found: BTreeSet<Found> = match first.as_str() {
        "crate" => [Found::Module(0)].into(),
        "self" => [Found::Module(module)].into(),
        "super" => (sources.modules[module].parent.map(Found::Module))
            .into_iter()
            .collect(),
        name => look_up(sources, module, name, open),
    };
    for name in rest {
        found = found
            .into_iter()
            .flat_map(|found| match found {
                Found::Module(inner) if name == "super" => (sources.modules[inner].parent)
                    .map(Found::Module)
                    .into_iter()
                    .collect(),
                Found::Module(inner) => look_up(sources, inner, name, open),
                // A variant, or a function of a type.
                item @ Found::Item { .. } => [item].into(),
            })
            .collect();
    }
    found
}

/// What a name stands for in a module.
fn look_up(
    sources: &Sources,
    index: usize,
    name: &str,
    open: &mut BTreeSet<(usize, String)>,
) -> BTreeSet<Found> {
    let key = (index, name.to_owned());
    let is_first = open.insert(key.clone());
    let module = &sources.modules[index];
    let mut found = BTreeSet::new();
    for binding in module.names.get(name).into_iter().flatten() {
        match binding {
            Binding::Module(inner) => {
                found.insert(Found::Module(*inner));
            }
            Binding::Item => {
                let (file, name) = (module.file, name.to_owned());
                found.insert(Found::Item { file, name });
            }
            Binding::Import(import) if is_first => {
                found.extend(follow(sources, index, &import.path, open));
            }
            // In `mod a; pub use a::a;` the first `a` is the module.
            Binding::Import(_) => {}
        }
    }
    if found.is_empty() && is_first {
        for glob in &module.globs {
            for through in follow(sources, index, &glob.path, open) {
                if let Found::Module(inner) = through {
                    found.extend(look_up(sources, inner, name, open));
                }
            }
        }
    }
    if is_first {
        open.remove(&key);
    }
    found
}
