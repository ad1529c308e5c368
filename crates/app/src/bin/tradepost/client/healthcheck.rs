//! `tradepost healthcheck`: whether a server is ready, as containers and scripts ask.

use std::time::{Duration, Instant};

use reqwest::{Client, StatusCode};

use crate::assembly;
use crate::cli::Healthcheck;
use crate::failure::{Exit, Failure, Outcome, chain};
use crate::settings::Loaded;

/// Shorter than the time that container engines and probes give a check.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Between two questions of one that waits.
const PAUSE: Duration = Duration::from_millis(200);

/// The beginning of the error of a server that is there.
const ANSWERED: &str = "answered";

/// Where the pages are, and whether the certificate there is checked.
struct Target {
    url: String,
    checks_certificate: bool,
}

/// Asks, again and again where it shall wait, and prints one line if the answer is good.
pub(crate) async fn run(load: impl FnOnce() -> Outcome<Loaded>, healthcheck: Healthcheck, quiet: bool) -> Outcome {
    let target = match healthcheck.url {
        Some(url) => Target { url: url.trim_end_matches('/').to_owned(), checks_certificate: true },
        None => of_settings(&load()?)?,
    };
    let (page, good, bad) =
        if healthcheck.live { ("livez", "alive", "not alive") } else { ("readyz", "ready", "not ready") };
    let url = format!("{}/{page}", target.url);
    let until = Instant::now() + Duration::from_secs(healthcheck.wait);
    let status = loop {
        match ask(&url, target.checks_certificate).await {
            Ok(status) => break status,
            Err(why) if Instant::now() + PAUSE > until => {
                let advice = if why.starts_with(ANSWERED) {
                    "see what is wrong: tradepost doctor, and the log of the server"
                } else {
                    "start the server with: tradepost; or name another one with --url"
                };
                return Err(Failure::new(Exit::Failed, format!("{bad}: {url} {why}")).with_try(advice));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    };
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

/// Asks once. An error says what was answered instead, or why nothing was.
async fn ask(url: &str, checks_certificate: bool) -> Result<StatusCode, String> {
    // The address is in the sentence already.
    let unreachable = |error: reqwest::Error| format!("failed: {}", chain(&error.without_url()));
    let client = Client::builder().timeout(TIMEOUT).no_proxy().tls_danger_accept_invalid_certs(!checks_certificate);
    let answer = client.build().map_err(unreachable)?.get(url).send().await.map_err(unreachable)?;
    let status = answer.status();
    let text = answer.text().await.map_err(unreachable)?;
    if status.is_success() {
        return Ok(status);
    }
    Err(format!("{ANSWERED} {}: {}", status.as_u16(), text.lines().next().unwrap_or("no reason")))
}
