//! `serve` and `doctor` with Steam: what settings make of it, and what owners of platforms on record see. Nothing answers at the addresses.

use std::process::Command;

use serde_json::{Value, json};

use crate::command::Place;
use crate::recorded_desks::first;
use crate::trading::Desk;

const ADDRESSES: [(&str, &str); 2] = [
    ("TRADEPOST_OUTSIDE__ADDRESSES__STEAM_API", "http://127.0.0.1:9"),
    ("TRADEPOST_OUTSIDE__ADDRESSES__STEAM_COMMUNITY", "http://127.0.0.1:9"),
];

fn with_steam(place: &Place, arguments: &[&str]) -> Command {
    let mut command = place.command(arguments);
    command.envs(ADDRESSES);
    command
}

async fn create_platform(desk: &Desk<'_>) -> (u16, Value) {
    let platform = json!({
        "workspaceId": desk.workspace_id, "kind": "PROVIDER_KIND_GAME_PLATFORM", "driver": "steam", "name": "steam",
        "currency": "USD",
    });
    desk.server.call(&desk.key, "markets.v1.Markets/CreateProvider", platform).await
}

fn examined(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

#[tokio::test]
async fn a_server_whose_settings_do_not_admit_steam_has_no_such_driver() {
    let place = Place::new();
    let server = place.serve(&[]);
    let (status, refused) = create_platform(&first(&place, &server).await).await;
    assert_eq!(status, 400, "{refused}");
    assert!(refused["message"].as_str().unwrap().contains("this server has no driver named steam"), "{refused}");
}

#[tokio::test]
async fn a_platform_on_record_is_connected_without_a_marketplace_and_later_shows_the_setting_that_is_missing() {
    let place = Place::new();
    let server = place.start(&mut with_steam(&place, &["--listen", "127.0.0.1:0"]));
    let desk = first(&place, &server).await;
    let (status, made) = create_platform(&desk).await;
    assert_eq!(status, 200, "{made}");
    desk.open_account("bot-1", "76561198000000001").await;
    server.until_logged("trading for a desk on record");
    assert!(server.log().contains(r#""marketplaces":0"#), "{}", server.log());
    drop(server);
    let server = place.serve(&[]);
    let why = "it is not called: api.steampowered.com is a real host, and the setting outside.real is not true";
    server.until_logged(why);
}

#[test]
fn doctor_names_both_hosts_that_are_called_for_trading_accounts() {
    let place = Place::new();
    let both = examined(&mut with_steam(&place, &["doctor"]));
    assert!(both.contains("trading accounts are signed in and read at 127.0.0.1:9, 127.0.0.1:9"), "{both}");
    let (api, prices) = (ADDRESSES[0], ("TRADEPOST_OUTSIDE__ADDRESSES__SKINPORT", "http://127.0.0.1:9"));
    let half = examined(place.command(&["doctor"]).envs([api, prices]));
    let why = "steamcommunity.com is a real host, and the setting outside.real is not true";
    let found = format!("prices are read at 127.0.0.1:9; not Steam for trading accounts, because {why}");
    assert!(half.contains(&found), "{half}");
}
