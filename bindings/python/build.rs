//! Link arguments of an extension module: on macOS, symbols that are not there yet must be said to be welcome.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
