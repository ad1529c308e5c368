//! The first page of the help: the commands by what they are for.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

/// The headings, and the commands below each.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Server commands", &["serve", "demo", "healthcheck", "sim"]),
    (
        "Trading commands",
        &[
            "contracts",
            "filter-sets",
            "intents",
            "purchases",
            "inventory",
            "evaluations",
            "would-buys",
            "offers",
            "confirmations",
            "remediations",
            "transitions",
            "halt",
        ],
    ),
    ("Money commands", &["pools", "ledger", "pnl"]),
    (
        "Market commands",
        &[
            "accounts",
            "account-groups",
            "account-sessions",
            "renewals",
            "snapshots",
            "inventory-changes",
            "imports",
            "friends",
            "chat",
            "assignments",
            "providers",
            "prices",
            "price-overrides",
            "order-book",
            "observations",
        ],
    ),
    ("Workspace commands", &["workspace", "search", "members", "keys", "audit", "alerts", "webhooks", "webhook"]),
    ("Database commands", &["key", "user", "migrate", "backup", "restore", "move", "doctor", "breached-passwords"]),
    ("Other commands", &["login", "logout", "call", "schema", "man", "completions"]),
];

/// Shows the commands in groups.
pub(super) fn with_groups(command: Command) -> Command {
    let styles = command.get_styles().clone();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut groups = StyledStr::new();
    for (heading, names) in GROUPS {
        // A text in memory is always written.
        let _ = writeln!(groups, "{header}{heading}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
            let _ = writeln!(groups, "  {literal}{name:<18}{literal:#}  {}", about.unwrap_or_default());
        }
        let _ = writeln!(groups);
    }
    let groups = groups.ansi();
    command.help_template(StyledStr::from(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}{{after-help}}"
    )))
}

/// Gives each command its usage as text; errors would show flags as required that the environment sets.
pub(super) fn with_usages(mut command: Command) -> Command {
    let usage = command.render_usage().to_string();
    command.mut_subcommands(with_usages).override_usage(usage.trim_start_matches("Usage: ").to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::cli::Cli;
    use crate::cli::examples::WIDTH;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let described = Cli::described();
        let all: BTreeSet<&str> = described.get_subcommands().map(Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        assert_eq!(grouped.len(), all.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), all);
    }

    #[test]
    fn the_help_of_every_command_fits_a_terminal() {
        let mut described = Cli::described().term_width(WIDTH).disable_help_subcommand(true);
        described.build();
        let mut wide = Vec::new();
        add_wide_lines(&mut described, &mut wide);
        assert_eq!(wide, Vec::<String>::new());
    }

    fn add_wide_lines(command: &mut Command, wide: &mut Vec<String>) {
        let help = command.render_long_help().to_string();
        // A usage with many required flags is one line.
        let lines = help.lines().filter(|line| !line.starts_with("Usage:") && line.chars().count() > WIDTH);
        wide.extend(lines.map(str::to_owned));
        for below in command.get_subcommands_mut() {
            add_wide_lines(below, wide);
        }
    }

    #[test]
    fn the_help_names_the_ways_to_give_a_key_but_not_as_an_argument() {
        let mut described = Cli::described();
        described.build();
        let list = described.find_subcommand_mut("contracts").and_then(|group| group.find_subcommand_mut("list"));
        let help = list.unwrap().render_long_help().to_string();
        assert!(!help.contains("--key "), "{help}");
        assert!(help.contains("--key-file <FILE>") && help.contains("TRADEPOST_API_KEY"), "{help}");
    }

    #[test]
    fn an_error_shows_no_flag_of_the_environment_as_required() {
        let arguments = ["tradepost", "contracts", "show", "--key", "tpk_1"];
        let error = Cli::complete().try_get_matches_from(arguments).unwrap_err().to_string();
        assert!(error.contains("Usage: tradepost contracts show [OPTIONS] <CONTRACT>"), "{error}");
    }
}
