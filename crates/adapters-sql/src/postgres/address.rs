//! The address of a PostgreSQL server, or of several that replicate each other. It holds a password, and in an address that is written
//! wrong any part may belong to it: so no part is ever repeated, and no library that quotes what it cannot read is given one.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tradepost_ports::store::{StoreError, StoreResult};

use super::target::Target;

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];
/// The parameters that the driver knows. It would log the others, with their values.
const OF_THE_DRIVER: [&str; 14] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];
/// How long a server may take to answer, where the address does not say it.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The seconds that the address may give a server.
const CONNECT_SECONDS: std::ops::RangeInclusive<u64> = 1..=60;
const UNREADABLE: &str = "the address of the PostgreSQL server cannot be read; it must be \
    postgres://USER:PASSWORD@HOST:PORT/NAME, or with several servers postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/NAME, and in a \
    password each of : / ? # [ ] @ % and space is written as % and two hexadecimal digits, such as %40 for @";
const SECONDS: &str = "connect_timeout in the address of the PostgreSQL server must be a number of seconds from 1 to 60; \
    correct it, or leave it out for 2";
const NUMERIC: &str = "hostaddr in the address of the PostgreSQL server names several servers, which host alone does; \
    write host=ADDRESS,ADDRESS";

/// The servers of an address, each with everything to connect to it.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    pub(crate) servers: Vec<PgConnectOptions>,
    pub(crate) target: Target,
    /// How long one server may take to accept a connection.
    pub(crate) connect_timeout: Duration,
}

/// The parameters of an address by what they mean.
#[derive(Default)]
struct Parameters<'a> {
    of_the_driver: Vec<&'a str>,
    hosts: Option<&'a str>,
    numeric: Option<&'a str>,
    ports: Option<&'a str>,
    target: Option<&'a str>,
    connect_timeout: Option<&'a str>,
    without_effect: usize,
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with what is wrong, and nothing of the address.
    pub(crate) fn read(url: &str) -> StoreResult<Self> {
        let unreadable = || refused(UNREADABLE);
        let rest = SCHEMES.iter().find_map(|scheme| url.strip_prefix(scheme)).ok_or_else(unreadable)?;
        let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let authority = place.split('/').next().unwrap_or(place);
        let after_authority = rest.get(authority.len()..).unwrap_or_default();
        let is_suspicious = |character: char| character == '#' || character.is_whitespace() || character.is_control();
        if rest.contains(is_suspicious) || after_authority.contains('@') {
            return Err(unreadable());
        }
        let parameters = Parameters::of(parameters);
        if parameters.without_effect > 0 {
            let parameters = parameters.without_effect;
            tracing::warn!(parameters, "the address of the database has parameters without an effect");
        }
        let name = place.get(authority.len()..).unwrap_or_default();
        let addresses = parameters.addresses(authority, name)?;
        let parsed = addresses.iter().map(|address| address.parse().map_err(|_| unreadable()));
        let servers: Vec<PgConnectOptions> = parsed.collect::<StoreResult<_>>()?;
        let target = Target::read(parameters.target, servers.len())?;
        Ok(Self { servers, target, connect_timeout: parameters.connect_timeout()? })
    }
}

impl<'a> Parameters<'a> {
    fn of(text: &'a str) -> Self {
        let mut parameters = Self::default();
        for parameter in text.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match name {
                "host" => parameters.hosts = Some(value),
                "hostaddr" => parameters.numeric = Some(value),
                "port" => parameters.ports = Some(value),
                "target_session_attrs" => parameters.target = Some(value),
                "connect_timeout" => parameters.connect_timeout = Some(value),
                _ if OF_THE_DRIVER.contains(&name) || name.starts_with("options[") => {
                    parameters.of_the_driver.push(parameter);
                }
                _ => parameters.without_effect += 1,
            }
        }
        parameters
    }

    fn connect_timeout(&self) -> StoreResult<Duration> {
        let Some(text) = self.connect_timeout else { return Ok(CONNECT_TIMEOUT) };
        let seconds = text.parse().ok().filter(|seconds| CONNECT_SECONDS.contains(seconds));
        seconds.map(Duration::from_secs).ok_or_else(|| refused(SECONDS))
    }

    /// The address of each server, as the driver reads one.
    fn addresses(&self, authority: &str, name: &str) -> StoreResult<Vec<String>> {
        let (user, places) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
        if self.numeric.is_some_and(|numeric| listed(numeric).len() > 1) {
            return Err(refused(NUMERIC));
        }
        let hosts = self.hosts.map(listed).filter(|hosts| hosts.len() > 1);
        let places: Vec<&str> = places.split(',').collect();
        let servers = match (hosts, places.as_slice()) {
            (Some(hosts), _) => {
                self.by_parameters(&hosts)?.iter().map(|own| (String::from("localhost"), own.clone())).collect()
            }
            // As it is: the driver has its own ways to name one server.
            (None, [place]) => vec![((*place).to_owned(), self.of_one_server())],
            (None, several) => self.by_places(several)?,
        };
        let shared = self.of_the_driver.join("&");
        Ok(servers.iter().map(|(place, own)| format!("postgres://{user}{place}{name}?{shared}{own}")).collect())
    }

    /// The parameters of each server that the parameter `host` names.
    fn by_parameters(&self, hosts: &[String]) -> StoreResult<Vec<String>> {
        let ports = self.ports_of(hosts.len())?;
        let server = |(host, port): (&String, &Option<String>)| {
            let port = port.as_ref().map(|port| format!("&port={port}")).unwrap_or_default();
            (!host.is_empty()).then(|| format!("&host={host}{port}")).ok_or_else(|| refused(UNREADABLE))
        };
        hosts.iter().zip(&ports).map(server).collect()
    }

    /// The servers named in front of the database.
    fn by_places(&self, places: &[&str]) -> StoreResult<Vec<(String, String)>> {
        let ports = self.ports_of(places.len())?;
        let server = |(place, port): (&&str, &Option<String>)| {
            let port = port.as_ref().map(|port| format!("&port={port}")).unwrap_or_default();
            let is_named = !place.is_empty() && !place.starts_with(':');
            is_named.then(|| ((*place).to_owned(), port)).ok_or_else(|| refused(UNREADABLE))
        };
        places.iter().zip(&ports).map(server).collect()
    }

    /// The port of each of so many servers, where the parameter `port` says it.
    fn ports_of(&self, servers: usize) -> StoreResult<Vec<Option<String>>> {
        let Some(ports) = self.ports.map(listed) else { return Ok(vec![None; servers]) };
        let given = |port: &String| (!port.is_empty()).then(|| port.clone());
        match ports.as_slice() {
            [one] => Ok(vec![given(one); servers]),
            several if several.len() == servers => Ok(several.iter().map(given).collect()),
            several => Err(StoreError::Unavailable(format!(
                "the address of the PostgreSQL server has {} ports for {servers} servers; name one port for all of them, or one \
                 for each",
                several.len()
            ))),
        }
    }

    /// What the driver reads of where one server is.
    fn of_one_server(&self) -> String {
        let named = [("host", self.hosts), ("hostaddr", self.numeric), ("port", self.ports)];
        named.iter().filter_map(|(name, value)| Some(format!("&{name}={}", (*value)?))).collect()
    }
}

fn refused(why: &str) -> StoreError {
    StoreError::Unavailable(why.to_owned())
}

/// The parts of a list, whose comma may be written as `%2C`.
fn listed(value: &str) -> Vec<String> {
    value.replace("%2C", ",").replace("%2c", ",").split(',').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "Tr0ub4dor";

    fn read(url: &str) -> Address {
        Address::read(url).unwrap_or_else(|error| panic!("{url}: {error}"))
    }

    fn servers(url: &str) -> Vec<(String, u16)> {
        read(url).servers.iter().map(|server| (server.get_host().to_owned(), server.get_port())).collect()
    }

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
            let refused = Address::read(address).unwrap_err();
            assert_eq!(refused, StoreError::Unavailable(UNREADABLE.to_owned()), "{address}");
            assert!(!format!("{refused} {refused:?}").contains(SECRET));
        }
    }

    #[test]
    fn a_list_of_servers_that_is_written_wrong_is_refused_without_repeating_any_of_it() {
        for address in [
            "postgres://app:Tr0ub4dor@db1:5432,db2:port/tp",
            "postgres://app:Tr0ub4dor@db1:5432,,db2/tp",
            "postgres://app:Tr0ub4dor@db1,db2,/tp",
            "postgres://app:Tr0ub4dor@,db2/tp",
            "postgres://app:Tr0ub4dor@db1,:5433/tp",
            "postgres://app:Tr0ub4dor@db1:99999,db2/tp",
            "postgres://app:Tr0ub4dor@[::1,db2/tp",
            "postgres://app:Tr0ub4dor,db2:5432/tp",
            "postgres://app:Tr0ub4dor/1@db1,db2/tp",
            "postgres://app:1#Tr0ub4dor@db1,db2/tp",
            "postgres://app:Tr0ub4dor@/tp?host=db1,&port=5432",
            "postgres://app:Tr0ub4dor@db1,db2/tp?port=5432,Tr0ub4dor",
            "postgres://app:Tr0ub4dor@db1,db2,db3/tp?port=5432,5433",
            "postgres:///tp?host=db1,db2&port=1,2,3&password=Tr0ub4dor",
            "postgres://app@db1,db2/tp?target_session_attrs=Tr0ub4dor",
            "postgres://app:Tr0ub4dor@db1,db2/tp?target_session_attrs=standby",
            "postgres://app@db1,db2/tp?connect_timeout=Tr0ub4dor",
            "postgres://app:Tr0ub4dor@db1/tp?connect_timeout=0",
            "postgres://app:Tr0ub4dor@/tp?hostaddr=192.0.2.1,192.0.2.2",
        ] {
            let refused = Address::read(address).expect_err(address);
            assert!(matches!(refused, StoreError::Unavailable(_)), "{address}");
            let said = format!("{refused} {refused:?}");
            assert!(!said.contains(SECRET) && !said.contains("db2"), "{said}");
        }
    }

    #[test]
    fn an_address_is_read_with_its_parameters_but_for_those_without_an_effect() {
        for address in [
            "postgres://app:p%40ss@db.example.com:5433/tp?sslmode=require&channel_binding=require",
            "postgresql://app:p%40ss@db.example.com:5433/tp",
        ] {
            let address = read(address);
            let [server] = address.servers.as_slice() else { panic!("{address:?}") };
            let found = (server.get_host(), server.get_port(), server.get_username(), server.get_database());
            assert_eq!(found, ("db.example.com", 5433, "app", Some("tp")));
            assert_eq!((address.target, address.connect_timeout), (Target::Any, Duration::from_secs(2)));
        }
        assert!(Address::read("postgres:///tp?host=/run/postgresql&user=app").is_ok());
        assert_eq!(Parameters::of("pasword=Tr0ub4dor&sslmode=require").of_the_driver, ["sslmode=require"]);
        assert_eq!(read("postgres://app@db/tp?connect_timeout=5").connect_timeout, Duration::from_secs(5));
    }

    #[test]
    fn several_servers_are_read_with_the_port_of_each() {
        let expected = |ports: [u16; 2]| vec![("db1".to_owned(), ports[0]), ("db2".to_owned(), ports[1])];
        for (address, ports) in [
            ("postgres://app:p%2Css@db1:5432,db2:5433/tp", [5432, 5433]),
            ("postgres://app:p,ss@db1,db2:5433/tp", [5432, 5433]),
            ("postgresql://db1:5434,db2/tp?user=app", [5434, 5432]),
            ("postgres://app@db1,db2/tp?port=5440", [5440, 5440]),
            ("postgres://app@db1,db2/tp?port=5440,5441", [5440, 5441]),
            ("postgres://app@/tp?host=db1,db2&port=5442,5443", [5442, 5443]),
            ("postgres:///tp?user=app&host=db1%2Cdb2&port=5442%2c5443", [5442, 5443]),
            ("postgres:///tp?user=app&host=db1,db2", [5432, 5432]),
            ("postgres:///tp?user=app&host=db1,db2&port=5444,", [5444, 5432]),
        ] {
            assert_eq!(servers(address), expected(ports), "{address}");
            let read = read(address);
            assert!(read.servers.iter().all(|server| server.get_username() == "app"), "{address}");
            assert!(read.servers.iter().all(|server| server.get_database() == Some("tp")), "{address}");
            assert_eq!(read.target, Target::ReadWrite, "{address}");
        }
        let numbers = servers("postgres://app@[2001:db8::1]:5432,192.0.2.7/tp");
        assert_eq!(numbers, [("[2001:db8::1]".to_owned(), 5432), ("192.0.2.7".to_owned(), 5432)]);
        let sockets = read("postgres:///tp?user=app&host=/run/one,/run/two&port=5432,5433");
        let folders = sockets.servers.iter().map(|server| server.get_socket().unwrap().display().to_string());
        assert_eq!(folders.collect::<Vec<_>>(), ["/run/one", "/run/two"]);
    }

    #[test]
    fn which_servers_are_used_is_read_as_other_programs_do() {
        let target =
            |parameter: &str| read(&format!("postgres://app@db1,db2/tp?target_session_attrs={parameter}")).target;
        assert_eq!(
            [target("read-write"), target("primary"), target("any")],
            [Target::ReadWrite, Target::Primary, Target::Any]
        );
        assert_eq!(read("postgres://app@db1/tp?target_session_attrs=read-write").target, Target::ReadWrite);
        for refused in ["read-only", "standby", "prefer-standby", "READ-WRITE", ""] {
            let address = format!("postgres://app@db1,db2/tp?target_session_attrs={refused}");
            let error = Address::read(&address).unwrap_err().to_string();
            assert!(error.contains("read-write, primary or any"), "{error}");
        }
    }
}
