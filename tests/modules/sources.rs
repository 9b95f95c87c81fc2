//! The sources of a crate as a tree of modules: what each one defines, imports and names.

use proc_macro2::{TokenStream, TokenTree};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use syn::visit::{self, Visit};

/// Endings of the types that Bevy's `derive(QueryData)` defines beside the one it stands on.
const QUERY_DATA_ENDINGS: [&str; 5] = [
    "ReadOnly",
    "Item",
    "ReadOnlyItem",
    "ContiguousItem",
    "ReadOnlyContiguousItem",
];

/// The files of one crate: those that its root leads to by `mod`, tests left out.
#[derive(Debug, Default)]
pub struct Sources {
    /// Names of the files from the folder of the root on, the root first.
    pub files: Vec<String>,
    /// What files would be named that modules of tests lie in, if they have one of their own.
    pub test_files: Vec<String>,
    /// The modules. The first is the root of the crate.
    pub modules: Vec<Module>,
}

/// One module, which is a file or lies in one.
#[derive(Debug)]
pub struct Module {
    /// Its file, an index into [`Sources::files`].
    pub file: usize,
    /// The module around it; none for the root.
    pub parent: Option<usize>,
    /// What its names stand for. One name can stand for a module and a function, say.
    pub names: BTreeMap<String, Vec<Binding>>,
    /// Paths whose names are all imported.
    pub globs: Vec<Import>,
    /// Names of the types and traits that it defines.
    pub types: BTreeSet<String>,
    /// Names of the variants of its enums.
    pub variants: BTreeSet<String>,
    /// Names that a user of the module can reach, unless they come by a glob.
    pub public: BTreeSet<String>,
    /// Paths that its code names.
    pub paths: BTreeSet<Vec<String>>,
}

/// What a name in a module stands for.
#[derive(Clone, Debug)]
pub enum Binding {
    /// The module with this index.
    Module(usize),
    /// Something that the module defines.
    Item,
    /// Something that it imports.
    Import(Import),
}

/// A path in a `use` line.
#[derive(Clone, Debug)]
pub struct Import {
    /// Its words, `crate` and `super` among them.
    pub path: Vec<String>,
    /// Whether it is `pub` in any degree: a door for others, and no use by the module itself.
    pub is_door: bool,
    /// Whether it is `pub` without restriction.
    pub is_public: bool,
}

impl Sources {
    /// Reads a crate from its root file on.
    pub fn read(root: &Path) -> Self {
        let folder = root.parent().unwrap();
        let name = root.file_name().unwrap().to_str().unwrap();
        Self::parse(name, &|name| fs::read_to_string(folder.join(name)).ok())
    }

    /// Parses a crate. `read` gives the text of a file, or `None` where there is none.
    pub fn parse(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut sources = Self::default();
        sources.file(root.to_owned(), "", None, read);
        sources
    }

    /// Adds a file whose submodules lie in `folder`, which ends with a slash or is empty.
    fn file(
        &mut self,
        name: String,
        folder: &str,
        parent: Option<usize>,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> usize {
        let text = read(&name).unwrap_or_else(|| panic!("there is no file {name}"));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| {
            let line = error.span().start().line;
            panic!("{name}, line {line}: {error}")
        });
        self.files.push(name);
        let file = self.files.len() - 1;
        self.module(file, parent, folder, &parsed.items, read)
    }

    fn module(
        &mut self,
        file: usize,
        parent: Option<usize>,
        folder: &str,
        items: &[syn::Item],
        read: &dyn Fn(&str) -> Option<String>,
    ) -> usize {
        let index = self.modules.len();
        self.modules.push(Module {
            file,
            parent,
            names: BTreeMap::new(),
            globs: Vec::new(),
            types: BTreeSet::new(),
            variants: BTreeSet::new(),
            public: BTreeSet::new(),
            paths: BTreeSet::new(),
        });
        for item in items {
            if !is_test(item_attributes(item)) {
                self.modules[index].define(item);
                Names(&mut self.modules[index]).visit_item(item);
            }
        }
        for item in items {
            let syn::Item::Mod(item) = item else {
                continue;
            };
            let name = word(&item.ident);
            if is_test(&item.attrs) {
                self.test_files.push(format!("{folder}{name}.rs"));
                continue;
            }
            let inner = format!("{folder}{name}/");
            let child = if let Some((_, items)) = &item.content {
                self.module(file, Some(index), &inner, items, read)
            } else {
                let beside = format!("{folder}{name}.rs");
                let found = if read(&beside).is_some() {
                    beside
                } else {
                    format!("{inner}mod.rs")
                };
                self.file(found, &inner, Some(index), read)
            };
            let module = &mut self.modules[index];
            let bindings = module.names.entry(name).or_default();
            bindings.push(Binding::Module(child));
        }
        index
    }
}

impl Module {
    /// Notes what an item defines and imports.
    fn define(&mut self, item: &syn::Item) {
        use syn::Item;
        let (name, visibility) = match item {
            Item::Struct(item) => (&item.ident, &item.vis),
            Item::Enum(item) => (&item.ident, &item.vis),
            Item::Union(item) => (&item.ident, &item.vis),
            Item::Trait(item) => (&item.ident, &item.vis),
            Item::Type(item) => (&item.ident, &item.vis),
            Item::Fn(item) => (&item.sig.ident, &item.vis),
            Item::Const(item) => (&item.ident, &item.vis),
            Item::Static(item) => (&item.ident, &item.vis),
            Item::Mod(item) => {
                if is_public(&item.vis) {
                    self.public.insert(word(&item.ident));
                }
                return;
            }
            Item::Macro(item) => {
                if let Some(name) = &item.ident {
                    self.item(word(name));
                    let exported =
                        |attribute: &syn::Attribute| attribute.path().is_ident("macro_export");
                    if item.attrs.iter().any(exported) {
                        self.public.insert(word(name));
                    }
                }
                return;
            }
            _ => return,
        };
        let is_type = !matches!(item, Item::Fn(_) | Item::Const(_) | Item::Static(_));
        if is_type {
            self.types.insert(word(name));
        }
        if let Item::Enum(item) = item {
            let variants = item.variants.iter();
            self.variants
                .extend(variants.map(|variant| word(&variant.ident)));
        }
        if is_public(visibility) {
            self.public.insert(word(name));
        }
        self.item(word(name));
        if item_attributes(item).iter().any(derives_query_data) {
            for ending in QUERY_DATA_ENDINGS {
                self.item(format!("{}{ending}", word(name)));
            }
        }
    }

    /// Notes something that the module defines.
    fn item(&mut self, name: String) {
        self.names.entry(name).or_default().push(Binding::Item);
    }

    /// Notes what a tree of `use` imports. `before` is the path that leads to it.
    fn import(&mut self, tree: &syn::UseTree, mut before: Import) {
        use syn::UseTree;
        match tree {
            UseTree::Path(path) => {
                before.path.push(word(&path.ident));
                self.import(&path.tree, before);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before.clone());
                }
            }
            UseTree::Glob(_) => self.globs.push(before),
            UseTree::Name(name) => self.bind(&name.ident, &name.ident, before),
            UseTree::Rename(rename) => self.bind(&rename.ident, &rename.rename, before),
        }
    }

    fn bind(&mut self, name: &syn::Ident, bound: &syn::Ident, mut import: Import) {
        let (name, mut bound) = (word(name), word(bound));
        // `use a::b::{self}` is `use a::b`.
        if name == "self" && !import.path.is_empty() {
            if bound == "self" {
                bound.clone_from(&import.path[import.path.len() - 1]);
            }
        } else {
            import.path.push(name);
        }
        if import.is_public {
            self.public.insert(bound.clone());
        }
        if !import.is_door {
            self.paths.insert(import.path.clone());
        }
        let bindings = self.names.entry(bound).or_default();
        bindings.push(Binding::Import(import));
    }

    /// Notes the paths in the tokens of a macro or an attribute: words joined by `::`.
    ///
    /// What a macro makes of its tokens is not known here, so a single word counts as a path too,
    /// but for fields and methods, which follow a dot.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let after_dot = matches!(
                        at.checked_sub(1).map(|before| &tokens[before]),
                        Some(TokenTree::Punct(punct)) if punct.as_char() == '.'
                    );
                    let mut path = vec![word(first)];
                    while is_colon(at + 1) && is_colon(at + 2) {
                        let Some(TokenTree::Ident(next)) = tokens.get(at + 3) else {
                            break;
                        };
                        path.push(word(next));
                        at += 3;
                    }
                    if !after_dot {
                        self.paths.insert(path);
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
    }
}

/// Collects the paths that an item names, and what it imports.
struct Names<'a>(&'a mut Module);

impl<'ast> Visit<'ast> for Names<'_> {
    /// Modules inside are modules of their own.
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let before = Import {
            path: Vec::new(),
            is_door: !matches!(item.vis, syn::Visibility::Inherited),
            is_public: is_public(&item.vis),
        };
        self.0.import(&item.tree, before);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words = path.segments.iter().map(|segment| word(&segment.ident));
        self.0.paths.insert(words.collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.visit_path(&mac.path);
        self.0.tokens(mac.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.0.tokens(list.tokens.clone());
        }
    }
}

/// The files under a folder that end in `.rs`, with their paths from that folder on, in order; none
/// if there is no such folder.
pub fn rust_files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = Vec::new();
    if folder.exists() {
        folders.push(folder.to_owned());
    }
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.strip_prefix(folder).unwrap();
                let words: Vec<_> = name.iter().map(|part| part.to_str().unwrap()).collect();
                found.push((words.join("/"), path));
            }
        }
    }
    found.sort();
    found
}

/// An identifier without the `r#` of a raw one.
fn word(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").unwrap_or(&text).to_owned()
}

const fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

/// Whether something is compiled for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute
                    .parse_args::<syn::Meta>()
                    .is_ok_and(|condition| asks_for_test(&condition))
    })
}

/// Whether a condition holds in tests only: `test`, or `all` of it and more.
fn asks_for_test(condition: &syn::Meta) -> bool {
    use syn::{Meta, Token, punctuated::Punctuated};
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|all| all.iter().any(asks_for_test)),
        _ => false,
    }
}

fn derives_query_data(attribute: &syn::Attribute) -> bool {
    use syn::{Path, Token, punctuated::Punctuated};
    attribute.path().is_ident("derive")
        && attribute
            .parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
            .is_ok_and(|traits| traits.iter().any(|path| path.is_ident("QueryData")))
}

fn item_attributes(item: &syn::Item) -> &[syn::Attribute] {
    use syn::Item;
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
