//! The command line: which commands and flags there are, and what `--help` says about them.
#![expect(clippy::doc_markdown, reason = "these comments are what `--help` prints, where backticks stay backticks")]

pub(crate) mod client;
pub(crate) mod desk;
pub(crate) mod examples;
pub(crate) mod manual;
mod mistake;
mod overview;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod reach;
#[cfg(test)]
mod shell;
pub(crate) mod sim;
pub(crate) mod webhook;
#[cfg(test)]
pub(crate) mod written;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Arg, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::settings::Single;

use crate::client::records::command::Call as RecordsCall;
use crate::client::records::keys::POLICIES;

use client::{ClientCommand, Connection};
use sim::Sim;

/// Self-hosted platform for automated trading of game items.
///
/// Without a command, starts the server on ./data/tradepost.db and creates the database if it is missing.
#[derive(Debug, Parser)]
#[command(
    name = "tradepost",
    version = env!("TRADEPOST_VERSION"),
    after_help = "Examples:\n  tradepost                                serve on http://127.0.0.1:8080\n  tradepost demo                           try it with sample data\n  tradepost --listen 127.0.0.1:8081        serve on another port\n  tradepost key create --name bot --policy trading"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(flatten)]
    pub(crate) serve: Serve,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What several commands take; [`FLAGS`] says which.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Settings file [default: ./tradepost.toml, then the user's, then /etc/tradepost/tradepost.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Address and port to serve on; port 0 picks a free one (setting server.listen)
    #[arg(long, global = true, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    /// Database: sqlite://FILE or postgres://… (setting database.url)
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) database: Option<String>,
    /// Output format; table fits the terminal, wide has every column in full
    #[arg(short, long, global = true, value_enum, default_value_t = Output::Table)]
    pub(crate) output: Output,
    /// Print no banner, and show no progress
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// How a command prints its result, and whether it shows progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Console {
    pub(crate) output: Output,
    pub(crate) quiet: bool,
}

/// How a command prints what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    // A description of a value would give every flag three lines of help.
    Table,
    Wide,
    Json,
    Jsonl,
    Csv,
}

impl Output {
    /// Whether it is for reading.
    pub(crate) fn is_for_people(self) -> bool {
        matches!(self, Self::Table | Self::Wide)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start the server (default command)
    #[command(after_help = "Example:\n  tradepost serve --listen 0.0.0.0:8080 --behind-proxy")]
    Serve(Serve),
    /// Start a server with sample data and a simulated market
    #[command(
        after_help = "Examples:\n  tradepost demo\n  tradepost demo --keep shown     resume where it ended or was killed\n  tradepost demo --speed 60       let a minute of the market pass in a second\n  tradepost demo --days 365       begin with a year of prices\n\nWhen stdout is not a terminal it gets one line of JSON with the URL, keys and ids."
    )]
    Demo(Demo),
    /// Upgrade the database schema
    #[command(after_help = "Example:\n  tradepost migrate --database postgres://tradepost@localhost/tradepost")]
    Migrate,
    /// Manage API keys in the database itself, without a server
    Key(Key),
    /// Manage users in the database itself; recover accounts
    User(User),
    /// Build a blocklist of breached passwords
    #[command(
        after_help = "Example:\n  tradepost breached-passwords pwnedpasswords.txt breached-passwords\n  TRADEPOST_ACCOUNTS__BREACHED_PASSWORDS=breached-passwords tradepost\n\nThe setting accounts.breached_passwords names the list. SOURCE has a SHA-1 digest a line, or SHA1:COUNT as \"Pwned Passwords\" has. The list takes 2.25 bytes a password on disk\nand in the server's memory, and some 35 while it is made."
    )]
    BreachedPasswords(BreachedList),
    /// Back up a running SQLite database and verify the copy
    #[command(after_help = "Example:\n  tradepost backup backups/tradepost-2026-01-31.db")]
    Backup(Backup),
    /// Replace a SQLite database by a backup; keep the old one
    #[command(
        after_help = "Example:\n  tradepost restore backups/tradepost-2026-01-31.db\n\nStop the server first. The backup is verified before anything changes, and needs the root secret that it was made under.\nThe old database stays next to the new one as FILE.replaced-DATE. See docs/how-to/back-up-and-restore.md."
    )]
    Restore(Restore),
    /// Move all data from a SQLite file to PostgreSQL
    #[command(
        after_help = "Example:\n  tradepost move --database postgres://tradepost@localhost/tradepost data/tradepost.db\n\nStop the server first. The PostgreSQL database must be empty, and the root secret stays the same. A move that was cut off continues\nwhen the same command runs again. Afterwards the file is FILE.moved-DATE. See docs/how-to/use-postgresql.md."
    )]
    Move(MoveFile),
    /// Check the installation for problems
    #[command(
        after_help = "Examples:\n  tradepost doctor\n  tradepost doctor --deep\n\nEnds with 1 when a check fails; each failure says how to fix it. Checks a bounded number of records, so that it answers at once; --deep reads all of them, also while a server runs."
    )]
    Doctor(Doctor),
    /// Ask a server whether it is ready; ends with 0 or 1
    #[command(
        after_help = "Examples:\n  tradepost healthcheck\n  tradepost healthcheck --wait 30\n  tradepost healthcheck --live --url https://trade.example.com\n\nAsks the server of the settings on this machine for /readyz, for at most 3 s each time. Ends with 78 when a setting is wrong."
    )]
    Healthcheck(Healthcheck),
    /// The simulated marketplace and game platform
    Sim(Sim),
    /// Call an operation of a running server
    #[command(
        after_help = "Example:\n  TRADEPOST_API_KEY=tpk_… tradepost call accounts.v1.Accounts/CountAPIKeys\n  tradepost call --curl contracts.v1.Contracts/ListPurchases '{\"workspaceId\":\"…\"}'"
    )]
    Call(Call),
    /// Receive events on this machine; verify their signatures
    #[command(subcommand)]
    Webhook(Box<webhook::Webhook>),
    #[command(flatten)]
    Client(Box<ClientCommand>),
    /// Print the JSON Schema of desk files, for editors
    #[command(
        after_help = "Example:\n  tradepost schema > desk.schema.json\n\nA desk.toml that begins with the line \"#:schema ./desk.schema.json\" is then completed and checked by editors with Taplo,\nsuch as Even Better TOML for VS Code. See docs/how-to/desk-file.md."
    )]
    Schema,
    /// Write the manual pages into a folder
    #[command(
        after_help = "Example:\n  tradepost man /usr/local/share/man/man1\n\nThe folder is created if it is missing. There is a page for each command, such as tradepost-contracts-apply.1."
    )]
    Man {
        /// The folder to write to
        folder: PathBuf,
    },
    #[command(flatten)]
    Records(Box<RecordsCall>),
    /// Print the completions of a shell
    #[command(after_help = "Example:\n  tradepost completions bash > /etc/bash_completion.d/tradepost")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Default, Args)]
pub(crate) struct Serve {
    /// Trust a TLS-terminating reverse proxy for client addresses (setting server.behind_proxy)
    #[arg(long)]
    pub(crate) behind_proxy: bool,
    /// Do not bring the schema up to date (setting database.migrate)
    #[arg(long)]
    pub(crate) no_migrate: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Store the demo in DIR, or resume the demo stored there
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    /// Seed of the sample data; equal seeds give equal records [default: 42]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Days of prices and trades in the sample data, 30 to 365 [default: 90]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(30..=365))]
    pub(crate) days: Option<u16>,
    /// Load sample data only; no contract trades
    #[arg(long, conflicts_with = "speed")]
    pub(crate) still: bool,
    /// How many seconds pass at the market in a second; by default an hour
    #[arg(long, default_value_t = 3_600, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) speed: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Key {
    #[command(subcommand)]
    pub(crate) action: KeyAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyAction {
    /// Create a key and print it; it is not shown again
    #[command(
        after_help = "Example:\n  tradepost key create --name bot --policy trading --policy analytics --expires 90d"
    )]
    Create(CreateKey),
    /// List the keys of a workspace
    #[command(after_help = "Example:\n  tradepost key list -o json")]
    List(InWorkspace),
    /// Generate a bootstrap key for the first start of a server
    #[command(
        after_help = "Example:\n  tradepost key generate > first-key\n  TRADEPOST_BOOTSTRAP__KEY_FILE=first-key tradepost\n\nThe key becomes valid when a first start receives it (setting bootstrap.key)."
    )]
    Generate,
    /// Revoke a key; it is refused from then on
    #[command(after_help = "Example:\n  tradepost key revoke tpk_7Qx0VbR2")]
    Revoke(RevokeKey),
}

#[derive(Debug, Args)]
pub(crate) struct InWorkspace {
    /// Name or id of the workspace; not needed while there is only one
    #[arg(long, value_name = "NAME-OR-ID")]
    pub(crate) workspace: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CreateKey {
    /// Its name
    #[arg(long)]
    pub(crate) name: String,
    #[arg(long = "policy", value_name = "POLICY", required = true, help = POLICIES)]
    pub(crate) policies: Vec<String>,
    /// Lifetime, such as 90d or 12h [default: does not expire]
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
    /// E-mail address of the member who owns the key [default: the workspace owner]
    #[arg(long, value_name = "EMAIL")]
    pub(crate) owner: Option<String>,
    #[command(flatten)]
    pub(crate) place: InWorkspace,
}

#[derive(Debug, Args)]
pub(crate) struct RevokeKey {
    /// Its id, or its first 12 characters as `key list` shows them
    pub(crate) key: String,
    /// Why, for its owner and the audit log
    #[arg(long)]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) place: InWorkspace,
}

#[derive(Debug, Args)]
pub(crate) struct User {
    #[command(subcommand)]
    pub(crate) action: UserAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserAction {
    /// List the users
    #[command(after_help = "Example:\n  tradepost user list")]
    List,
    /// Create a user, and print a link to set the password
    #[command(
        after_help = "Example:\n  tradepost user create ada@example.com --name Ada\n\nThe link is valid once and for 30 min. The address is taken as verified. Hand the link to the user by a way you trust; reset-password makes another one."
    )]
    Create(NewUser),
    /// Show a user with sign-in methods and memberships
    #[command(after_help = "Example:\n  tradepost user show ada@example.com")]
    Show(OneUser),
    /// Remove a user's authenticator app, codes and passkeys
    #[command(
        name = "reset-2fa",
        after_help = "Example:\n  tradepost user reset-2fa ada@example.com\n\nThe password alone signs in afterwards. Sessions end, API keys go on working, and the user is notified by mail. Make sure\nfirst that it is the user who asks."
    )]
    ResetTwoFactor(OneUser),
    /// Print a link by which a user sets a new password
    #[command(
        after_help = "Example:\n  tradepost user reset-password ada@example.com\n\nThe link is valid once and for 30 min. Hand the link to the user by a way you trust. Sessions end, API keys go on working, and the user is notified by mail. A user\nwith an authenticator app needs a code of it as well; if it is lost, reset-2fa comes first."
    )]
    ResetPassword(OneUser),
}

#[derive(Debug, Args)]
pub(crate) struct NewUser {
    /// The address by which the user signs in
    pub(crate) email: String,
    /// The name that others see
    #[arg(long)]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct OneUser {
    /// The address by which the user signs in, or the user's id
    pub(crate) user: String,
}

#[derive(Debug, Args)]
pub(crate) struct BreachedList {
    /// The published list
    pub(crate) source: PathBuf,
    /// The file to write; it must not exist yet
    pub(crate) file: PathBuf,
    /// Leave out passwords that were seen less often; matters where the source has counts
    #[arg(long, default_value_t = 1, value_name = "COUNT")]
    pub(crate) seen_at_least: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The file to write; it must not exist yet
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The backup
    pub(crate) file: PathBuf,
    /// Replace a database that has newer data than the backup, or cannot be read
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MoveFile {
    /// The SQLite file
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Check every record, entry, chain and log; works while a server runs
    #[arg(long)]
    pub(crate) deep: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Healthcheck {
    /// Ask whether the process runs (/livez) and not whether it can serve (/readyz)
    #[arg(long)]
    pub(crate) live: bool,
    /// Where the server is [default: this machine, by the settings ops.listen or server.listen]
    #[arg(long, value_name = "URL", value_parser = client::address)]
    pub(crate) url: Option<String>,
    /// Ask again until the answer is good, for so many seconds
    #[arg(long, default_value_t = 0, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=3_600))]
    pub(crate) wait: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The operation, such as contracts.v1.Contracts/GetPurchase
    pub(crate) operation: String,
    /// The request, as JSON
    #[arg(default_value = "{}")]
    pub(crate) request: String,
    #[command(flatten)]
    pub(crate) connection: Connection,
    /// Print the curl command instead of calling
    #[arg(long)]
    pub(crate) curl: bool,
}

/// The flags of [`Global`] that matter to each command. Its help shows no others.
const FLAGS: [(&str, &[&str]); 16] = [
    ("serve", &["config", "listen", "database", "quiet"]),
    ("demo", &["config", "listen", "quiet"]),
    ("migrate", &["config", "database", "output"]),
    ("key", &["config", "database", "output"]),
    ("user", &["config", "database", "output"]),
    ("breached-passwords", &["output", "quiet"]),
    ("backup", &["config", "database", "output", "quiet"]),
    ("restore", &["config", "database", "output"]),
    ("move", &["config", "database", "output", "quiet"]),
    ("doctor", &["config", "database", "output", "quiet"]),
    ("healthcheck", &["config", "listen", "quiet"]),
    ("sim", &["config", "output", "quiet"]),
    ("call", &[]),
    ("schema", &[]),
    ("man", &[]),
    ("completions", &[]),
];
/// The same of a command that works through a running server.
const FLAGS_OF_CLIENTS: &[&str] = &["output"];

/// Longer lines of help are hard to read.
const MOST_WIDTH: usize = 100;

impl Cli {
    /// The command line of this process. One that is wrong ends the process.
    pub(crate) fn read() -> Self {
        let mut described = Self::complete();
        let given = described.try_get_matches_from_mut(std::env::args_os());
        let read = given.and_then(|given| Self::from_arg_matches(&given));
        read.unwrap_or_else(|error| mistake::end(error, &mut described))
    }

    /// The command line, in which the help of a command shows only the flags that matter to it.
    pub(crate) fn described() -> clap::Command {
        let described = Self::command();
        let global: Vec<Arg> = described.get_arguments().filter(|flag| flag.is_global_set()).cloned().collect();
        let described = described.mut_subcommand("sim", |sim| {
            // It prints no answers.
            let hidden = global.iter().find(|flag| flag.get_id() == "output").map(|flag| flag.clone().hide(true));
            sim.mut_subcommand("serve", |serve| serve.args(hidden))
        });
        let described = described.mut_subcommands(|command| {
            let known = FLAGS.iter().find(|(name, _)| *name == command.get_name());
            let shown = known.map_or(FLAGS_OF_CLIENTS, |(_, shown)| shown);
            // A flag that a command has already is not taken over from the whole.
            let hidden = global.iter().filter(|flag| !shown.contains(&flag.get_id().as_str()));
            let hidden: Vec<Arg> = hidden.map(|flag| flag.clone().hide(true)).collect();
            command.args(hidden)
        });
        overview::with_groups(examples::with_examples(described)).max_term_width(MOST_WIDTH)
    }

    /// The same with the usage of each command as text.
    fn complete() -> clap::Command {
        let mut complete = Self::described();
        complete.build();
        overview::with_usages(complete)
    }
}

impl Global {
    /// The settings given by flags, those of the command included.
    pub(crate) fn settings(&self, command: &Command) -> Vec<Single> {
        let listen = self.listen.map(|listen| Single::flag("--listen", "server.listen", listen.to_string()));
        let database = self.database.as_ref().map(|url| Single::flag("--database", "database.url", url.as_str()));
        let serve = if let Command::Serve(serve) = command { serve } else { &Serve::default() };
        let proxy = serve.behind_proxy.then(|| Single::flag("--behind-proxy", "server.behind_proxy", true));
        let migrate = serve.no_migrate.then(|| Single::flag("--no-migrate", "database.migrate", false));
        [listen, database, proxy, migrate].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_chosen_for_commands_that_exist() {
        let cli = Cli::command();
        for (name, _) in FLAGS {
            assert!(cli.find_subcommand(name).is_some(), "{name}");
        }
    }

    #[test]
    fn the_command_line_is_in_order() {
        Cli::described().debug_assert();
    }
}
