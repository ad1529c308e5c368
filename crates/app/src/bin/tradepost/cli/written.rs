//! Commands as help and errors write them: finds them in a line, and parses them without carrying them out.

#[path = "../../../../tests/all/shell_words.rs"]
mod shell_words;

use std::ffi::OsString;

use clap::{Arg, Command, value_parser};

use super::Cli;

/// The command line, without the reading of files: those that an example names do not exist.
pub(crate) fn command_line() -> Command {
    let mut whole = without_reading(Cli::described());
    whole.build();
    whole
}

fn without_reading(command: Command) -> Command {
    let named = |arg: Arg| {
        let is_file = arg.get_value_names().unwrap_or_default().iter().any(|name| name == "FILE");
        if is_file || arg.get_id() == "PATH" { arg.value_parser(value_parser!(OsString)) } else { arg }
    };
    command.mut_args(named).mut_subcommands(without_reading)
}

/// The commands of this program in a line for a shell, each as its words.
///
/// Behind two spaces a remark follows. Of a pipe the parts count that run this program, without variables that are set before it, and
/// without files that the shell opens. A word such as `$NAME` stays as it is; no line has `$(…)`, whose words would be rejected.
pub(crate) fn commands(line: &str) -> Vec<Vec<String>> {
    let words = shell_words::words(line.trim().split("  ").next().unwrap_or_default());
    let is_own = |word: &&String| !["<", ">"].contains(&word.as_str());
    let commands = words.split(|word| word == "|").map(|part| {
        let command = part.iter().skip_while(|word| is_assignment(word)).take_while(is_own);
        command.cloned().collect::<Vec<_>>()
    });
    commands.filter(|words| words.first().is_some_and(|program| program == "tradepost")).collect()
}

fn is_assignment(word: &str) -> bool {
    let is_of_a_name = |character: char| character.is_ascii_uppercase() || character == '_';
    word.split_once('=').is_some_and(|(name, _)| name.chars().all(is_of_a_name))
}

/// What clap says to a command that it rejects.
pub(crate) fn mistake(command_line: &mut Command, words: &[String]) -> Option<String> {
    let error = command_line.try_get_matches_from_mut(words).err()?;
    // A page of help is what was asked for.
    error.use_stderr().then(|| format!("{}: {error}", words.join(" ")))
}

#[test]
fn commands_are_found_in_pipes_and_behind_variables() {
    let found = |line: &str| commands(line).iter().map(|words| words.join(",")).collect::<Vec<_>>();
    assert_eq!(found("  tradepost demo --days 365     begin with a year of prices"), ["tradepost,demo,--days,365"]);
    assert_eq!(
        found("tradepost key create --name a | tradepost login"),
        ["tradepost,key,create,--name,a", "tradepost,login"]
    );
    assert_eq!(found("A_KEY=tpk_1 tradepost ledger -o csv > all.csv"), ["tradepost,ledger,-o,csv"]);
    assert_eq!(found("tradepost prices names \"ak-47 |\""), ["tradepost,prices,names,ak-47 |"]);
    assert_eq!(found("[{\"call\":\"pay_in\"}]"), Vec::<String>::new());
}

#[test]
fn a_command_that_clap_rejects_is_a_mistake_and_a_file_is_not_read() {
    let mut command_line = command_line();
    let mut of = |line: &str| commands(line).iter().filter_map(|words| mistake(&mut command_line, words)).count();
    assert_eq!(of("tradepost contracts list --stauts active"), 1);
    assert_eq!(of("tradepost contracts list --status asleep"), 1);
    assert_eq!(of("tradepost account-sessions code 1 --code-file missing.txt"), 0);
    assert_eq!(of("tradepost contracts edit --help"), 0);
}
