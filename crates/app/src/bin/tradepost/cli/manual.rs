//! What is generated from the definition of the command line: completions and manual pages.

use std::io::{self, Write as _};
use std::path::Path;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use super::Cli;
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;

/// Prints the completions of a shell.
pub(crate) fn print_completions(shell: Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::described(), "tradepost", &mut script);
    // Written in one go, and a reader that has seen enough is not a failure.
    match io::stdout().write_all(&script) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Failed, format!("cannot write the script: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a manual page for each command into a folder.
pub(crate) fn write_pages(folder: &Path) -> Outcome {
    let failed = |error| {
        Failure::new(Exit::Failed, format!("cannot write to {}", folder.display()))
            .because(error)
            .with_try("name a folder that this user may write: tradepost man DIR")
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut described = Cli::described().disable_help_subcommand(true);
    described.build();
    let written = write_page(described, folder).map_err(failed)?;
    output_format::line(&format!("{written} pages are in {}", folder.display()));
    Ok(())
}

/// Writes the pages of a command and of those below it, and returns how many.
fn write_page(command: Command, folder: &Path) -> io::Result<usize> {
    let below = command.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let written = below.map(|command| write_page(command, folder)).sum::<io::Result<usize>>()?;
    // The usual title of the manual leaves no room between the names of a page.
    let page = Man::new(command).source(concat!("tradepost ", env!("TRADEPOST_VERSION"))).manual("Tradepost");
    // An empty date would be left out, and what follows would take its place.
    let page = page.date(" ");
    page.generate_to(folder)?;
    Ok(written + 1)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use clap::Arg;

    use super::*;
    use crate::cli::written;

    const INTRODUCTION: &str = "# Commands\n\n\
        This page is generated from the command line: `tradepost help COMMAND` shows the same. [The command line](../command-line.md) has\n\
        what the commands have in common: the server they call, output formats and exit codes.\n";

    fn whole() -> Command {
        let mut whole = Cli::described().disable_help_subcommand(true);
        whole.build();
        whole
    }

    /// A command and those below it, in the order of the help.
    fn commands(command: &Command) -> Vec<Command> {
        let below = command.get_subcommands().filter(|command| !command.is_hide_set()).flat_map(commands);
        std::iter::once(command.clone()).chain(below).collect()
    }

    fn page() -> String {
        let whole = whole();
        let sections = commands(&whole).into_iter().map(|command| section(command, &whole));
        format!("{INTRODUCTION}{}", sections.collect::<String>())
    }

    fn section(mut command: Command, whole: &Command) -> String {
        let name = command.get_bin_name().unwrap_or("tradepost").to_owned();
        let text = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string).unwrap_or_default();
        let about = text(command.get_about());
        let usage = command.render_usage().to_string().replacen("Usage: ", "", 1);
        let is_top = name.split(' ').count() < 3;
        let is_own = |arg: &&Arg| is_top || !arg.is_global_set() || !is_global_above(whole, arg);
        let rows: String = command
            .get_arguments()
            .filter(|arg| !arg.is_hide_set() && arg.get_id() != "help")
            .filter(is_own)
            .map(row)
            .collect();
        let table =
            if rows.is_empty() { String::new() } else { format!("\n| argument | meaning |\n|---|---|\n{rows}") };
        let examples = text(command.get_after_help());
        let examples = if examples.is_empty() { examples } else { format!("\n```text\n{examples}\n```\n") };
        format!("\n## {name}\n\n{about}.\n\n```text\n{usage}\n```\n{table}{examples}")
    }

    /// Whether a flag is described at the command itself.
    fn is_global_above(whole: &Command, arg: &Arg) -> bool {
        let of_all = whole.get_arguments().any(|other| other.get_id() == arg.get_id());
        of_all || ["url", "key", "workspace"].contains(&arg.get_id().as_str())
    }

    fn row(arg: &Arg) -> String {
        let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
        let value = value.map(|names| format!(" <{}>", names.join("> <"))).unwrap_or_default();
        let short = arg.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
        let of_place = if value.is_empty() { format!("<{}>", arg.get_id()) } else { value.trim().to_owned() };
        let name = arg.get_long().map_or_else(|| format!("`{of_place}`"), |long| format!("{short}`--{long}{value}`"));
        let is_valued = arg.get_action().takes_values();
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let variable = arg.get_env().map(|variable| format!("; variable `{}`", variable.display())).unwrap_or_default();
        let defaults: Vec<String> = arg.get_default_values().iter().map(|value| value.display().to_string()).collect();
        let has_default = is_valued && !defaults.concat().is_empty() && !help.contains("[default");
        let default = if has_default { format!(" [default: {}]", defaults.join(" ")) } else { String::new() };
        let values: Vec<String> =
            arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
        let is_short = is_valued && (1..12).contains(&values.len());
        let values = if is_short { format!("; one of {}", values.join(", ")) } else { String::new() };
        let meaning = format!("{help}{variable}{default}{values}");
        format!("| {name} | {} |\n", meaning.replace('|', "\\|"))
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "snapshots are kept by the same variable")]
    fn the_page_of_commands_is_the_one_that_the_command_line_makes() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/cli.md");
        let made = page();
        if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            fs::write(&path, &made).unwrap();
        }
        assert!(
            fs::read_to_string(&path).unwrap_or_default() == made,
            "docs/reference/cli.md: INSTA_UPDATE=always writes it"
        );
    }

    #[test]
    fn the_description_of_a_command_has_at_most_60_characters() {
        let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
        let long = commands(&whole()).iter().map(about).filter(|about| about.chars().count() > 60).collect::<Vec<_>>();
        assert_eq!(long, Vec::<String>::new());
    }

    #[test]
    fn every_command_has_an_example() {
        let without = commands(&whole()).into_iter().filter(|command| {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            !(help.starts_with("Example") && help.contains("\n  "))
        });
        let names: Vec<String> = without.map(|command| command.get_bin_name().unwrap_or_default().to_owned()).collect();
        assert_eq!(names, Vec::<String>::new());
    }

    /// The examples in the text behind the flags, each in one line.
    fn examples(help: &str) -> Vec<String> {
        let lines = help.lines().fold(Vec::new(), |mut lines: Vec<String>, line| {
            match lines.last_mut().filter(|open| open.ends_with('\\')) {
                Some(open) => {
                    open.pop();
                    open.push_str(line.trim_start());
                }
                None => lines.push(line.to_owned()),
            }
            lines
        });
        lines.into_iter().filter(|line| line.starts_with("  ")).collect()
    }

    #[test]
    fn every_example_of_a_command_is_one_that_the_command_line_accepts() {
        let mut command_line = written::command_line();
        let mut wrong = Vec::new();
        for command in commands(&whole()) {
            let name = command.get_bin_name().unwrap_or_default();
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let shown: Vec<Vec<String>> = examples(&help).iter().flat_map(|line| written::commands(line)).collect();
            let nothing = shown.is_empty().then(|| "shows no command".to_owned());
            let mistakes = shown.iter().filter_map(|words| written::mistake(&mut command_line, words));
            wrong.extend(mistakes.chain(nothing).map(|mistake| format!("{name} --help: {mistake}")));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_command_has_a_manual_page() {
        let folder = tempfile::tempdir().unwrap();
        write_pages(&folder.path().join("man1")).unwrap();
        let pages = fs::read_dir(folder.path().join("man1")).unwrap().count();
        assert_eq!(pages, commands(&whole()).len());
        let page = fs::read_to_string(folder.path().join("man1/tradepost-contracts-apply.1")).unwrap();
        assert!(page.contains(".TH tradepost-contracts-apply 1 \" \" \"tradepost "), "{page}");
        assert!(page.contains(".SH NAME\ntradepost\\-contracts\\-apply \\- Make the workspace"), "{page}");
    }
}
