//! A server that is told to stop: what it accepted it brings to its end.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tradepost_adapters_mail::DirectoryMailer;
use tradepost_ports::mailer::{Mail, MailError, Mailer};

use crate::harness::{Client, Key, Served, Setup, World, on_both_databases};

/// A mailer that tells when it is asked, and sends when it may.
struct Gate {
    mailer: DirectoryMailer,
    asked: mpsc::UnboundedSender<()>,
    may_send: watch::Receiver<bool>,
}

#[async_trait]
impl Mailer for Gate {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        let mut may_send = self.may_send.clone();
        if !*may_send.borrow() {
            self.asked.send(()).unwrap();
            may_send.wait_for(|may_send| *may_send).await.unwrap();
        }
        self.mailer.send(mail).await
    }
}

on_both_databases! {
    async fn calls_under_way_are_brought_to_their_end_and_new_ones_find_no_server(database) {
        let (asked, mut was_asked) = mpsc::unbounded_channel();
        let (may_send, watched) = watch::channel(true);
        let mailer = move |mailer| -> Arc<dyn Mailer> { Arc::new(Gate { mailer, asked, may_send: watched }) };
        let setup = Setup { mailer: Box::new(mailer), ..Setup::default() };
        let world = World::made_with(database, setup).await;
        let Served { client, stop, ended } = Served::by(&world.app).await;
        may_send.send_replace(false);
        let requests: Vec<Value> = (0..8).map(|number| invitation(&world, number)).collect();
        let token = world.token(Key::Full);
        let calls = join_all(requests.iter().map(|request| client.call(Some(token), "InviteMember", request)));
        let during = async {
            for _ in &requests {
                was_asked.recv().await.unwrap();
            }
            drop(stop);
            timeout(Duration::from_secs(10), no_server_at(&client.base)).await.expect("new calls find no server");
            assert!(!ended.is_finished(), "the server waits for what it has accepted");
            may_send.send_replace(true);
        };
        let (answers, ()) = tokio::join!(calls, during);
        for answer in answers {
            let membership = answer.ok()["membership"]["id"].clone();
            world.call(Key::Full, "GetMembership", &json!({ "membershipId": membership })).await.ok();
        }
        timeout(Duration::from_secs(10), ended).await.expect("then it ends").unwrap();
    }
}

/// Invites somebody; the call waits for the mail.
fn invitation(world: &World, number: u32) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "email": format!("person-{number}@example.com"),
        "role": "MEMBERSHIP_ROLE_MEMBER",
    })
}

/// Done when no new connection is accepted.
async fn no_server_at(base: &str) {
    while Client::of(base).try_call(None, "ListPolicies", &json!({})).await.is_ok() {}
}
