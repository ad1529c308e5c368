//! Generates an independent client of the interface for the tests: by tonic and prost, from the same protos.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proto");
    println!("cargo:rerun-if-changed={}", protos.display());
    let services = [
        "accounts/v1/accounts.proto",
        "contracts/v1/contracts.proto",
        "markets/v1/markets.proto",
        "trading/v1/trading.proto",
    ];
    let described = protox::compile(services, [protos])?;
    tonic_prost_build::configure().build_server(false).compile_fds(described)?;
    Ok(())
}
