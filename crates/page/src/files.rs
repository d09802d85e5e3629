//! The files of the page.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its name below the page's address.
    pub name: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal: $media:literal),* $(,)?) => {
        &[$(File { name: $name, media: $media, bytes: include_bytes!(concat!("../files/", $name)) }),*]
    };
}

const FILES: &[File] = files! {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "backend.js": "text/javascript; charset=utf-8",
    "canvas.js": "text/javascript; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "examples.js": "text/javascript; charset=utf-8",
    "exports.js": "text/javascript; charset=utf-8",
    "link.js": "text/javascript; charset=utf-8",
    "worker.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
};

/// Every file of the page; `index.html` is the first.
pub fn files() -> &'static [File] {
    FILES
}
