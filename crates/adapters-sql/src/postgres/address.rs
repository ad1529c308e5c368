//! The address of a PostgreSQL server. It holds a password, and in an address that is written wrong any part may belong to it: so
//! no part is ever repeated, and no library that quotes what it cannot read is given one.

use log::LevelFilter;
use secrecy::ExposeSecret as _;
use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;
use tradepost_ports::store::{StoreError, StoreResult};

use crate::connection_options::{SLOW, STATEMENTS_KEPT};
use crate::settings::PostgresSettings;

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];
/// The parameters that have an effect. The driver would log the others, with their values.
const PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];
const UNREADABLE: &str = "the address of the PostgreSQL server cannot be read; it must be \
    postgres://USER:PASSWORD@HOST:PORT/NAME, and in a password each of : / ? # [ ] @ % and space is written as % and two \
    hexadecimal digits, such as %40 for @";

/// How to connect to the server of the settings.
pub(crate) fn connect_options(settings: &PostgresSettings) -> StoreResult<PgConnectOptions> {
    let unreadable = || StoreError::Unavailable(UNREADABLE.to_owned());
    let address = cleaned(settings.url.expose_secret()).ok_or_else(unreadable)?;
    let options: PgConnectOptions = address.parse().map_err(|_| unreadable())?;
    Ok(options
        .application_name("tradepost")
        .statement_cache_capacity(STATEMENTS_KEPT)
        .options([
            ("statement_timeout", settings.statement_timeout.as_millis().to_string()),
            ("lock_timeout", settings.lock_timeout.as_millis().to_string()),
            ("idle_in_transaction_session_timeout", "10000".to_owned()),
        ])
        .log_statements(LevelFilter::Off)
        .log_slow_statements(LevelFilter::Warn, SLOW))
}

/// The address without the parameters that have no effect, unless some part of it may be a piece of a password.
fn cleaned(url: &str) -> Option<String> {
    let rest = SCHEMES.iter().find_map(|scheme| url.strip_prefix(scheme))?;
    let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = place.split('/').next().unwrap_or(place);
    let after_authority = rest.get(authority.len()..).unwrap_or_default();
    let is_suspicious = |character: char| character == '#' || character.is_whitespace() || character.is_control();
    if rest.contains(is_suspicious) || after_authority.contains('@') {
        return None;
    }
    let has_effect = |parameter: &&str| {
        let name = parameter.split('=').next().unwrap_or_default();
        PARAMETERS.contains(&name) || name.starts_with("options[")
    };
    let (known, unknown): (Vec<&str>, Vec<&str>) =
        parameters.split('&').filter(|parameter| !parameter.is_empty()).partition(has_effect);
    if !unknown.is_empty() {
        tracing::warn!(parameters = unknown.len(), "the address of the database has parameters without an effect");
    }
    Some(format!("postgres://{place}?{}", known.join("&")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "Tr0ub4dor";

    #[test]
    fn an_address_that_may_be_written_wrong_is_refused_without_repeating_any_of_it() {
        for address in [
            "postgres://app:Tr0ub4dor@[::1/tp",
            "postgres://app:Tr0ub4dor@localhost:port/tp",
            "postgres://app:Tr0ub4dor@localhost:99999/tp",
            "postgres://app:Tr0ub4dor/1@localhost/tp",
            "postgres://app:1/Tr0ub4dor@localhost/tp",
            "postgres://app:Tr0ub4dor#1@localhost/tp",
            "postgres://app:1#Tr0ub4dor@localhost/tp",
            "postgres://app:Tr0ub4dor?1@localhost/tp",
            "postgres://app:1?Tr0ub4dor@localhost/tp",
            "postgres://app:Tr0ub4dor 1@localhost/tp",
            "postgres://app:Tr0ub4dor%ff%fe@localhost/tp",
            "postgres://app:Tr0ub4dor",
            "postgres://app@localhost/tp?sslmode=Tr0ub4dor",
            "postgres:app:Tr0ub4dor@localhost/tp",
            " postgres://app:Tr0ub4dor@localhost/tp",
        ] {
            let refused = connect_options(&PostgresSettings::at(address)).unwrap_err();
            assert_eq!(refused, StoreError::Unavailable(UNREADABLE.to_owned()), "{address}");
            assert!(!format!("{refused} {refused:?}").contains(SECRET));
        }
    }

    #[test]
    fn an_address_is_read_with_its_parameters_but_for_those_without_an_effect() {
        for address in [
            "postgres://app:p%40ss@db.example.com:5433/tp?sslmode=require&channel_binding=require",
            "postgresql://app:p%40ss@db.example.com:5433/tp",
        ] {
            let options = connect_options(&PostgresSettings::at(address)).unwrap();
            let read = (options.get_host(), options.get_port(), options.get_username(), options.get_database());
            assert_eq!(read, ("db.example.com", 5433, "app", Some("tp")));
        }
        assert!(connect_options(&PostgresSettings::at("postgres:///tp?host=/run/postgresql&user=app")).is_ok());
        assert_eq!(
            cleaned("postgres://app@db/tp?pasword=Tr0ub4dor&sslmode=require").unwrap(),
            "postgres://app@db/tp?sslmode=require"
        );
    }
}
