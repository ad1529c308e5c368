//! The commands of this program in README.md and the pages below `docs`: the command line accepts each as it is written. None is carried out.
//! The settings in the pages, which the program reads as a file of settings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::shell::{self, Shell, Typed};
use super::{Cli, written};
use crate::client::records::tables;
use crate::settings::{self, Environment};

/// The page about the command line as a whole.
const COMMAND_LINE: &str = "docs/command-line.md";
/// The page about the commands that call a server.
const COMMANDS: &str = "docs/reference/commands.md";
/// So many commands are found at least. There are a few more, since pages change.
const LEAST: usize = 185;
/// The languages of the blocks that a reader types into a terminal.
const TYPED: [&str; 2] = ["sh", "console"];
/// So many blocks of settings are found at least.
const LEAST_OF_SETTINGS: usize = 10;

#[test]
fn every_command_of_every_page_is_one_that_the_command_line_accepts() {
    let mut command_line = written::command_line();
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(repository().join(&page)).unwrap();
        for Typed { line, words } in typed(&text) {
            let Some(command) = shell::own(&words) else { continue };
            count += 1;
            let mistake = written::mistake(&mut command_line, command);
            wrong.extend(mistake.map(|mistake| format!("{}:{line}: {mistake}", page.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= LEAST, "the pages have {count} commands");
}

#[test]
fn the_settings_of_every_page_are_ones_that_the_program_reads() {
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(repository().join(&page)).unwrap();
        for (line, block) in blocks(&text, &["toml"]).into_iter().filter(|(_, block)| is_of_settings(block)) {
            count += 1;
            let mistake = mistake_of_settings(&block);
            wrong.extend(mistake.map(|mistake| format!("{}:{line}: {mistake}", page.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= LEAST_OF_SETTINGS, "the pages have {count} blocks of settings");
}

/// Whether a block of TOML is a file of settings. Another file has its name in the first line, and what is added to a manifest is in no section.
fn is_of_settings(block: &str) -> bool {
    let begins_with = |words: &str| block.trim_start().starts_with(words);
    begins_with("# tradepost.toml\n") || begins_with("[")
}

fn mistake_of_settings(block: &str) -> Option<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), block).unwrap();
    let read = settings::load(Some(file.path().to_owned()), Vec::new(), &Environment::default());
    read.err().map(|failure| failure.to_string())
}

#[test]
fn a_wrong_name_and_a_wrong_value_of_a_setting_are_mistakes() {
    let written = ["[backup]\nkeep = 14\n", "[backup]\nkeeps = 14\n", "[backup]\nkeep = \"many\"\n"];
    assert_eq!(written.map(|block| mistake_of_settings(block).is_some()), [false, true, true]);
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let (mut pages, mut folders) = (vec![PathBuf::from("README.md")], vec![PathBuf::from("docs")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(repository().join(&folder)).unwrap().map(Result::unwrap) {
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The commands in the blocks of a page, also those of other programs.
fn typed(page: &str) -> Vec<Typed> {
    blocks(page, &TYPED).into_iter().flat_map(|(line, block)| Shell::read(&block, line)).collect()
}

/// The blocks of a page in one of these languages, with the number of the first line of each.
fn blocks(page: &str, languages: &[&str]) -> Vec<(usize, String)> {
    let (mut found, mut lines) = (Vec::new(), page.lines().zip(1_usize..));
    while let Some((line, at)) = lines.next() {
        let Some(language) = line.trim_start().strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().map(|(line, _)| line).take_while(|line| line.trim() != "```").collect();
        if languages.contains(&language) {
            found.push((at + 1, block.join("\n")));
        }
    }
    found
}

/// The commands in the first cells of tables; a cell can name several actions of a group: `pools list\|show`.
fn named_in_tables(page: &str) -> BTreeSet<String> {
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    // The text between two code spans is passed over.
    let spans = cells.flat_map(|cell| cell.split('`').step_by(2)).filter(|span| !span.is_empty());
    let commands = spans.flat_map(|span| {
        let (group, actions) = span.split_once(' ').unwrap_or((span, ""));
        actions.split("\\|").map(move |action| format!("{group} {action}").trim_end().to_owned())
    });
    commands.collect()
}

#[test]
fn the_page_of_commands_has_every_action_of_every_table() {
    let named = named_in_tables(&fs::read_to_string(repository().join(COMMANDS)).unwrap());
    let actions = tables().flat_map(|group| group.actions.iter().map(move |action| (group.name, action.name)));
    let commands = actions.map(|(group, action)| format!("{group} {action}").trim_end().to_owned());
    let missing: Vec<String> = commands.filter(|command| !named.contains(command)).collect();
    assert!(missing.is_empty(), "{COMMANDS} lacks {missing:?}");
}

#[test]
fn the_first_table_of_the_page_of_the_command_line_has_every_command() {
    let page = fs::read_to_string(repository().join(COMMAND_LINE)).unwrap();
    let named = named_in_tables(page.split("\n## ").next().unwrap_or_default());
    let is_there = |name: &str| named.iter().any(|command| command.split(' ').next() == Some(name));
    let described = Cli::described();
    let missing: Vec<&str> =
        described.get_subcommands().map(clap::Command::get_name).filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "the first table of {COMMAND_LINE} lacks {missing:?}");
}

#[test]
fn commands_are_found_in_pipes_behind_variables_and_over_several_lines() {
    let page = "# Page\n\n```sh\nexport KEY=$(tradepost key create \\\n  --name 'a b')   # shown once\n\
                until tradepost a | grep \"x; tradepost\"; do sleep 1; done\n\
                sudo -u tradepost env A=1 tradepost doctor > log 2>&1\n```\n\n```text\ntradepost unread\n```\n\n   \
                ```sh\n   docker exec desk target/release/tradepost ls \"two \\\" words\"\n   ```\n";
    let typed = typed(page);
    let found = typed.iter().filter_map(|Typed { line, words }| Some((*line, shell::own(words)?.join(","))));
    let expected = [
        (4, "tradepost,key,create,--name,a b"),
        (6, "tradepost,a"),
        (7, "tradepost,doctor"),
        (15, "target/release/tradepost,ls,two \" words"),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected.map(|(line, command)| (line, command.to_owned())));
}
