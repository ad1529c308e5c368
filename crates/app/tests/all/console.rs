//! The console of a running server, as a browser gets it.

use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, IF_NONE_MATCH};
use reqwest::{Client, Response};

use crate::command::{Place, Server, verbatim_client};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async fn browse(server: &Server, path: &str) -> Response {
    let request = verbatim_client().get(format!("{}{path}", server.url())).header(ACCEPT, BROWSER);
    request.header(ACCEPT_ENCODING, "gzip, deflate, br").send().await.unwrap()
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

async fn unzipped(answer: Response) -> String {
    assert_eq!(header(&answer, "content-encoding"), "gzip");
    let mut text = String::new();
    GzDecoder::new(&answer.bytes().await.unwrap()[..]).read_to_string(&mut text).unwrap();
    text
}

async fn a_page_loads_its_files_which_are_kept(server: &Server) {
    let page = browse(server, "/").await;
    assert_eq!((page.status().as_u16(), header(&page, "cache-control")), (200, "no-cache"));
    assert!(header(&page, "content-security-policy").contains("require-trusted-types-for 'script'"));
    let (tag, html) = (header(&page, "etag").to_owned(), unzipped(page).await);
    let again =
        Client::new().get(server.url()).header(ACCEPT, BROWSER).header(IF_NONE_MATCH, tag).send().await.unwrap();
    assert_eq!(again.status().as_u16(), 304);
    assert_eq!(unzipped(browse(server, "/items/AZq2Zb").await).await, html);
    let file = html.split('"').find(|part| part.starts_with("/assets/")).unwrap();
    let asset = browse(server, file).await;
    assert_eq!(header(&asset, "cache-control"), "public, max-age=31536000, immutable");
    assert!(!unzipped(asset).await.is_empty());
}

async fn errors_of_the_interface_stay_its_own(server: &Server) {
    for path in ["/accounts.v1.Accounts/Nope", "/assets/nothing.js", "/nothing.txt", "/index.html"] {
        let answer = browse(server, path).await;
        let shown = (answer.status().as_u16(), header(&answer, "x-error-reason"), header(&answer, "content-type"));
        assert_eq!(shown, (404, "UNIMPLEMENTED", "application/json"), "{path}");
    }
    let program = reqwest::get(server.url()).await.unwrap();
    assert_eq!((program.status().as_u16(), header(&program, "x-error-reason")), (404, "UNIMPLEMENTED"));
    let posted = Client::new().post(server.url()).header(ACCEPT, BROWSER).send().await.unwrap();
    assert!(posted.status().is_client_error());
}

async fn pages_and_reads_of_the_interface_are_there_for_browsers(server: &Server) {
    let info = browse(server, "/accounts.v1.Accounts/GetServerInfo?connect=v1&encoding=json&message=%7B%7D").await;
    assert_eq!((info.status().as_u16(), header(&info, "content-type")), (200, "application/json"));
    assert!(unzipped(browse(server, "/docs").await).await.contains("swagger"));
    assert_eq!(browse(server, "/livez").await.text().await.unwrap(), "ok\n");
    assert!(browse(server, "/email/reset").await.text().await.unwrap().contains("Set a new password"));
}

async fn a_rebound_name_gets_no_page(server: &Server) {
    let request = Client::new().get(server.url()).header(ACCEPT, BROWSER).header("host", "rebound.example.com");
    assert_eq!(request.send().await.unwrap().status().as_u16(), 403);
}

#[tokio::test]
async fn a_browser_gets_the_console_and_a_program_the_interface() {
    let place = Place::new();
    let server = place.serve(&[]);
    a_page_loads_its_files_which_are_kept(&server).await;
    errors_of_the_interface_stay_its_own(&server).await;
    pages_and_reads_of_the_interface_are_there_for_browsers(&server).await;
    a_rebound_name_gets_no_page(&server).await;
}
