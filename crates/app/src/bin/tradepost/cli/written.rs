//! Commands as help and errors write them: finds them in a line, and parses them without carrying them out.

use std::ffi::OsString;

use clap::{Arg, Command, value_parser};

use super::Cli;
use super::shell::{self, Shell};

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

/// The commands of this program in a line for a shell, each as its words. Behind two spaces a remark follows.
pub(crate) fn commands(line: &str) -> Vec<Vec<String>> {
    let typed = Shell::read(line.trim().split("  ").next().unwrap_or_default(), 1);
    typed.iter().filter_map(|command| shell::own(&command.words)).map(<[String]>::to_vec).collect()
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
