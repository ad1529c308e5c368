//! The Rust client that is generated with the server.

use connectrpc::client::ClientConfig;
use serde_json::Value;
use tradepost_proto::client::HttpClient;
use tradepost_proto::client::accounts::AccountsClient;
use tradepost_proto::client::alerts::AlertsClient;
use tradepost_proto::client::contracts::ContractsClient;
use tradepost_proto::client::events::EventsClient;
use tradepost_proto::client::markets::MarketsClient;
use tradepost_proto::client::trading::TradingClient;

use super::every_operation::{by_name, on_the_heap};
use crate::cases::{self, Worlds};
use crate::harness::Database;
use crate::operations::assert_golden;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_generated_client_reads_the_same_from_binary() {
    reads_the_same(ClientConfig::proto).await;
}

/// `cargo xtask nightly` runs it.
mod long {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_generated_client_reads_the_same_from_json() {
        reads_the_same(ClientConfig::json).await;
    }
}

async fn reads_the_same(codec: fn(ClientConfig) -> ClientConfig) {
    let worlds = Worlds::on(Database::Sqlite).await;
    for case in cases::all() {
        worlds
            .enter(&case, async |world| {
                let request = case.ready(world).await;
                let config = codec(ClientConfig::new(world.client.base.parse().unwrap()));
                let config = config.with_default_header("authorization", format!("Bearer {}", world.token(case.by)));
                let answer = call(&config, case.method, request.clone()).await;
                assert_golden(&case, request, answer);
            })
            .await;
    }
}

async fn call(config: &ClientConfig, method: &str, request: Value) -> Value {
    let accounts = AccountsClient::new(HttpClient::plaintext(), config.clone());
    let alerts = AlertsClient::new(HttpClient::plaintext(), config.clone());
    let contracts = ContractsClient::new(HttpClient::plaintext(), config.clone());
    let events = EventsClient::new(HttpClient::plaintext(), config.clone());
    let markets = MarketsClient::new(HttpClient::plaintext(), config.clone());
    let trading = TradingClient::new(HttpClient::plaintext(), config.clone());
    macro_rules! called {
        ($client:ident $method:ident) => {
            on_the_heap(async || {
                let answer = $client.$method(serde_json::from_value(request).unwrap()).await;
                serde_json::to_value(answer.unwrap().into_owned()).unwrap()
            })
            .await
        };
    }
    by_name!(method, called, accounts, alerts, contracts, events, markets, trading)
}
