//! Handing mails to a server that behaves as each test says.

mod fake_server;

use fake_server::{FakeServer, Reply};

use super::*;

const TEXT: &str = "Open https://trade.example.com/verify to go on.";

fn settings(server: &FakeServer) -> SmtpSettings {
    SmtpSettings {
        host: "127.0.0.1".to_owned(),
        port: server.port,
        login: None,
        tls: SmtpTls::None,
        from: "tradepost <no-reply@example.com>".to_owned(),
        timeout: SmtpSettings::TIMEOUT,
    }
}

fn mail_to(address: &str) -> Mail {
    Mail {
        to: EmailAddress::new(address).unwrap(),
        subject: "Confirm your address".to_owned(),
        text: TEXT.to_owned(),
        html: "<p>Open <a href=\"https://trade.example.com/verify\">this</a>.</p>".to_owned(),
    }
}

async fn send_to(server: &FakeServer) -> Result<(), MailError> {
    SmtpMailer::new(settings(server)).unwrap().send(mail_to("ada@example.com")).await
}

#[tokio::test]
async fn a_mail_is_handed_over_in_both_forms() {
    let server = FakeServer::start([]).await;
    send_to(&server).await.unwrap();
    let received = server.received();
    for line in [
        "MAIL FROM:<no-reply@example.com>",
        "RCPT TO:<ada@example.com>",
        "From: tradepost <no-reply@example.com>",
        "To: ada@example.com",
        "Subject: Confirm your address",
        "Content-Type: text/plain; charset=utf-8",
        TEXT,
        "Content-Type: text/html; charset=utf-8",
        "QUIT",
    ] {
        assert!(received.iter().any(|sent| sent.trim_end() == line), "{line} is missing from {received:#?}");
    }
}

#[tokio::test]
async fn a_mail_says_when_and_as_what_it_was_sent() {
    let server = FakeServer::start([]).await;
    send_to(&server).await.unwrap();
    for header in ["Date: ", "Message-ID: <", "MIME-Version: 1.0"] {
        assert!(server.received().iter().any(|line| line.starts_with(header)), "{header}");
    }
}

#[tokio::test]
async fn a_recipient_that_is_refused_is_refused_for_good() {
    let server = FakeServer::start([("RCPT", Reply::Line("550 5.1.1 no such user"))]).await;
    let error = send_to(&server).await.unwrap_err();
    assert!(!error.is_transient);
    assert!(error.reason.contains("550") && error.reason.contains("no such user"), "{error}");
}

#[tokio::test]
async fn a_mail_that_is_refused_after_its_text_is_refused_for_good() {
    let server = FakeServer::start([(".", Reply::Line("554 5.7.1 looks like spam"))]).await;
    assert!(!send_to(&server).await.unwrap_err().is_transient);
}

#[tokio::test]
async fn a_server_that_is_busy_may_take_the_mail_later() {
    let server = FakeServer::start([("MAIL", Reply::Line("451 4.3.2 try again later"))]).await;
    let error = send_to(&server).await.unwrap_err();
    assert!(error.is_transient && error.reason.contains("try again later"), "{error}");
}

#[tokio::test]
async fn a_server_that_hangs_up_may_take_the_mail_later() {
    for moment in ["CONNECT", "EHLO", "MAIL", "DATA", "."] {
        let server = FakeServer::start([(moment, Reply::HangUp)]).await;
        assert!(send_to(&server).await.unwrap_err().is_transient, "at {moment}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_may_come_back() {
    let server = FakeServer::start([]).await.stop().await;
    assert!(send_to(&server).await.unwrap_err().is_transient);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_given_up_after_the_timeout() {
    let server = FakeServer::start([("CONNECT", Reply::Silence)]).await;
    let begun = tokio::time::Instant::now();
    let error = send_to(&server).await.unwrap_err();
    assert_eq!(begun.elapsed().as_secs(), 10);
    assert!(error.is_transient && error.reason.ends_with("did not take the mail within 10s"), "{error}");
}

#[tokio::test]
async fn a_mail_that_was_taken_is_sent_even_without_a_goodbye() {
    let server = FakeServer::start([("QUIT", Reply::HangUp)]).await;
    assert!(send_to(&server).await.is_ok());
}

#[tokio::test]
async fn every_mail_has_a_connection_of_its_own() {
    let server = FakeServer::start([]).await;
    let mailer = SmtpMailer::new(settings(&server)).unwrap();
    mailer.send(mail_to("ada@example.com")).await.unwrap();
    mailer.send(mail_to("bob@example.com")).await.unwrap();
    assert_eq!(server.received().iter().filter(|line| line.starts_with("EHLO")).count(), 2);
}

#[tokio::test]
async fn a_login_is_presented_before_the_mail() {
    let server = FakeServer::start([("EHLO", Reply::Line("250-fake\r\n250 AUTH PLAIN"))]).await;
    let login = SmtpLogin { user: "user".to_owned(), password: "password".into() };
    let mailer = SmtpMailer::new(SmtpSettings { login: Some(login), ..settings(&server) }).unwrap();
    mailer.send(mail_to("ada@example.com")).await.unwrap();
    // RFC 4616: NUL user NUL password, in base 64.
    assert_eq!(server.received()[1], "AUTH PLAIN AHVzZXIAcGFzc3dvcmQ=");
}

#[tokio::test]
async fn without_the_tls_that_was_asked_for_nothing_is_sent() {
    for tls in [SmtpTls::StartTls, SmtpTls::Tls] {
        let server = FakeServer::start([]).await;
        let login = SmtpLogin { user: "user".to_owned(), password: "password".into() };
        let mailer = SmtpMailer::new(SmtpSettings { tls, login: Some(login), ..settings(&server) }).unwrap();
        assert!(mailer.send(mail_to("ada@example.com")).await.unwrap_err().is_transient, "{tls:?}");
        let received = server.received();
        assert!(
            !received.iter().any(|line| line.starts_with("AUTH") || line.starts_with("MAIL")),
            "{tls:?}: {received:?}"
        );
    }
}

#[tokio::test]
async fn a_domain_in_another_script_is_sent_in_ascii_and_the_local_part_as_typed() {
    let server = FakeServer::start([]).await;
    SmtpMailer::new(settings(&server)).unwrap().send(mail_to("Ada@bücher.example")).await.unwrap();
    assert!(server.received().contains(&"RCPT TO:<Ada@xn--bcher-kva.example>".to_owned()));
}

#[tokio::test]
async fn a_subject_cannot_add_headers_or_recipients() {
    let server = FakeServer::start([]).await;
    let mail = Mail { subject: "Hello\r\nBcc: eve@example.com".to_owned(), ..mail_to("ada@example.com") };
    SmtpMailer::new(settings(&server)).unwrap().send(mail).await.unwrap();
    assert!(!server.received().iter().any(|line| line.starts_with("Bcc") || line.contains("RCPT TO:<eve")));
}

#[tokio::test]
async fn a_line_with_a_single_dot_does_not_end_the_mail() {
    let server = FakeServer::start([]).await;
    let mail = Mail { text: "before\n.\nafter".to_owned(), ..mail_to("ada@example.com") };
    SmtpMailer::new(settings(&server)).unwrap().send(mail).await.unwrap();
    assert!(server.received().iter().any(|line| line == "after"));
    assert_eq!(server.received().last().unwrap(), "QUIT");
}

#[tokio::test]
async fn a_sender_that_is_no_address_is_refused_at_the_start() {
    let server = FakeServer::start([]).await;
    for from in ["", "tradepost", "tradepost <no-reply>"] {
        let refused = SmtpMailer::new(SmtpSettings { from: from.to_owned(), ..settings(&server) });
        assert!(matches!(refused, Err(InvalidSmtpSettings::From { .. })), "{from:?}");
    }
}
