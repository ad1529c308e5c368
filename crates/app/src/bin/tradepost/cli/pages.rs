//! The commands of this program in README.md and the pages below `docs`: the command line accepts each as it is written. None is carried out.

use std::fs;
use std::path::{Path, PathBuf};

use super::shell::{self, Shell, Typed};
use super::written;

/// So many commands are found at least. There are a few more, since pages change.
const LEAST: usize = 185;
/// The languages of the blocks that a reader types into a terminal.
const TYPED: [&str; 2] = ["sh", "console"];
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
    let (mut found, mut lines) = (Vec::new(), page.lines().zip(1..));
    while let Some((line, at)) = lines.next() {
        let Some(language) = line.trim_start().strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().map(|(line, _)| line).take_while(|line| line.trim() != "```").collect();
        if TYPED.contains(&language) {
            found.extend(Shell::read(&block.join("\n"), at + 1));
        }
    }
    found
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
