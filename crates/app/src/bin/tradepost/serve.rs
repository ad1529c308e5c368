//! `tradepost serve`: from settings to a running server, with the first start and what is printed about it.

use std::fmt::Write as _;
use std::net::SocketAddr;

use secrecy::ExposeSecret as _;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tradepost::transport::Tls;

use crate::assembly::{self, Schema, SteamReach};
use crate::backup::schedule::{self, Schedule};
use crate::banner::Banner;
use crate::bootstrap::{self, FirstStart};
use crate::failure::Outcome;
use crate::process::host::{self, Ops, OpsPages};
use crate::process::log::{self, Start};
use crate::process::{descriptors, metrics, reload, service_manager, signals};
use crate::settings::{BotCheckProvider, Loaded, MailTransport, Synchronous};
use crate::trading;

/// Serves until it is asked to stop.
pub(crate) async fn run(read: impl Fn() -> Outcome<Loaded> + Send + 'static, quiet: bool) -> Outcome {
    let loaded = read()?;
    let hangups = reload::hangups()?;
    let log = log::begin(&loaded)?;
    check(&loaded)?;
    let start = log.begin_start(&loaded, quiet)?;
    descriptors::raise();
    let tls = assembly::tls(&loaded)?;
    let reloading = tokio::spawn(reload::follow(hangups, read, log.reloading(), tls.clone()));
    let served = signals::heed(|stop| serve(&loaded, tls, start, stop)).await;
    reloading.abort();
    served
}

/// Whether it could be served with these settings, as far as that can be checked before anything is opened or made.
pub(crate) fn check(loaded: &Loaded) -> Outcome {
    log::filter(loaded)?;
    assembly::check(loaded)?;
    trading::check(loaded)?;
    Schedule::of(loaded)?;
    bootstrap::check(loaded)
}

async fn serve(loaded: &Loaded, tls: Option<Tls>, start: Start, stop: CancellationToken) -> Outcome {
    let metrics = metrics::record()?;
    let quiet = start.quiet;
    let settings = &loaded.settings;
    // The port and the lock first: nothing is made, and no key shown, by a process that cannot serve.
    let listener = match service_manager::passed_socket()? {
        Some(passed) => passed,
        None => host::bind(settings.server.listen, "server.listen").await?,
    };
    let address = host::address_of(&listener)?;
    let pages = match settings.ops.listen {
        Some(address) => OpsPages::On(host::bind(address, "ops.listen").await?),
        None => OpsPages::OnMainPort { readers: assembly::metrics_readers(loaded)? },
    };
    let schema = if settings.database.migrate { Schema::BringUpToDate } else { Schema::MustFit };
    if schema == Schema::MustFit {
        // Before the lock, which is a file next to the database.
        assembly::existing_database(loaded)?;
    }
    let _lock = assembly::take_lock(loaded)?;
    let app = assembly::build(loaded, address, schema).await?;
    let first = bootstrap::run(&app, loaded, &pages_url(loaded, address), quiet).await?;
    warn_of_risks(loaded, address, quiet);
    announce(loaded, address, first.as_ref(), quiet);
    start.end(loaded)?;
    trading::begin(&app, loaded, stop.clone()).await?;
    app.report_unserved_contracts();
    let _watchdog = service_manager::ready();
    let backups = schedule::follow(loaded, stop.clone());
    let (served, backed_up) = tokio::join!(host::serve(&app, listener, tls, Ops { pages, metrics }, stop), backups);
    served.and(backed_up)
}

fn warn_of_risks(loaded: &Loaded, address: SocketAddr, quiet: bool) {
    let settings = &loaded.settings;
    let is_protected = settings.server.tls_cert.is_some() || settings.server.behind_proxy;
    if !address.ip().is_loopback() && !is_protected {
        tracing::warn!(
            %address,
            "plain HTTP on an address that others can reach: API keys cross the network in clear, and browsers keep no session; \
             set server.tls_cert and server.tls_key, or --behind-proxy if a proxy speaks TLS"
        );
    }
    if settings.bot_check.provider == BotCheckProvider::Development {
        tracing::warn!("bot_check.provider is \"development\": the check keeps no script out");
    }
    if settings.database.synchronous == Synchronous::Normal && settings.database.sqlite_file().is_some() {
        tracing::warn!("database.synchronous is \"normal\": a power cut may lose the last acknowledged writes");
    }
    // The banner has this one: nearly every first start would begin with a warning.
    if settings.mail.transport == MailTransport::Directory && !Banner::is_on_terminal(quiet) {
        tracing::warn!("mails are only written to a folder; set mail.transport = \"smtp\" to send them");
    }
}

/// What a server reports whose settings name no desk. Other nodes may trade all the same.
const NOTHING_TRADES: &str = "nothing trades yet: connect a marketplace";

/// What its banner shows then, so that the whole fits a terminal of 24 rows and 80 columns.
const NEXT_STEPS: &str = "A simulated marketplace:      docs/reference/configuration.md#trading\n\
                          A marketplace of your own:    docs/tutorials/embed-in-rust.md\n";

fn trades_nowhere(loaded: &Loaded) -> bool {
    let trading = &loaded.settings.trading;
    trading.simulator.is_none() && trading.worlds.is_empty()
}

fn announce(loaded: &Loaded, address: SocketAddr, first: Option<&FirstStart>, quiet: bool) {
    let url = assembly::local_url(address, loaded.settings.server.tls_cert.is_some());
    tracing::info!(%url, version = env!("TRADEPOST_VERSION"), "listening");
    let mut line = json!({ "baseUrl": url });
    if let Some(first) = first {
        line["workspaceId"] = json!(first.workspace_id);
    }
    if trades_nowhere(loaded) {
        tracing::info!("{NOTHING_TRADES}");
    }
    banner(loaded, address, first).show(quiet, &line);
}

fn banner(loaded: &Loaded, address: SocketAddr, first: Option<&FirstStart>) -> Banner {
    let settings = &loaded.settings;
    let url = &assembly::local_url(address, settings.server.tls_cert.is_some());
    let mut banner = Banner::default();
    banner.fact("url", url);
    if cfg!(feature = "console") {
        banner.fact("console", &pages_url(loaded, address));
    }
    banner.fact("docs", &format!("{url}/docs"));
    banner.fact("api", "/<package>.<version>.<Service>/<Method>, described in /openapi.json");
    let ops = settings.ops.listen.map_or(url.to_owned(), |ops| format!("http://{ops}"));
    banner.fact("ops", &format!("{ops}/metrics  /livez  /readyz"));
    banner.fact("data", &database_name(loaded));
    if settings.mail.transport == MailTransport::Directory {
        banner.fact("mail", "only written to a folder (setting mail.transport)");
    }
    if let Some(simulator) = &settings.trading.simulator {
        banner.fact("trading", &format!("in the simulated world at {simulator}"));
    }
    if !settings.trading.worlds.is_empty() {
        let worlds: Vec<_> = settings.trading.worlds.keys().map(String::as_str).collect();
        banner.fact("trading", &format!("for workspaces with providers in: {}", worlds.join(", ")));
    }
    if let SteamReach::Called { api, community } = assembly::steam_reach(loaded) {
        banner.fact("accounts", &format!("signed in and read at {api}, {community}"));
    }
    if trades_nowhere(loaded) {
        banner.fact("trading", NOTHING_TRADES);
    }
    if let Some(first) = first {
        show_first_start(&mut banner, first, url);
    }
    let steps = if trades_nowhere(loaded) { NEXT_STEPS } else { "" };
    banner.text(&format!("{steps}Sample data: tradepost demo      Stop: Ctrl-C"));
    banner
}

/// Where people open the pages of the server: the public address, and on this machine the name for which browsers accept passkeys.
fn pages_url(loaded: &Loaded, address: SocketAddr) -> String {
    let has_tls = loaded.settings.server.tls_cert.is_some();
    loaded.settings.server.public_url.clone().unwrap_or_else(|| assembly::local_name_url(address, has_tls))
}

fn show_first_start(banner: &mut Banner, first: &FirstStart, url: &str) {
    let mut made = format!("First start: workspace {}, owner {}", first.workspace_id, first.email);
    if let Some(file) = &first.file {
        let _ = write!(made, "\nCredentials that were made are in {}", file.display());
    }
    if let Some(url) = &first.shown_setup_url {
        let _ = write!(made, "\nChoose the owner's password, once and within 30 min:\n{}", url.expose_secret());
    }
    banner.text(&made);
    if let Some(key) = &first.shown_key {
        let key = key.expose_secret();
        banner.text(&format!(
            "In another terminal; the API key has every policy and is shown only now:\n  \
             export TRADEPOST_URL={url}\n  export TRADEPOST_API_KEY={key}\n  tradepost workspace show"
        ));
    }
}

fn database_name(loaded: &Loaded) -> String {
    let file = loaded.settings.database.sqlite_file();
    file.map_or_else(|| "PostgreSQL".to_owned(), |file| file.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{self, Environment};

    fn screen(first: Option<&FirstStart>) -> Vec<String> {
        let loaded = settings::load(None, Vec::new(), &Environment::default()).unwrap();
        banner(&loaded, SocketAddr::from(([127, 0, 0, 1], 8080)), first).lines()
    }

    /// A first start on a terminal.
    fn first_start() -> FirstStart {
        FirstStart {
            workspace_id: "AaIYhKrWdvCBapX0WCLrRw==".to_owned(),
            email: "owner@example.com".to_owned(),
            shown_key: Some(bootstrap::token()),
            shown_setup_url: Some(format!("http://localhost:8080/setup#{}", bootstrap::token().expose_secret()).into()),
            file: Some("data/initial-credentials".into()),
        }
    }

    #[test]
    fn the_screen_of_a_first_start_shows_the_link_to_choose_a_password() {
        let first = first_start();
        let url = first.shown_setup_url.as_ref().map(|url| url.expose_secret().to_owned());
        let lines = screen(Some(&first));
        let at = lines.iter().position(|line| Some(line.trim()) == url.as_deref()).unwrap();
        assert!(lines[at - 1].contains("once and within 30 min"), "{lines:?}");
    }

    #[test]
    fn the_screen_of_a_first_start_fits_a_terminal_and_names_the_next_step() {
        let first = first_start();
        for lines in [screen(Some(&first)), screen(None)] {
            Banner::assert_fits_a_screen(&lines);
            let text = lines.join("\n");
            assert!(text.contains("nothing trades yet: connect a marketplace"), "{text}");
            assert!(text.contains("docs/reference/configuration.md#trading"), "{text}");
        }
    }
}
