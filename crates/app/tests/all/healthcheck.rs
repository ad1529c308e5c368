//! `tradepost healthcheck`: exit codes and the one line.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::command::Place;

const TLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapters-connect/src/wire_tests/tls");

#[test]
fn a_server_that_is_ready_ends_the_check_with_0() {
    let place = Place::new();
    let server = place.serve(&[]);
    let address = server.address();
    let by_settings = place.run(&["healthcheck", "--listen", address]).expect_success();
    assert_eq!(by_settings.stdout, format!("ready: http://{address}/readyz answered 200\n"));
    let live = place.run(&["healthcheck", "--live", "--url", server.url()]).expect_success();
    assert_eq!(live.stdout, format!("alive: http://{address}/livez answered 200\n"));
    assert_eq!(place.run(&["healthcheck", "-q", "--url", server.url()]).expect_success().stdout, "");
}

#[test]
fn a_server_with_pages_on_an_address_of_their_own_is_asked_there() {
    let place = Place::new();
    let ops = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    fs::write(place.path("tradepost.toml"), format!("[ops]\nlisten = \"{ops}\"\n")).unwrap();
    let _server = place.serve(&[]);
    let checked = place.run(&["healthcheck"]).expect_success();
    assert_eq!(checked.stdout, format!("ready: http://{ops}/readyz answered 200\n"));
}

#[test]
fn a_server_with_tls_is_asked_on_loopback_whatever_name_its_certificate_has() {
    let place = Place::new();
    let settings = format!("[server]\ntls_cert = \"{TLS}/certificate.pem\"\ntls_key = \"{TLS}/key.pem\"\n");
    fs::write(place.path("tradepost.toml"), settings).unwrap();
    let server = place.serve(&[]);
    let address = server.url().trim_start_matches("https://");
    let checked = place.run(&["healthcheck", "--listen", address]).expect_success();
    assert_eq!(checked.stdout, format!("ready: https://{address}/readyz answered 200\n"));
    let by_url = place.run(&["healthcheck", "--url", server.url()]);
    assert_eq!(by_url.code, Some(1));
    assert!(by_url.stderr.contains("certificate"), "{}", by_url.stderr);
}

#[test]
fn a_server_that_cannot_serve_ends_the_check_with_1_and_its_reason() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let read = connection.read(&mut [0; 4096]).unwrap();
        assert!(read > 0);
        let head = "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 9\r\n\r\n";
        connection.write_all(format!("{head}stopping\n").as_bytes()).unwrap();
    });
    let ended = Place::new().run(&["healthcheck", "--url", &format!("http://{address}")]);
    answering.join().unwrap();
    assert_eq!(ended.code, Some(1));
    let advice = "see what is wrong: tradepost doctor, and the log of the server";
    let error = format!("error: not ready: http://{address}/readyz answered 503: stopping\n  try: {advice}\n");
    assert_eq!(ended.stderr, error);
}

#[test]
fn a_server_that_is_not_there_ends_the_check_with_1_and_what_to_try() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let ended = Place::new().run(&["healthcheck", "--listen", &free]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.starts_with(&format!("error: not ready: http://{free}/readyz failed: ")), "{}", ended.stderr);
    let (refused, advice) =
        ("Connection refused", "  try: start the server with: tradepost; or name another one with --url");
    assert!(ended.stderr.contains(refused) && ended.stderr.lines().nth(1) == Some(advice), "{}", ended.stderr);
}

#[test]
fn a_port_that_is_chosen_at_the_start_has_to_be_named() {
    let ended = Place::new().run(&["healthcheck", "--listen", "127.0.0.1:0"]);
    assert_eq!(ended.code, Some(78));
    assert!(ended.stderr.contains("try: name the server with --url"), "{}", ended.stderr);
}
