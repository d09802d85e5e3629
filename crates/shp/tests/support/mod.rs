//! Writing and reading in every style, for both kinds of tests.

use tracebank_shp::{self as shp, ShpError, Style};
use tracebank_syntax::penn::{self, Input};
use tracebank_syntax::tree::{Kind, Tree};

/// The three ways in which the authors' output is there, by the end of the file's name.
pub(crate) const VARIANTS: [(&str, Style); 3] = [
    ("shp", Style { functions: true, redirect_gaps: false, comments: true }),
    ("f.shp", Style { functions: false, redirect_gaps: false, comments: true }),
    ("fg.shp", Style { functions: false, redirect_gaps: true, comments: true }),
];

pub(crate) fn trees(path: &std::path::Path) -> Vec<Tree> {
    penn::Reader::new(Input::open(path).unwrap().stream).map(Result::unwrap).collect()
}

pub(crate) fn written(tree: &Tree, style: Style) -> String {
    shp::write(tree, &style).unwrap_or_else(|error| panic!("{error}: {tree}"))
}

/// The one tree that `text` holds.
pub(crate) fn read(text: &str) -> Result<Tree, penn::SyntaxError> {
    let mut trees = shp::Reader::new(text.as_bytes());
    let tree = trees.next().unwrap();
    assert!(trees.next().is_none());
    tree
}

/// Writes a tree and reads its words again, or finds the reason why it cannot be written.
pub(crate) fn assert_written_or_refused(tree: &Tree) {
    match shp::write(tree, &VARIANTS[2].1) {
        Ok(text) => {
            let back = read(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
            assert!(back.words().eq(tree.words().map(curly)), "{tree}");
        }
        Err(ShpError::BareWord(_)) => {
            assert!(tree.leaves(tree.top()).any(|leaf| tree.kind(leaf) == Kind::BareWord));
        }
        Err(ShpError::NoWords) => assert_eq!(tree.words().count(), 0),
        Err(ShpError::SeveralTops(tops)) => assert!(tops > 1),
        Err(ShpError::Label(label)) => assert!(label.is_empty() || label.contains(['_', '*'])),
        Err(_) => assert!(tree.words().count() == 1, "{tree}"),
    }
}

fn curly(word: &str) -> &str {
    match word {
        "{" => "-LCB-",
        "}" => "-RCB-",
        _ => word,
    }
}
