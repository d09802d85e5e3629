//! The copy of the repository in which every mutant is compiled behind its switch.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::sites::{self, Site};

const SWITCH: &str = include_str!("switch.rs");

/// A file with its sites.
pub struct Source {
    pub path: PathBuf,
    text: String,
    pub sites: Vec<Site>,
}

/// The files of `paths` that are not for tests only, with their sites.
pub fn sources(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut next = 1;
    let (mut sources, mut for_tests) = (Vec::new(), BTreeSet::new());
    for path in paths {
        let text = std::fs::read_to_string(path)?;
        let file = syn::parse_file(&text)?;
        let folder = match path.file_name().and_then(|name| name.to_str()) {
            Some("mod.rs" | "lib.rs") => path.with_file_name(""),
            _ => path.with_extension(""),
        };
        for_tests.extend(file.items.iter().filter_map(|item| match item {
            syn::Item::Mod(item) if sites::is_for_tests(&item.attrs) => {
                Some(folder.join(format!("{}.rs", item.ident)))
            }
            _ => None,
        }));
        let sites = sites::sites(&file, next);
        next += sites.iter().map(|site| site.mutants.len() as u32).sum::<u32>();
        sources.push(Source { path: path.clone(), text, sites });
    }
    sources.retain(|source| !for_tests.contains(&source.path));
    Ok(sources)
}

impl Source {
    /// The text with a switch at every site. Comments with the numbers of the mutants stand around what was written.
    fn mutated(&self, dropped: &BTreeSet<u32>) -> String {
        let is_on = |site: &&Site| !site.mutants.iter().all(|mutant| dropped.contains(&mutant.id));
        let sites: Vec<&Site> = self.sites.iter().filter(is_on).collect();
        self.part(0..self.text.len(), &sites, dropped)
    }

    fn part(&self, range: Range<usize>, sites: &[&Site], dropped: &BTreeSet<u32>) -> String {
        let (mut text, mut at) = (String::new(), range.start);
        for (index, site) in sites.iter().enumerate() {
            if site.range.start > range.end {
                break;
            }
            // Those that begin before `at` are within another, and were written with its operands.
            if site.range.start < at || site.range.end > range.end {
                continue;
            }
            let inner = &sites[index + 1..];
            let operands = site.operands.each_ref().map(|range| self.part(range.clone(), inner, dropped));
            let fill = |code: &str| code.replace("$0", &operands[0]).replace("$1", &operands[1]);
            let mutants = || site.mutants.iter().filter(|mutant| !dropped.contains(&mutant.id));
            let ids: Vec<String> = mutants().map(|mutant| mutant.id.to_string()).collect();
            text += &self.text[at..site.range.start];
            text += &format!("/*<{}*/{}", ids.join(" "), fill(site.frame[0]));
            for mutant in mutants() {
                let (id, code) = (mutant.id, fill(&mutant.code));
                text += &format!("if crate::mutant_switch::is({id}) {{ /*<{id}*/{code}/*>*/ }} else ");
            }
            text += &format!("{{ {} }}{}/*>*/", fill(&site.original), site.frame[1]);
            at = site.range.end;
        }
        text + &self.text[at..range.end]
    }
}

/// The numbers in the innermost comments around a place in a mutated text.
pub fn around(text: &str, place: usize) -> BTreeSet<u32> {
    let mut open: Vec<&str> = Vec::new();
    let marks = text[..place].match_indices("/*").filter_map(|(at, _)| text[at + 2..].split_once("*/"));
    for (mark, _) in marks {
        match mark.strip_prefix('<') {
            Some(ids) => open.push(ids),
            None if mark == ">" => drop(open.pop()),
            None => {}
        }
    }
    open.last().into_iter().flat_map(|ids| ids.split(' ')).filter_map(|id| id.parse().ok()).collect()
}

/// Brings the copy up to date: all files of the repository, those of `sources` with their switches. What did not change is not touched.
pub fn write(copy: &Path, sources: &[Source], dropped: &BTreeSet<u32>) -> Result<(), Failure> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()?;
    for path in
        String::from_utf8(listed.stdout)?.split_terminator('\0').map(Path::new).filter(|path| path.is_file())
    {
        let mut bytes = match sources.iter().find(|source| source.path == path) {
            Some(source) => source.mutated(dropped).into_bytes(),
            None => std::fs::read(path)?,
        };
        let is_root = |source: &Source| {
            path.ends_with("src/lib.rs")
                && path.parent().is_some_and(|folder| source.path.starts_with(folder))
        };
        if sources.iter().any(is_root) {
            bytes.extend(b"mod mutant_switch;\n");
            write_changed(&copy.join(path).with_file_name("mutant_switch.rs"), SWITCH.as_bytes())?;
        }
        write_changed(&copy.join(path), &bytes)?;
    }
    Ok(())
}

fn write_changed(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if std::fs::read(path).ok().as_deref() != Some(bytes) {
        std::fs::create_dir_all(path.parent().ok_or("a file is in a folder")?)?;
        std::fs::write(path, bytes)?;
    }
    Ok(())
}
