//! The binary as a service of systemd: what it reports, and the socket that it is given.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::command::Place;

/// Receives notices until this one.
fn until_notified(socket: &UnixDatagram, expected: &str) {
    let mut buffer = [0; 256];
    loop {
        let length = socket.recv(&mut buffer).unwrap_or_else(|error| panic!("no {expected}: {error}"));
        let notice = std::str::from_utf8(&buffer[..length]).unwrap();
        if notice.lines().any(|line| line == expected) {
            return;
        }
        assert_ne!(notice.trim_end(), "STOPPING=1", "before {expected}");
    }
}

#[test]
fn systemd_is_notified_of_readiness_of_life_and_of_the_end() {
    let place = Place::new();
    let socket = UnixDatagram::bind(place.path("notify")).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut command = place.command(&["--listen", "127.0.0.1:0"]);
    let mut server = place.start(command.env("NOTIFY_SOCKET", place.path("notify")).env("WATCHDOG_USEC", "100000"));
    until_notified(&socket, "READY=1");
    until_notified(&socket, "WATCHDOG=1");
    until_notified(&socket, "WATCHDOG=1");
    server.terminate();
    until_notified(&socket, "STOPPING=1");
    assert!(server.wait().success());
}

/// A shell that makes the socket on its standard input number 3, as systemd passes the first one, and becomes the server.
fn serving_passed(place: &Place, socket: TcpListener, sockets: u32) -> Command {
    let script = format!("LISTEN_FDS={sockets} LISTEN_PID=$$ exec \"$0\" 3<&0 </dev/null");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_tradepost")]).current_dir(place.path("")).env_clear();
    command.stdin(Stdio::from(OwnedFd::from(socket)));
    command
}

#[tokio::test]
async fn the_socket_that_systemd_passes_is_served() {
    let place = Place::new();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap().to_string();
    let server = place.start(&mut serving_passed(&place, socket, 1));
    assert_eq!(server.address(), address);
    assert_eq!(server.page("/readyz").await, (200, "ok\n".to_owned()));
}

#[test]
fn more_sockets_than_one_are_refused() {
    let place = Place::new();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let output = serving_passed(&place, socket, 2).output().unwrap();
    assert_eq!(output.status.code(), Some(78));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("why: LISTEN_FDS passes 2 sockets, and one is served"), "{stderr}");
    assert!(!place.path("data").exists());
}
