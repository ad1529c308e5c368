//! `cargo xtask interop`: other people's clients against the demo, by hand, where npm and Python are.
//!
//! It installs the clients into `target/interop`, starts the demo and runs them. What they check is in `xtask/interop`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::Context;
use serde_json::Value;

use crate::checks::{build_program, run_to_outcome, tool};
use crate::report::{Outcome, Report};
use crate::workspace_root;

const CLIENTS: &str = "xtask/interop";
const METHOD: &str = "contracts.v1.Contracts/GetPurchase";

/// The protocols of `buf curl`. It exits with eight times the code of the error: 5 is `not_found`.
const BUF_PROTOCOLS: [&str; 3] = ["connect", "grpc", "grpcweb"];
const NOT_FOUND: i32 = 8 * 5;

/// Runs every client.
///
/// # Errors
/// When npm or Python is missing, a client cannot be installed, or the demo does not start.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let clients = Clients::install()?;
    let demo = Demo::start()?;
    let mut report = Report::default();
    report.step("buf curl", || clients.buf_curl(&demo));
    report.step("connect-node", || run_to_outcome(&mut clients.script("node", "clients.mjs", &demo)?));
    report.step("connectrpc and grpcio", || {
        run_to_outcome(&mut clients.script("python/bin/python", "clients.py", &demo)?)
    });
    drop(demo);
    Ok(report.finish())
}

/// The folder with the installed clients.
struct Clients(PathBuf);

impl Clients {
    fn install() -> anyhow::Result<Self> {
        let folder = workspace_root().join("target/interop");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for file in ["package.json", "clients.mjs", "clients.py", "requirements.txt"] {
            fs::copy(workspace_root().join(CLIENTS).join(file), folder.join(file))
                .with_context(|| format!("cannot copy {file} to {}", folder.display()))?;
        }
        let clients = Self(folder);
        succeed(clients.command("npm").args(["install", "--no-fund", "--no-audit", "--loglevel=error"]))?;
        succeed(clients.command("python3").args(["-m", "venv", "python"]))?;
        succeed(clients.command("python/bin/pip").args(["install", "--quiet", "--requirement", "requirements.txt"]))?;
        succeed(clients.buf().arg("build").arg(workspace_root().join("proto")).args(["--output", "interface.binpb"]))?;
        Ok(clients)
    }

    fn buf_curl(&self, demo: &Demo) -> anyhow::Result<Outcome> {
        for protocol in BUF_PROTOCOLS {
            for (purchase, expected) in [(demo.field("purchaseId")?, 0), ("AAAAAAAAAAAAAAAAAAAAAA==", NOT_FOUND)] {
                let status = self.call(protocol, demo, purchase)?.status().context("cannot run buf")?;
                if status.code() != Some(expected) {
                    return Ok(Outcome::Failed(format!("{protocol}: {status} instead of {expected} for {purchase}")));
                }
            }
            println!("buf curl, {protocol}: a purchase, and not_found for an unknown one");
        }
        Ok(Outcome::Passed)
    }

    fn call(&self, protocol: &str, demo: &Demo, purchase: &str) -> anyhow::Result<Command> {
        let request = serde_json::json!({ "workspaceId": demo.field("workspaceId")?, "purchaseId": purchase });
        let mut command = self.buf();
        command
            .args(["curl", "--http2-prior-knowledge", "--protocol", protocol, "--schema"])
            .arg(workspace_root().join("proto"))
            .args(["--header", &format!("Authorization: Bearer {}", demo.field("apiKey")?)])
            .args(["--data", &request.to_string(), &format!("{}/{METHOD}", demo.field("baseUrl")?)])
            .stdout(Stdio::null());
        Ok(command)
    }

    fn script(&self, program: &str, script: &str, demo: &Demo) -> anyhow::Result<Command> {
        let mut command = self.command(program);
        command
            .arg(script)
            .env("INTERFACE", self.0.join("interface.binpb"))
            .env("BASE_URL", demo.field("baseUrl")?)
            .env("API_KEY", demo.field("apiKey")?)
            .env("WORKSPACE_ID", demo.field("workspaceId")?)
            .env("PURCHASE_ID", demo.field("purchaseId")?);
        Ok(command)
    }

    fn buf(&self) -> Command {
        self.command("node_modules/.bin/buf")
    }

    /// A program of the folder, or of the machine when it is named without one.
    fn command(&self, program: &str) -> Command {
        let installed = Path::new(program).components().count() > 1;
        let path = if installed { self.0.join(program) } else { program.into() };
        let mut command = tool(&path.display().to_string());
        command.current_dir(&self.0);
        command
    }
}

/// A running demo, asked to end once dropped, so that it removes its temporary database.
struct Demo {
    server: Child,
    printed: Value,
}

impl Demo {
    fn start() -> anyhow::Result<Self> {
        let mut server = tool(&build_program()?.display().to_string())
            .args(["demo", "--still", "--quiet", "--listen", "127.0.0.1:0"])
            .env("TRADEPOST_LOG__LEVEL", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot run the demo")?;
        let line = server.stdout.take().and_then(|stdout| BufReader::new(stdout).lines().next());
        let mut demo = Self { server, printed: Value::Null };
        let line = line.context("the demo ended before it was up")?.context("cannot read what the demo prints")?;
        demo.printed = serde_json::from_str(&line).context("the demo printed something else than its line of JSON")?;
        Ok(demo)
    }

    fn field(&self, name: &str) -> anyhow::Result<&str> {
        self.printed[name].as_str().with_context(|| format!("the demo printed no {name}"))
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let asked = tool("kill").arg(self.server.id().to_string()).status();
        if let Err(error) = asked.and_then(|_| self.server.wait()) {
            eprintln!("cannot end the demo: {error}");
        }
    }
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    match run_to_outcome(command)? {
        Outcome::Passed => Ok(()),
        Outcome::Failed(why) | Outcome::Skipped(why) => {
            anyhow::bail!("{} failed: {why}", command.get_program().display())
        }
    }
}
