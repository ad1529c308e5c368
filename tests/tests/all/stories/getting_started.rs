//! The page docs/getting-started-by-api.md, carried out: each of its requests is sent as it stands there, and what an answer or
//! a mail gives goes into the variables of the next.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::{Answer, World, on_both_databases};

const ADA: &str = "ada@example.com";

on_both_databases! {
    async fn a_stranger_gets_to_a_working_key_by_the_commands_of_the_page(database) {
        let world = World::new(database).await;
        let mut shell = BTreeMap::from([("BASE".to_owned(), world.client.base.clone())]);
        let commands = commands();
        let called: Vec<&str> = commands.iter().map(|command| method(command)).collect();
        assert_eq!(called, [
            "SignUp", "VerifyEmail", "SignIn", "CreateWorkspace", "BeginStepUp", "CompleteStepUp", "CreateAPIKey",
            "ListContracts", "SignOut",
        ]);
        for command in &commands {
            let words = words(command, &shell);
            let answer = send(&words).await;
            assert_eq!(answer.status, 200, "{command}\n{answer:?}");
            learn(&mut shell, &world, method(command), &answer.json());
        }
        let current = words(commands.last().unwrap(), &shell);
        send(&current).await.assert_refused("unauthenticated", "UNAUTHENTICATED");
        let with_key = commands.iter().find(|command| method(command) == "ListContracts").unwrap();
        assert_eq!(send(&words(with_key, &shell)).await.status, 200, "the key outlives the session");
    }
}

/// The variables that the answer to a command gives, as the page says.
fn learn(shell: &mut BTreeMap<String, String>, world: &World, method: &str, answer: &Value) {
    let mut set = |name: &str, value: &str| shell.insert(name.to_owned(), value.to_owned());
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{method}: {answer}")).to_owned();
    match method {
        "SignUp" => drop(set("EMAIL_TOKEN", &world.mailbox.token(ADA, "verify"))),
        "SignIn" | "CompleteStepUp" => drop(set("SESSION_TOKEN", &text(&answer["sessionToken"]))),
        "CreateWorkspace" => drop(set("WORKSPACE_ID", &text(&answer["workspace"]["id"]))),
        "BeginStepUp" => {
            set("CHALLENGE_ID", &text(&answer["challengeId"]));
            set("CODE", &world.mailbox.code(ADA));
        }
        "CreateAPIKey" => drop(set("API_KEY", &text(&answer["rawKey"]))),
        _ => {}
    }
}

/// The commands of the page that call an operation.
fn commands() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/getting-started-by-api.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    blocks.filter(|block| block.starts_with("curl ")).map(|block| block.replace("\\\n", " ")).collect()
}

/// The operation that a command calls.
fn method(command: &str) -> &str {
    command.split('"').nth(1).and_then(|url| url.rsplit('/').next()).unwrap()
}

/// The words of a command as a shell splits them: by spaces outside of quotes, with variables filled in outside of single ones.
fn words(command: &str, variables: &BTreeMap<String, String>) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    let mut rest = command.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, quote) {
            (' ', None) => words.extend(word.take()),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, Some(open)) if c == open => quote = None,
            ('\\', Some('"')) => word.get_or_insert_default().extend(rest.next()),
            ('$', None | Some('"')) => {
                let mut name = String::new();
                while let Some(letter) = rest.next_if(|c| c.is_ascii_uppercase() || *c == '_') {
                    name.push(letter);
                }
                let value = variables.get(&name).unwrap_or_else(|| panic!("nobody has set {name}: {command}"));
                word.get_or_insert_default().push_str(value);
            }
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// What `curl` does with these words.
async fn send(words: &[String]) -> Answer {
    let [curl, url, options @ ..] = words else { panic!("no command: {words:?}") };
    assert_eq!(curl, "curl");
    let mut request = reqwest::Client::new().post(url);
    for option in options.chunks(2) {
        let [flag, value] = option else { panic!("a flag without a value: {words:?}") };
        request = match flag.as_str() {
            "-H" => {
                let (name, value) = value.split_once(": ").unwrap();
                request.header(name, value)
            }
            "-d" => request.body(value.clone()),
            other => panic!("the page uses the flag {other}"),
        };
    }
    Answer::of(request.send().await.unwrap()).await.unwrap()
}
