//! From a database address to the settings of the SQL adapter.

use tradepost_adapters_sql::{DatabaseSettings, PostgresSettings, SqliteSettings};

/// The settings for `sqlite://PATH` or `postgres://…`; `None` for any other address.
pub(crate) fn settings(url: &str) -> Option<DatabaseSettings> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Some(DatabaseSettings::Postgres(PostgresSettings::at(url)));
    }
    let rest = url.strip_prefix("sqlite:")?;
    let path = rest.strip_prefix("//").unwrap_or(rest);
    // What other programs write behind the path, such as `?mode=rwc`, is what happens anyway.
    let path = path.split('?').next().filter(|path| !path.is_empty())?;
    Some(DatabaseSettings::Sqlite(SqliteSettings::at(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sqlite_path(url: &str) -> Option<String> {
        match settings(url) {
            Some(DatabaseSettings::Sqlite(sqlite)) => Some(sqlite.path.display().to_string()),
            Some(DatabaseSettings::Postgres(_)) | None => None,
        }
    }

    #[test]
    fn a_sqlite_address_names_a_file() {
        for (url, path) in [
            ("sqlite://data/tradepost.db", "data/tradepost.db"),
            ("sqlite:///var/lib/tradepost/tradepost.db?mode=rwc", "/var/lib/tradepost/tradepost.db"),
            ("sqlite:tradepost.db", "tradepost.db"),
        ] {
            assert_eq!(sqlite_path(url).as_deref(), Some(path));
        }
    }

    #[test]
    fn other_addresses_are_no_database() {
        for url in ["mysql://localhost/x", "data/tradepost.db", "sqlite://", ""] {
            assert!(settings(url).is_none(), "{url}");
        }
    }
}
