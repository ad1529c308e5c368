//! A server that is stopped completes what it accepted.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tradepost_ports::bot_check::{BotCheck, BotCheckError};

use crate::harness::{Client, Served, Setup, World, on_both_databases};

/// A bot check that reports when it is asked, and answers when it may.
struct Gate {
    asked: mpsc::UnboundedSender<()>,
    may_pass: watch::Receiver<bool>,
}

#[async_trait]
impl BotCheck for Gate {
    async fn check(&self, _token: SecretString, _action: &str, _client: Option<IpAddr>) -> Result<(), BotCheckError> {
        self.asked.send(()).unwrap();
        self.may_pass.clone().wait_for(|may_pass| *may_pass).await.unwrap();
        Ok(())
    }
}

on_both_databases! {
    async fn calls_under_way_are_brought_to_their_end_and_new_ones_find_no_server(database) {
        let (asked, mut was_asked) = mpsc::unbounded_channel();
        let (may_pass, watched) = watch::channel(false);
        let setup = Setup { bot_check: Arc::new(Gate { asked, may_pass: watched }), ..Setup::default() };
        let world = World::made_with(database, setup).await;
        let Served { client, stop, ended } = Served::by(&world.app).await;
        let people: Vec<String> = (0..8).map(|number| format!("person-{number}@example.com")).collect();
        let requests: Vec<Value> = people.iter().map(|email| sign_up(email)).collect();
        let calls = join_all(requests.iter().map(|request| client.call(None, "SignUp", request)));
        let during = async {
            for _ in &requests {
                was_asked.recv().await.unwrap();
            }
            drop(stop);
            timeout(Duration::from_secs(10), no_server_at(&client.base)).await.expect("new calls find no server");
            assert!(!ended.is_finished(), "the server waits for what it has accepted");
            may_pass.send_replace(true);
        };
        let (answers, ()) = tokio::join!(calls, during);
        for (answer, email) in answers.into_iter().zip(&people) {
            answer.ok();
            assert!(world.mailbox.latest(email).contains("/email/verify#"));
        }
        timeout(Duration::from_secs(10), ended).await.expect("then it ends").unwrap();
    }
}

/// Signs a user up; the call waits for the bot check.
fn sign_up(email: &str) -> Value {
    json!({
        "email": email,
        "password": "nine quiet herons cross the marsh",
        "displayName": "A person",
        "botCheckToken": "development",
    })
}

/// Done when no new connection is accepted.
async fn no_server_at(base: &str) {
    while Client::of(base).try_call(None, "ListPolicies", &json!({})).await.is_ok() {}
}
