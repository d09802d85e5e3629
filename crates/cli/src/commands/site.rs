//! `tracebank site`: the page as files that need no server of ours.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::Result;
use tracebank::{DEFAULT_MODEL, FAST_MODEL, embedded_bytes};

use crate::failure::{self, Failure};
use crate::output::{Output, make_folder};
use crate::small;

/// The WebAssembly module, as cargo names it.
const MODULE: &str = "tracebank_wasm.wasm";

/// The most bytes of the module, which holds no model.
const MOST_CODE: u64 = 256 << 20;

/// Write the page as a static site that parses in the browser
///
/// The folder can be put on any web server, or opened over a local one (`python3 -m http.server`). The parser runs in the browser, as
/// WebAssembly, and nothing is sent anywhere. The module is built by
/// `cargo build --release --target wasm32-unknown-unknown -p tracebank-wasm`, and found beside this program's own build unless --module names it.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo build --release --target wasm32-unknown-unknown -p tracebank-wasm
  tracebank site --out site
  tracebank site --out site --module tracebank_wasm.wasm --force")]
pub(crate) struct Site {
    /// The folder to write
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// The WebAssembly module
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    /// Write into a folder that has files already, and overwrite those of the same name
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &Site) -> Result<ExitCode> {
    let module = match &arguments.module {
        Some(path) => path.clone(),
        None => beside_program().ok_or_else(|| {
            Failure(format!(
                "there is no {MODULE}: build it with `cargo build --release --target wasm32-unknown-unknown -p tracebank-wasm`, or name it with --module"
            ))
        })?,
    };
    let code = small::bytes(&module, MOST_CODE)?;
    if !code.starts_with(b"\0asm") {
        return Err(Failure(format!("{}: this is no WebAssembly module", module.display())).into());
    }
    let out = &arguments.out;
    make_folder(out, arguments.force)?;
    let write = |name: &str, bytes: &[u8]| {
        let mut output = Output::file(&out.join(name), arguments.force)?;
        output.write_bytes(bytes)?;
        output.finish()
    };
    for file in tracebank_page::files() {
        write(file.name, file.bytes)?;
    }
    write("tracebank.wasm", &code)?;
    for name in [FAST_MODEL, DEFAULT_MODEL] {
        write(&format!("{name}.tbm"), embedded_bytes(name).expect("the models in the box"))?;
    }
    failure::say(&format!("the site is in {}; any web server can serve it", out.display()));
    Ok(ExitCode::SUCCESS)
}

/// The module in cargo's folder, if this program is there too.
fn beside_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let target = program.parent()?.parent()?;
    let folders = ["release", "debug"].map(|profile| target.join("wasm32-unknown-unknown").join(profile));
    folders.into_iter().map(|folder| folder.join(MODULE)).find(|path| path.is_file())
}
