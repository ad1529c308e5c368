//! `tradepost healthcheck`: whether a server is ready, as containers and scripts ask.

use std::time::Duration;

use reqwest::{Client, Response};

use crate::assembly;
use crate::cli::Healthcheck;
use crate::failure::{Exit, Failure, Outcome, chain};
use crate::settings::Loaded;

/// Shorter than the time that container engines and probes give a check.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Where the pages are, and whether the certificate there is checked.
struct Target {
    url: String,
    checks_certificate: bool,
}

/// Asks, and prints one line.
pub(crate) async fn run(load: impl FnOnce() -> Outcome<Loaded>, healthcheck: Healthcheck, quiet: bool) -> Outcome {
    let target = match healthcheck.url {
        Some(url) => Target { url: url.trim_end_matches('/').to_owned(), checks_certificate: true },
        None => of_settings(&load()?)?,
    };
    let (page, good, bad) =
        if healthcheck.live { ("livez", "alive", "not alive") } else { ("readyz", "ready", "not ready") };
    let url = format!("{}/{page}", target.url);
    let not = |why: String| Failure::new(Exit::Failed, format!("{bad}: {url} {why}"));
    // The address is in the sentence already.
    let unreachable = |error: reqwest::Error| not(format!("failed: {}", chain(&error.without_url())));
    let answer = ask(&url, target.checks_certificate).await.map_err(unreachable)?;
    let status = answer.status();
    let text = answer.text().await.map_err(unreachable)?;
    if !status.is_success() {
        let reason = text.lines().next().unwrap_or("no reason");
        return Err(not(format!("answered {}: {reason}", status.as_u16())));
    }
    if !quiet {
        anstream::println!("{good}: {url} answered {}", status.as_u16());
    }
    Ok(())
}

/// The server of the settings, on this machine.
fn of_settings(loaded: &Loaded) -> Outcome<Target> {
    let settings = &loaded.settings;
    let (setting, address, has_tls) = match settings.ops.listen {
        Some(address) => ("ops.listen", address, false),
        None => ("server.listen", settings.server.listen, settings.server.tls_cert.is_some()),
    };
    if address.port() == 0 {
        return Err(Failure::new(Exit::Config, format!("setting {setting} has port 0, so that the port is unknown"))
            .with_try("name the server with --url"));
    }
    // The certificate is for the name by which clients reach the server, and this machine asks itself by its address.
    Ok(Target { url: assembly::local_url(address, has_tls), checks_certificate: false })
}

async fn ask(url: &str, checks_certificate: bool) -> reqwest::Result<Response> {
    let client = Client::builder().timeout(TIMEOUT).no_proxy().tls_danger_accept_invalid_certs(!checks_certificate);
    client.build()?.get(url).send().await
}
