//! The page docs/how-to/set-up-a-team.md, carried out: each of its requests is sent as it is printed there, and what an answer or
//! a mail gives goes into the variables of the next.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use time::Duration;

use crate::harness::{Answer, Authenticator, ORIGIN, World, on_both_databases};

const ADA: &str = "ada@example.com";
const BEN: &str = "ben@example.com";

/// What the page calls, in its order. What is answered by 401 is marked.
const CALLED: [&str; 28] = [
    "SignUp",
    "VerifyEmail",
    "SignIn",
    "CreateWorkspace",
    "BeginStepUp",
    "CompleteStepUp",
    "BeginTOTPEnrollment",
    "ConfirmTOTPEnrollment",
    "BeginPasskeyRegistration",
    "FinishPasskeyRegistration",
    "BeginStepUp",
    "CompleteStepUp",
    "CreateAPIKey",
    "ListContracts",
    "InviteMember",
    "SignUp",
    "VerifyEmail",
    "SignIn",
    "AcceptMembership",
    "BeginStepUp",
    "CompleteStepUp",
    "CreateAPIKey",
    "ListContracts",
    "RotateAPIKey",
    "ListContracts",
    "RemoveMembership",
    "ListContracts 401",
    "SignOut",
];

on_both_databases! {
    async fn strangers_become_a_team_with_keys_by_the_commands_of_the_page(database) {
        let world = World::new(database).await;
        let mut shell = Shell::new(&world);
        let commands = commands();
        let mut called = Vec::new();
        for command in &commands {
            let answer = send(&words(command, &shell.variables)).await;
            let method = method(command);
            if answer.status == 401 {
                called.push(format!("{method} 401"));
                answer.assert_refused("unauthenticated", "UNAUTHENTICATED");
            } else {
                assert_eq!(answer.status, 200, "{command}\n{answer:?}");
                called.push(method.to_owned());
                shell.learn(command, &answer.json());
            }
        }
        assert_eq!(called, CALLED);
        let sign_out = words(commands.last().unwrap(), &shell.variables);
        send(&sign_out).await.assert_refused("unauthenticated", "UNAUTHENTICATED");
        let with_key = commands.iter().find(|command| method(command) == "ListContracts").unwrap();
        assert_eq!(send(&words(with_key, &shell.variables)).await.status, 200, "the key outlives the session");
    }
}

/// The variables that the commands use, and what the two people have at hand to set them.
struct Shell<'w> {
    world: &'w World,
    variables: BTreeMap<String, String>,
    authenticator: Authenticator,
    /// The secret of the authenticator app, once it is enrolled.
    app: Option<String>,
}

impl<'w> Shell<'w> {
    fn new(world: &'w World) -> Self {
        let variables = BTreeMap::from([("BASE".to_owned(), world.client.base.clone())]);
        Self { world, variables, authenticator: Authenticator::default(), app: None }
    }

    /// Sets the variables that the answer to a command gives, as the page says. Those of the second person begin with `BEN_`.
    fn learn(&mut self, command: &str, answer: &Value) {
        let (prefix, email) = if command.contains("BEN_") || command.contains(BEN) { ("BEN_", BEN) } else { ("", ADA) };
        let mut set = |name: &str, value: &Value| {
            let value = value.as_str().unwrap_or_else(|| panic!("{name} is not in the answer to {command}\n{answer}"));
            self.variables.insert(format!("{prefix}{name}"), value.to_owned());
        };
        match method(command) {
            "SignUp" => set("EMAIL_TOKEN", &self.world.mailbox.token(email, "verify").into()),
            "SignIn" | "CompleteStepUp" => set("SESSION_TOKEN", &answer["sessionToken"]),
            "CreateWorkspace" => set("WORKSPACE_ID", &answer["workspace"]["id"]),
            "BeginStepUp" => {
                set("CHALLENGE_ID", &answer["challengeId"]);
                let by_mail = answer["allowedMethods"][0] == "TWO_FACTOR_METHOD_EMAIL";
                let code = if by_mail { self.world.mailbox.code(email) } else { self.next_code() };
                self.variables.insert(format!("{prefix}CODE"), code);
            }
            "BeginTOTPEnrollment" => {
                set("ENROLLMENT_ID", &answer["enrollmentId"]);
                self.app = answer["secret"].as_str().map(str::to_owned);
                let code = self.next_code();
                self.variables.insert("CODE".to_owned(), code);
            }
            "BeginPasskeyRegistration" => {
                let credential = self.authenticator.register(ORIGIN, answer["options"].as_str().unwrap());
                self.variables.insert("CREDENTIAL".to_owned(), Value::from(credential).to_string());
            }
            "CreateAPIKey" => {
                set("API_KEY", &answer["rawKey"]);
                set("API_KEY_ID", &answer["apiKey"]["id"]);
            }
            "RotateAPIKey" => set("API_KEY", &answer["rawKey"]),
            "InviteMember" => {
                self.variables
                    .insert("MEMBERSHIP_ID".to_owned(), answer["membership"]["id"].as_str().unwrap().to_owned());
            }
            _ => {}
        }
    }

    /// A code of the app that it has not shown before.
    fn next_code(&self) -> String {
        self.world.clock.advance(Duration::seconds(30));
        self.world.code_of(self.app.as_deref().unwrap())
    }
}

/// The commands of the page that call an operation.
fn commands() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/how-to/set-up-a-team.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    blocks.filter(|block| block.starts_with("curl ")).map(|block| block.replace("\\\n", " ")).collect()
}

/// The operation that a command calls.
pub(super) fn method(command: &str) -> &str {
    command.split('"').nth(1).and_then(|url| url.rsplit('/').next()).unwrap()
}

/// The words of a command as a shell splits them: by spaces outside of quotes, with variables filled in outside of single ones.
pub(super) fn words(command: &str, variables: &BTreeMap<String, String>) -> Vec<String> {
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
pub(super) async fn send(words: &[String]) -> Answer {
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
