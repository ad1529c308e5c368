//! A command line that clap rejects: what is changed in its error before it is shown.

use std::ffi::OsString;
use std::process;

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// The end of an error of clap, which names a flag and not a command.
const HINT: &str = "\n\nFor more information, try ";

/// Ends the process with an error, or with the help that was asked for.
pub(super) fn end(error: Error, described: &mut Command) -> ! {
    let command = meant(&error, described, &std::env::args_os().collect::<Vec<_>>());
    let error = corrected(error, described);
    let Some(text) = with_try(&error, &command) else { error.exit() };
    anstream::eprint!("{}", text.ansi());
    process::exit(error.exit_code())
}

/// The text of an error, which ends with the command that shows the help, as the errors of other failures do.
fn with_try(error: &Error, command: &str) -> Option<StyledStr> {
    let text = error.render().ansi().to_string();
    let (text, _) = text.rsplit_once(HINT)?;
    Some(StyledStr::from(format!("{text}\n  try: {command} --help\n")))
}

/// The name of the command that was meant: that of the usage, or else the last one that the command line names.
fn meant(error: &Error, described: &mut Command, words: &[OsString]) -> String {
    let name = |command: &Command| command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    if let Some(command) = command_of(error, described) {
        return name(command);
    }
    let words = words.iter().skip(1);
    name(words.fold(&*described, |command, word| command.find_subcommand(word).unwrap_or(command)))
}

fn corrected(mut error: Error, described: &mut Command) -> Error {
    let Some(command) = command_of(&error, described) else { return error };
    if error.kind() == ErrorKind::MissingSubcommand {
        // Where a flag is set, also by the environment, clap lists names alone; without any it shows the help.
        let bare = command.clone().mut_args(|arg| arg.env(Resettable::Reset));
        return bare.try_get_matches_from([command.get_name()]).err().unwrap_or(error);
    }
    if let Some(ContextValue::String(flag)) = error.get(ContextKind::SuggestedArg)
        && is_hidden(command, flag)
    {
        error.remove(ContextKind::SuggestedArg);
    }
    error
}

/// Whether the help of a command does not show a flag.
fn is_hidden(command: &Command, flag: &str) -> bool {
    let name = flag.trim_start_matches('-');
    command.get_arguments().any(|arg| arg.get_long() == Some(name) && arg.is_hide_set())
}

/// The command whose usage an error shows.
fn command_of<'a>(error: &Error, described: &'a mut Command) -> Option<&'a mut Command> {
    let path = match (error.get(ContextKind::InvalidSubcommand), error.get(ContextKind::Usage)) {
        (Some(ContextValue::String(path)), _) if error.kind() == ErrorKind::MissingSubcommand => path.clone(),
        (_, Some(ContextValue::StyledStr(usage))) => usage.to_string().trim_start_matches("Usage: ").to_owned(),
        _ => return None,
    };
    let names = path.split(' ').skip(1).take_while(|word| !word.starts_with(['[', '<', '-']));
    names.into_iter().try_fold(described, |command, name| command.find_subcommand_mut(name))
}

#[cfg(test)]
mod tests {
    use crate::cli::Cli;

    use super::*;

    fn error_of(arguments: &[&str]) -> String {
        let mut described = Cli::complete();
        let error = described.try_get_matches_from_mut(arguments).unwrap_err();
        let words: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let command = meant(&error, &mut described, &words);
        let error = corrected(error, &mut described);
        with_try(&error, &command).map_or_else(|| error.to_string(), |text| text.to_string())
    }

    #[test]
    fn an_error_ends_with_the_command_that_shows_the_help() {
        for (arguments, command) in [
            (&["tradepost", "dance"][..], "tradepost"),
            (&["tradepost", "--listen", "nowhere"], "tradepost"),
            (&["tradepost", "key", "create", "--name", "bot"], "tradepost key create"),
            (&["tradepost", "contracts", "lst"], "tradepost contracts"),
            (&["tradepost", "contracts", "list", "--status", "asleep"], "tradepost contracts list"),
        ] {
            let shown = error_of(arguments);
            assert!(shown.ends_with(&format!("\n  try: {command} --help\n")), "{shown}");
            assert_eq!(shown.matches("--help").count(), 1, "{shown}");
        }
    }

    #[test]
    fn a_group_without_a_command_shows_its_commands_whatever_the_environment_sets() {
        let shown = error_of(&["tradepost", "contracts", "--key", "tpk_1"]);
        assert!(shown.contains("List contracts"), "{shown}");
    }

    #[test]
    fn a_flag_that_the_command_does_not_show_is_not_suggested() {
        let shown = error_of(&["tradepost", "search", "redline", "--limit", "3"]);
        assert!(shown.contains("unexpected argument '--limit'"), "{shown}");
        assert!(!shown.contains("--listen"), "{shown}");
    }
}
