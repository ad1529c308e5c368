//! From settings to a built tradepost: each part made as the settings say, each failure blamed on its setting.

mod outside;
mod root_secrets;
mod steam;
mod storage;

use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use tradepost::auth::BreachedPasswords;
use tradepost::domain::accounts::session::SessionLife;
use tradepost::limits::{GovernorLimiter, InvalidQuota};
use tradepost::ports::clock::{Clock, RandomIds};
use tradepost::sql::{MigrateError, SqlStore};
use tradepost::transport::{Tls, TransportSettings, TrustedProxies};
use tradepost::{BuildError, SystemClock, Tradepost};

use crate::failure::{Exit, Failure, Outcome};
use crate::process::descriptors;
use crate::settings::Loaded;
use crate::simulated;

pub(crate) use outside::{egress, mail_folder, source_address};
pub(crate) use root_secrets::{existing_root_secret, former_root_secret, root_secret};
pub(crate) use steam::{SteamReach, connector as steam_connector, no_connector, reach as steam_reach};
pub(crate) use storage::{
    RESTORE, check_not_moved, database, existing_database, failure as storage_failure, lock_for_replacing, make_folder,
    take_lock,
};

/// How long open calls may still take once the server is asked to stop.
const FINISHING: Duration = Duration::from_secs(25);

/// What to do about a schema that is not up to date, or a database that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schema {
    /// Make it so.
    BringUpToDate,
    /// Refuse it.
    MustFit,
}

/// Whether the settings can be used, as far as that can be checked before anything is opened or made.
pub(crate) fn check(loaded: &Loaded) -> Outcome {
    let settings = &loaded.settings;
    let listen = settings.server.listen;
    let url = public_url(loaded, listen)?;
    storage::settings(loaded)?;
    root_secrets::check(loaded)?;
    tls(loaded)?;
    transport(loaded)?;
    metrics_readers(loaded)?;
    outside::check(loaded, &url, listen.port())?;
    steam::check(loaded)?;
    breached_passwords(loaded)?;
    session_life(loaded)?;
    GovernorLimiter::new(settings.limits.quotas()).map(drop).map_err(|error| no_quota(loaded, &error))
}

/// Builds what the settings describe, to be reached at `address`.
pub(crate) async fn build(loaded: &Loaded, address: SocketAddr, schema: Schema) -> Outcome<Tradepost> {
    let settings = &loaded.settings;
    let url = public_url(loaded, address)?;
    let (clock, ids): (Arc<dyn Clock>, _) = (Arc::new(SystemClock), Arc::new(RandomIds::default()));
    let (feeds, listing_feeds) = (outside::price_feeds(loaded, &clock)?, outside::listing_feeds(loaded, &clock)?);
    let (database, root) = match schema {
        Schema::BringUpToDate => (database(loaded)?, root_secret(loaded)?),
        Schema::MustFit => (existing_database(loaded)?, existing_root_secret(loaded)?),
    };
    let mut builder = Tradepost::builder()
        .database(database)
        .migrate(schema == Schema::BringUpToDate)
        .root_secret(root)
        .mailer(outside::mailer(loaded, clock, ids)?)
        .sign_up(settings.accounts.sign_up)
        .session_life(session_life(loaded)?)
        .quotas(settings.limits.quotas())
        .waiters(settings.limits.waiters())
        .transport(transport(loaded)?);
    for feed in feeds {
        builder = builder.price_feed(feed);
    }
    for feed in listing_feeds {
        builder = builder.listing_feed(feed);
    }
    if let Some(list) = breached_passwords(loaded)? {
        builder = builder.breached_passwords(list);
    }
    if let Some(bot_check) = outside::bot_check(loaded)? {
        builder = builder.bot_check(bot_check);
    }
    if let Some(linking) = outside::linking(loaded)? {
        builder = builder.linking(linking);
    }
    if let Some(webhooks) = outside::webhooks(loaded)? {
        builder = builder.webhooks(webhooks);
    }
    if let Some(alerts) = outside::alerts(loaded)? {
        builder = builder.alerts(alerts);
    }
    if let Some(former) = former_root_secret(loaded)? {
        builder = builder.former_root_secret(former);
    }
    let (domain, origins) = outside::passkeys(loaded, &url, address.port());
    builder = builder.passkeys(domain, origins);
    let app = builder.public_url(url).build().await.map_err(|error| build_failure(loaded, &error))?;
    simulated::offer_driver(&app)?;
    Ok(app)
}

/// The list of breached passwords, if there is one.
fn breached_passwords(loaded: &Loaded) -> Outcome<Option<BreachedPasswords>> {
    let key = "accounts.breached_passwords";
    let Some(path) = &loaded.settings.accounts.breached_passwords else { return Ok(None) };
    BreachedPasswords::open(path).map(Some).map_err(|error| {
        let advice = "name a file that `tradepost breached-passwords` made, or none";
        loaded.wrong(key, format!("names a list that cannot be used: {error}"), advice)
    })
}

fn session_life(loaded: &Loaded) -> Outcome<SessionLife> {
    let accounts = &loaded.settings.accounts;
    let (hours, minutes) = (i64::from(accounts.session_hours), i64::from(accounts.session_idle_minutes));
    let life = SessionLife::default().ending(time::Duration::hours(hours));
    let life = life.map_err(|error| loaded.wrong("accounts.session_hours", error, "give it in hours, such as 24"))?;
    life.ending_unused(time::Duration::minutes(minutes))
        .map_err(|error| loaded.wrong("accounts.session_idle_minutes", error, "give it in minutes, such as 60"))
}

/// Where the interface is reached on this machine.
pub(crate) fn local_url(address: SocketAddr, has_tls: bool) -> String {
    let scheme = if has_tls { "https" } else { "http" };
    let host = if address.ip().is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { address.ip() };
    format!("{scheme}://{}", SocketAddr::new(host, address.port()))
}

/// The same by name, where the address is one of loopback or any: browsers take `localhost` for passkeys, and no bare address.
pub(crate) fn local_name_url(address: SocketAddr, has_tls: bool) -> String {
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        let scheme = if has_tls { "https" } else { "http" };
        return format!("{scheme}://localhost:{}", address.port());
    }
    local_url(address, has_tls)
}

/// Where people reach it: as the settings say, else on this machine.
fn public_url(loaded: &Loaded, address: SocketAddr) -> Outcome<String> {
    if let Some(given) = &loaded.settings.server.public_url {
        let advice = "give an address such as https://trade.example.com";
        let wrong = |rule: &str| Err(loaded.wrong("server.public_url", rule, advice));
        return match reqwest::Url::parse(given) {
            Ok(url) if !matches!(url.scheme(), "http" | "https") => wrong("must begin with http:// or https://"),
            Ok(url) if url.query().is_some() || url.fragment().is_some() => wrong("must have no ? and no #"),
            Ok(_) => Ok(given.clone()),
            Err(error) => wrong(&format!("is not an address: {error}")),
        };
    }
    let has_tls = loaded.settings.server.tls_cert.is_some();
    Ok(if address.ip().is_loopback() { local_name_url(address, has_tls) } else { local_url(address, has_tls) })
}

fn transport(loaded: &Loaded) -> Outcome<TransportSettings> {
    let server = &loaded.settings.server;
    let networks: &[String] = match (server.behind_proxy, server.trusted_proxies.as_slice()) {
        (true, []) => &["127.0.0.0/8".to_owned(), "::1".to_owned()],
        (true, named) => named,
        (false, []) => &[],
        (false, _) => {
            let rule = "has no effect without server.behind_proxy";
            return Err(loaded.wrong(
                "server.trusted_proxies",
                rule,
                "set server.behind_proxy = true, or --behind-proxy",
            ));
        }
    };
    let trusted_proxies = TrustedProxies::parse(networks).map_err(|error| {
        loaded.wrong("server.trusted_proxies", format!("cannot be used: {error}"), "correct it there")
    })?;
    Ok(TransportSettings {
        trusted_proxies,
        shutdown_grace: FINISHING,
        host_names: host_names(loaded)?,
        max_connections: connections(loaded, "server.max_connections", server.max_connections)?
            .unwrap_or_else(descriptors::most_connections),
        max_connections_per_network: connections(
            loaded,
            "server.max_connections_per_network",
            Some(server.max_connections_per_network),
        )?
        .unwrap_or(usize::MAX),
        ..TransportSettings::default()
    })
}

fn host_names(loaded: &Loaded) -> Outcome<Vec<String>> {
    let names = &loaded.settings.server.host_names;
    match names.iter().find(|name| name.is_empty() || name.contains(['/', ' ', '@', '*'])) {
        None => Ok(names.clone()),
        Some(wrong) => {
            let rule = format!("cannot have {wrong:?}: it is not a host name");
            Err(loaded.wrong("server.host_names", rule, "give names such as trade.example.com, without http://"))
        }
    }
}

fn connections(loaded: &Loaded, key: &str, given: Option<u32>) -> Outcome<Option<usize>> {
    match given {
        Some(0) => Err(loaded.wrong(key, "must be at least 1", "correct it there, or remove it to get the default")),
        given => Ok(given.and_then(|most| usize::try_from(most).ok())),
    }
}

/// The networks that may read the metrics on the main port.
pub(crate) fn metrics_readers(loaded: &Loaded) -> Outcome<Vec<IpNet>> {
    let network = |text: &String| {
        text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
            let rule = format!("cannot have {text:?}: it is neither an address nor a network");
            loaded.wrong("ops.metrics_networks", rule, "give networks such as 192.0.2.0/24")
        })
    };
    loaded.settings.ops.metrics_networks.iter().map(network).collect()
}

/// The certificate, if HTTPS is set up.
pub(crate) fn tls(loaded: &Loaded) -> Outcome<Option<Tls>> {
    let server = &loaded.settings.server;
    let (certificate, key) = match (&server.tls_cert, &server.tls_key) {
        (None, None) => return Ok(None),
        (Some(certificate), Some(key)) => (certificate, key),
        (Some(_), None) => {
            return Err(loaded.wrong("server.tls_cert", "needs server.tls_key as well", "set server.tls_key"));
        }
        (None, Some(_)) => {
            return Err(loaded.wrong("server.tls_key", "needs server.tls_cert as well", "set server.tls_cert"));
        }
    };
    let read = |key: &str, path: &Path| {
        fs::read(path).map_err(|error| {
            let rule = format!("names {}, which cannot be read: {error}", path.display());
            loaded.wrong(key, rule, "correct the path, or let this user read the file")
        })
    };
    let tls = Tls::from_pem(&read("server.tls_cert", certificate)?, &read("server.tls_key", key)?);
    tls.map(Some).map_err(|error| {
        loaded.wrong(
            "server.tls_cert",
            format!("cannot be used: {error}"),
            "check both files with: openssl x509, openssl pkey",
        )
    })
}

fn build_failure(loaded: &Loaded, error: &BuildError) -> Failure {
    match error {
        BuildError::Storage(error) | BuildError::Schema(MigrateError::Store(error)) => storage::failure(loaded, error),
        BuildError::Schema(error) => {
            Failure::new(Exit::Unavailable, "the database has not the schema that this program needs")
                .because(error)
                .with_try("tradepost migrate")
        }
        BuildError::OtherRootSecret => Failure::new(Exit::Config, "the root secret is not the one of this database")
            .because("the database holds a mark of another root secret; its API keys and sealed secrets would not open")
            .with_try("restore the root secret that this database was made with (setting secret.root_file)")
            .with_try("to replace it, name the former one as well (setting secret.former_root_file)")
            .with_try("or name another database (setting database.url)"),
        BuildError::KeyEncryption(_) => Failure::new(Exit::Config, error.to_string()).with_try("tradepost doctor"),
        BuildError::Quota(error) => no_quota(loaded, error),
        BuildError::Passkeys(error) => outside::no_passkeys(loaded, error),
        BuildError::NoDatabase
        | BuildError::UnknownDatabase
        | BuildError::NoRootSecret
        | BuildError::RootSecret(_)
        | BuildError::PasswordCost(_) => Failure::new(Exit::Failed, error.to_string()),
    }
}

fn no_quota(loaded: &Loaded, error: &InvalidQuota) -> Failure {
    let advice = "correct it there, or remove it to get the default";
    loaded.wrong(&format!("limits.{}", error.class.name()), error.rule, advice)
}

/// The database of a tradepost that this program has assembled.
pub(crate) fn open_database(app: &Tradepost) -> Outcome<&SqlStore> {
    app.database().map(AsRef::as_ref).ok_or_else(|| Failure::new(Exit::Failed, "no database is open"))
}
