//! Generates an independent client of the interface for the tests, by tonic and prost, and the list of every operation. Both come
//! from the protos.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

#[expect(clippy::disallowed_methods, reason = "cargo names the folder of a build script in a variable")]
fn main() -> Result<(), Box<dyn Error>> {
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proto");
    println!("cargo:rerun-if-changed={}", protos.display());
    let services = [
        "accounts/v1/accounts.proto",
        "alerts/v1/alerts.proto",
        "contracts/v1/contracts.proto",
        "events/v1/events.proto",
        "markets/v1/markets.proto",
        "trading/v1/trading.proto",
    ];
    let described = protox::compile(services, [protos])?;
    let mut operations = Vec::new();
    for file in &described.file {
        let client = file.package().split('.').next().unwrap_or_default();
        let methods = file.service.iter().flat_map(|service| &service.method);
        operations.extend(methods.map(|method| (client.to_owned(), method.name().to_owned())));
    }
    let list = Path::new(&env::var("OUT_DIR")?).join("every_operation.rs");
    fs::write(list, every_operation(&operations)?)?;
    tonic_prost_build::configure().build_server(false).compile_fds(described)?;
    Ok(())
}

/// A macro that runs `$call!(client method)` for the operation of a name.
fn every_operation(operations: &[(String, String)]) -> Result<String, Box<dyn Error>> {
    let mut arms = String::new();
    for (client, name) in operations {
        writeln!(arms, "            {name:?} => $call!(${client} {}),", snake_case(name))?;
    }
    Ok(format!(
        "macro_rules! by_name {{
    ($name:expr, $call:ident, $accounts:ident, $contracts:ident, $events:ident, $markets:ident, $trading:ident) => {{
        match $name {{
{arms}            other => panic!(\"no client can call {{other}}\"),
        }}
    }};
}}
pub(super) use by_name;
"
    ))
}

/// The name of the method that both generators give an operation: `BeginTOTPEnrollment` is `begin_totp_enrollment`.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let follows_lower = at > 0 && letters[at - 1].is_lowercase();
        let ends_acronym = at > 0 && letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && (follows_lower || ends_acronym) {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
