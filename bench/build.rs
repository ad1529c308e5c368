//! Describes the interface for the Node server, which is measured by hand where npm is: it needs no code generator then.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use prost::Message as _;

#[expect(clippy::disallowed_methods, reason = "cargo names the folder of a build script in a variable")]
fn main() -> Result<(), Box<dyn Error>> {
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proto");
    println!("cargo:rerun-if-changed={}", protos.display());
    let described = protox::compile(["contracts/v1/contracts.proto"], [&protos])?;
    fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("contracts.fds.bin"), described.encode_to_vec())?;
    Ok(())
}
