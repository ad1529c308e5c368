//! The first screen of the demo: what runs, where, with which key, and what to try next. It fits a terminal of 24 lines and 100 columns.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::banner::Banner;
use crate::cli::Demo;
use crate::settings::Environment;

/// The item whose prices are shown.
const ITEM: &str = "MP9 | Hot Rod (Factory New)";

/// What the screen shows of a demo.
pub(super) struct Shown<'a> {
    /// The line for programs.
    pub(super) line: &'a Value,
    pub(super) folder: &'a Path,
    pub(super) is_kept: bool,
    /// The pace of the market; `None` where no contract trades.
    pub(super) speed: Option<u32>,
    /// The folder of this program, where the path lacks it.
    pub(super) program: Option<PathBuf>,
}

impl<'a> Shown<'a> {
    pub(super) fn of(line: &'a Value, folder: &'a Path, demo: &Demo) -> Self {
        let of_program = std::env::current_exe().ok().and_then(|file| file.parent().map(Path::to_owned));
        let program = of_program.filter(|folder| !is_on_path(folder, &Environment::of_process()));
        Self { line, folder, is_kept: demo.keep.is_some(), speed: (!demo.still).then_some(demo.speed), program }
    }
}

/// Whether a shell finds the programs of a folder by their names.
fn is_on_path(folder: &Path, environment: &Environment) -> bool {
    let path = environment.get("PATH").unwrap_or_default();
    // The path may have the folder by a link.
    std::env::split_paths(path).any(|known| known == folder || known.canonicalize().is_ok_and(|known| known == folder))
}

pub(super) fn banner(shown: &Shown<'_>) -> Banner {
    let text = |field: &str| shown.line.get(field).and_then(Value::as_str).unwrap_or_default();
    let (url, key) = (text("baseUrl"), text("apiKey"));
    let mut banner = Banner::default();
    banner.fact("url", &format!("{url}      in a browser: {url}/docs"));
    if cfg!(feature = "console") {
        banner.fact("console", &format!("{url}, as {}", text("email")));
        banner.fact("password", text("password"));
        banner.fact("codes", &format!("from an authenticator app that has the secret {}", text("totpSecret")));
    }
    banner.fact("key", &format!("{key}, with every right"));
    banner.fact("market", &market(shown.speed));
    banner.fact("data", &folder(shown.folder, shown.is_kept));
    banner.fact("mail", text("mailDir"));
    banner.text(&format!("In another terminal:\n{}", exports(shown.program.as_deref(), url, key)));
    banner.text(&format!("Try:\n{}", tries(shown.speed.is_some())));
    banner.text("Your first contract: docs/tutorials/first-contract-cli.md      Stop: Ctrl-C");
    banner
}

/// The lines after which the commands work in another terminal.
fn exports(program: Option<&Path>, url: &str, key: &str) -> String {
    let path = program.map(|folder| format!("PATH=\"{}:$PATH\"", escaped(folder)));
    let values = path.into_iter().chain([format!("TRADEPOST_URL={url}"), format!("TRADEPOST_API_KEY={key}")]);
    values.map(|value| format!("  export {value}")).collect::<Vec<_>>().join("\n")
}

/// A folder between quotation marks, within which a shell still reads some characters.
fn escaped(folder: &Path) -> String {
    let escape = |character: char| ['"', '$', '`', '\\'].contains(&character).then_some('\\');
    let text = folder.display().to_string();
    text.chars().flat_map(|character| escape(character).into_iter().chain(std::iter::once(character))).collect()
}

fn market(speed: Option<u32>) -> String {
    match speed {
        Some(3_600) => "simulated; an hour of it passes in a second (--speed)".to_owned(),
        Some(speed) => format!("simulated; {speed} s of it pass in a second (--speed)"),
        None => "simulated; no contract trades (--still)".to_owned(),
    }
}

fn folder(path: &Path, is_kept: bool) -> String {
    let note = if is_kept { "" } else { ", removed at the end (--keep DIR stores it)" };
    format!("{}{note}", path.display())
}

fn tries(trades: bool) -> String {
    let watch = ("tradepost transitions tail", "what happens, as it happens");
    let look = ("tradepost inventory list", "what was bought, and where it is");
    let history = format!("tradepost prices history \"{ITEM}\"");
    let commands = [
        ("tradepost contracts list", "what is bought and sold, for how much"),
        if trades { watch } else { look },
        (history.as_str(), "its prices by day; --from DATE: more"),
        ("tradepost remediations list --status open", "to solve: show ID, run ID ACTION"),
        ("tradepost halt --reason \"having a look\"", "stops all buying; --resume ends it"),
    ];
    let width = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> =
        commands.iter().map(|(command, about)| format!("  {command:<width$}  # {about}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PROGRAM: &str = "/srv/tradepost/target/release";

    fn screen(speed: Option<u32>, program: Option<&str>) -> Vec<String> {
        let key = format!("tpk_{}", "x".repeat(46));
        let line = json!({
            "apiKey": key,
            "baseUrl": "http://localhost:8080",
            "email": "demo@example.com",
            "mailDir": "/tmp/tradepost-demo-VbvoUL/mail",
            "password": "lantern orchard violet seventeen",
            "totpSecret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
        });
        let folder = Path::new("/tmp/tradepost-demo-VbvoUL");
        banner(&Shown { line: &line, folder, is_kept: false, speed, program: program.map(PathBuf::from) }).lines()
    }

    #[test]
    fn the_first_screen_fits_a_terminal() {
        for speed in [None, Some(1), Some(3_600), Some(86_400)] {
            Banner::assert_fits_a_screen(&screen(speed, Some(PROGRAM)));
        }
    }

    #[test]
    fn the_first_screen_names_address_key_and_what_to_try() {
        let text = screen(Some(60), None).join("\n");
        for part in ["http://localhost:8080/docs", "export TRADEPOST_API_KEY=tpk_", "tradepost contracts list", "60 s"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn a_program_outside_of_the_path_is_put_on_it_first() {
        let exports = |program| -> Vec<String> {
            let screen = screen(None, program);
            let exports = screen.iter().filter_map(|line| line.trim().strip_prefix("export "));
            exports.filter_map(|export| export.split('=').next()).map(str::to_owned).collect()
        };
        assert_eq!(exports(Some(PROGRAM)), ["PATH", "TRADEPOST_URL", "TRADEPOST_API_KEY"]);
        assert_eq!(exports(None), ["TRADEPOST_URL", "TRADEPOST_API_KEY"]);
        let text = screen(None, Some("/srv/my \"$tools\"")).join("\n");
        assert!(text.contains(r#"export PATH="/srv/my \"\$tools\":$PATH""#), "{text}");
    }

    #[test]
    fn a_folder_is_on_the_path_where_the_path_has_it() {
        let is_on = |path| is_on_path(Path::new(PROGRAM), &Environment::from([("PATH", path)]));
        assert!(is_on("/usr/bin:/srv/tradepost/target/release"));
        assert!(!is_on("/usr/bin:/srv") && !is_on(""));
    }
}
