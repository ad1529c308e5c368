//! The first screen of the demo: what runs, where, with which key, and what to try next. It fits a terminal of 24 lines and 100 columns.

use std::path::Path;

use serde_json::Value;

use crate::banner::Banner;
use crate::cli::Demo;

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
}

impl<'a> Shown<'a> {
    pub(super) fn of(line: &'a Value, folder: &'a Path, demo: &Demo) -> Self {
        Self { line, folder, is_kept: demo.keep.is_some(), speed: (!demo.still).then_some(demo.speed) }
    }
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
    banner.text(&format!("In another terminal:\n  export TRADEPOST_URL={url}\n  export TRADEPOST_API_KEY={key}"));
    banner.text(&format!("Try:\n{}", tries(shown.speed.is_some())));
    banner.text("Your first contract: docs/tutorials/first-contract-cli.md      Stop: Ctrl-C");
    banner
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

    fn screen(speed: Option<u32>) -> Vec<String> {
        let key = format!("tpk_{}", "x".repeat(46));
        let line = json!({
            "apiKey": key,
            "baseUrl": "http://localhost:8080",
            "email": "demo@example.com",
            "mailDir": "/tmp/tradepost-demo-VbvoUL/mail",
            "password": "lantern orchard violet seventeen",
            "totpSecret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
        });
        let shown = Shown { line: &line, folder: Path::new("/tmp/tradepost-demo-VbvoUL"), is_kept: false, speed };
        banner(&shown).lines()
    }

    #[test]
    fn the_first_screen_fits_a_terminal() {
        for speed in [None, Some(1), Some(3_600), Some(86_400)] {
            Banner::assert_fits_a_screen(&screen(speed));
        }
    }

    #[test]
    fn the_first_screen_names_address_key_and_what_to_try() {
        let text = screen(Some(60)).join("\n");
        for part in ["http://localhost:8080/docs", "export TRADEPOST_API_KEY=tpk_", "tradepost contracts list", "60 s"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
