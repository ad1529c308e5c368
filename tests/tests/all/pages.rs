//! Tutorials, journeys and how-to guides, followed as a reader follows them: commands are typed into a terminal, files are saved, and what
//! is printed is compared with the page.
//!
//! The conventions of such a page are in docs/pages-that-run.md. The tests are grouped by what they need besides the program.

mod page;
mod reader;
mod terminal;
mod toolbox;

use reader::Reader;

/// Follows these pages, one after the other, in one clone of the repository.
fn follow(pages: &[&str]) {
    let mut reader = Reader::default();
    for page in pages {
        reader.follow(page);
    }
}

/// Python 3.11 or later, and the registry of Python packages.
mod python {
    use super::follow;

    #[test]
    fn the_first_contract_by_python_buys_as_the_tutorial_says() {
        follow(&["docs/tutorials/first-contract-python.md"]);
    }

    #[test]
    fn a_receiver_in_python_gets_signed_events_as_the_guide_says() {
        follow(&["docs/how-to/receive-events-by-webhook.md"]);
    }

    #[test]
    fn a_bot_with_a_strategy_of_its_own_runs_as_the_tutorial_says() {
        follow(&["docs/tutorials/strategy-python.md"]);
    }
}

/// Node 20 or later, and the registry of npm.
mod node {
    use super::follow;

    #[test]
    fn the_first_contract_by_typescript_buys_as_the_tutorial_says() {
        follow(&["docs/tutorials/first-contract-typescript.md"]);
    }
}

/// Nothing but a shell, `curl` and `openssl`.
mod shell {
    use super::{Reader, follow};

    /// The first two commands of `README.md`. Its third one trades for days of a market, which tests of the simulator do.
    const DEMO: &str = "```sh\ncargo build --release\n```\n<!-- terminal: server -->\n<!-- runs on -->\n\
                        ```sh\ntarget/release/tradepost demo\n```\n```text\nexport TRADEPOST_API_KEY=tpk_…\n```\n";

    #[test]
    fn a_newcomer_tries_the_demo_as_the_first_page_says() {
        let mut reader = Reader::default();
        reader.follow_text("README.md", DEMO);
        reader.follow_section("README.md", "## Try it");
    }

    #[test]
    fn a_trader_gets_from_a_clone_to_an_own_contract_that_buys_as_the_tutorial_says() {
        follow(&["docs/tutorials/first-contract-cli.md"]);
    }

    #[test]
    fn an_operator_sets_up_a_monitored_server_and_restores_it_as_the_tutorial_says() {
        follow(&["docs/tutorials/run-a-server.md"]);
    }

    #[test]
    fn a_trader_applies_a_desk_file_to_the_demo_as_the_guide_says() {
        follow(&["docs/how-to/desk-file.md"]);
    }

    #[test]
    fn an_operator_solves_problems_of_the_demo_as_the_guide_says() {
        follow(&["docs/how-to/handle-remediations.md"]);
    }

    #[test]
    fn an_operator_replaces_the_root_secret_as_the_guide_says() {
        follow(&["docs/how-to/keep-the-root-secret.md"]);
    }
}

/// Cargo, and minutes to compile the library with other features than the workspace: `cargo xtask nightly` runs it.
mod cargo {
    use super::follow;

    #[test]
    fn an_embedder_trades_on_an_own_marketplace_as_the_tutorial_says() {
        follow(&["docs/tutorials/embed-in-rust.md"]);
    }
}
