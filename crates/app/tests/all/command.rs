//! Running the binary: in a folder of its own, without the settings of the user who runs the tests.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A folder in which the binary runs.
pub(crate) struct Place(TempDir);

/// The binary as a server, ended with the value.
pub(crate) struct Server {
    child: Child,
    /// The line that it printed.
    pub(crate) line: Value,
    log: PathBuf,
}

/// What a command came to.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The binary with these arguments, to be run here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("tradepost"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .env_clear()
            .env("HOME", self.0.path())
            .env("TMPDIR", self.0.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.command(arguments).output().unwrap().into()
    }

    /// Starts a server on a free port and waits for its line.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Server {
        self.start(&mut self.command(&[arguments, &["--listen", "127.0.0.1:0"]].concat()))
    }

    pub(crate) fn start(&self, command: &mut Command) -> Server {
        let mut server = self.spawn(command);
        let mut line = String::new();
        BufReader::new(server.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        server.line = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("no line of JSON ({error}): {line:?}; stderr: {}", server.log()));
        server
    }

    /// Starts a server without waiting for its line.
    pub(crate) fn spawn(&self, command: &mut Command) -> Server {
        let log = self.path("stderr.log");
        let child = command.stdout(Stdio::piped()).stderr(File::create(&log).unwrap()).spawn().unwrap();
        Server { child, line: Value::Null, log }
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Ended {
    /// The output of a command that did what it was asked.
    pub(crate) fn expect_success(self) -> Self {
        assert_eq!(self.code, Some(0), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {:?}", self.stdout))
    }
}

/// A client that leaves bodies as they are sent: compressed ones too.
pub(crate) fn verbatim_client() -> reqwest::Client {
    reqwest::Client::builder().no_gzip().no_brotli().build().unwrap()
}

impl Server {
    /// A text of the line.
    pub(crate) fn printed(&self, field: &str) -> &str {
        self.line[field].as_str().unwrap_or_else(|| panic!("no {field} in {}", self.line))
    }

    pub(crate) fn url(&self) -> &str {
        self.printed("baseUrl")
    }

    pub(crate) fn address(&self) -> &str {
        self.url().trim_start_matches("http://")
    }

    /// Calls an operation; gives the HTTP status and the answer.
    pub(crate) async fn call(&self, key: &str, operation: &str, request: Value) -> (u16, Value) {
        let url = format!("{}/{operation}", self.url());
        let request = reqwest::Client::new().post(url).bearer_auth(key).json(&request);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    /// The status and text of a page.
    pub(crate) async fn page(&self, path: &str) -> (u16, String) {
        let answer = reqwest::get(format!("{}{path}", self.url())).await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        self.signal("TERM");
    }

    /// What the system shows of the process, by the name of its file.
    pub(crate) fn shown_by_the_system(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).unwrap()
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Sends the head and the first byte of a call whose body has two, over a connection of its own.
    pub(crate) fn begin_call(&self, key: &str, operation: &str) -> TcpStream {
        let mut call = TcpStream::connect(self.address()).unwrap();
        let head = format!(
            "POST /{operation} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{"
        );
        call.write_all(head.as_bytes()).unwrap();
        // The server has read the head once it answers a later client.
        let mut later = TcpStream::connect(self.address()).unwrap();
        later.write_all(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        later.read_to_string(&mut answer).unwrap();
        assert!(answer.contains("ok"), "{answer}");
        call
    }

    /// Waits until the log has these words.
    pub(crate) fn until_logged(&self, words: &str) {
        let began = Instant::now();
        while !self.log().contains(words) {
            assert!(began.elapsed() < Duration::from_secs(20), "no {words:?} in {}", self.log());
            std::thread::yield_now();
        }
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails only when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The value of a line `name=value` in the file of first credentials.
pub(crate) fn credential(file: &Path, name: &str) -> String {
    let content = std::fs::read_to_string(file).unwrap();
    let found = content.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    found.unwrap_or_else(|| panic!("no {name} in {content}")).to_owned()
}
