//! A command line that clap rejects: what is changed in its error before it is shown.

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Ends the process with an error, or with the help that was asked for.
pub(super) fn end(error: Error, described: &mut Command) -> ! {
    corrected(error, described).exit()
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
        corrected(error, &mut described).to_string()
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
