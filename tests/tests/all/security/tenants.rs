//! Every caller names records of another workspace, records that do not exist, and none at all, in every field of every operation.

use serde_json::{Value, json};
use tradepost_domain::trading::friend::FriendRelation;

use super::callers::{CALLERS, Crowd};
use crate::harness::{Key, WaitingFor, World, on_both_databases, unknown_id};
use crate::{cases, descriptor};

/// Fields with ids of nothing that a workspace keeps: what comes later, and what belongs to the caller alone.
const OF_NO_RECORD: [&str; 1] = ["enrollmentId"];
/// Those who have no valid credential are refused before anything is read.
const FIRST_WITH_A_CREDENTIAL: usize = 5;

/// What the victim knows of markets.
struct Market {
    observation: String,
    price_override: String,
    provider: String,
}

/// The victim's trading accounts.
struct Staff {
    account: String,
    group: String,
    assignment: String,
    trade_offer: String,
    snapshot: String,
    inventory_change: String,
    import: String,
    friend: String,
    confirmation: String,
    account_session: String,
    renewal: String,
    conversation: String,
    message: String,
}

/// Where the victim receives events and alerts, and what it received.
struct Receiver {
    endpoint: String,
    delivery: String,
    channel: String,
    rule: String,
    message: String,
}

impl Receiver {
    async fn of_the_victim(world: &World) -> Self {
        let workspace_id = world.other_desk.workspace_id;
        let endpoint = world.webhook_endpoint_of(workspace_id, true).await;
        let delivery = world.tested_delivery_of(workspace_id, endpoint).await;
        let channel = world.alert_channel_of(workspace_id, true).await;
        let rule = world.alert_rule_of(workspace_id, channel).await;
        let message = world.alert_message_of(workspace_id, channel).await;
        Self {
            endpoint: endpoint.to_string(),
            delivery: delivery.to_string(),
            channel: channel.to_string(),
            rule: rule.to_string(),
            message: message.to_string(),
        }
    }

    fn foreign_id(&self, field: &str) -> Option<String> {
        match field {
            "endpointId" | "endpointIds" => Some(self.endpoint.clone()),
            "deliveryId" | "deliveryIds" => Some(self.delivery.clone()),
            "channelId" | "channelIds" => Some(self.channel.clone()),
            "ruleId" | "ruleIds" => Some(self.rule.clone()),
            "messageIds" => Some(self.message.clone()),
            _ => None,
        }
    }
}

impl Staff {
    async fn of_the_victim(world: &World) -> Self {
        let workspace_id = world.other_desk.workspace_id;
        let account = world.account_of(workspace_id, 90).await;
        let group = world.group_of(workspace_id, account).await;
        let assignment = world.assignment_of(workspace_id, world.other_desk.pool, account).await;
        let trade_offer = world.trade_offer_of(workspace_id).await;
        let [snapshot, _] = world.snapshots_of(workspace_id).await;
        let inventory_change = world.inventory_change_of(workspace_id).await;
        let import = world.import_of(workspace_id, 9_001).await;
        let friend = world.friend_of(workspace_id, FriendRelation::Friend).await;
        let confirmation = world.confirmation_of(workspace_id, WaitingFor::Denial).await;
        let account_session = world.working_session_of(workspace_id).await;
        let renewal = world.renewal_of(workspace_id).await;
        let conversation = world.conversation_of(workspace_id).await;
        let message = world.chat_message_of(workspace_id).await;
        Self {
            account: account.to_string(),
            group: group.to_string(),
            assignment: assignment.to_string(),
            trade_offer: trade_offer.to_string(),
            snapshot: snapshot.to_string(),
            inventory_change: inventory_change.to_string(),
            import: import.to_string(),
            friend: friend.to_string(),
            confirmation: confirmation.to_string(),
            account_session: account_session.to_string(),
            renewal: renewal.to_string(),
            conversation: conversation.to_string(),
            message: message.to_string(),
        }
    }

    fn foreign_id(&self, method: &str, field: &str) -> Option<String> {
        match field {
            "friendId" | "friendIds" => Some(self.friend.clone()),
            "confirmationId" | "confirmationIds" => Some(self.confirmation.clone()),
            "accountSessionId" | "accountSessionIds" => Some(self.account_session.clone()),
            "renewalId" | "renewalIds" => Some(self.renewal.clone()),
            "conversationId" | "conversationIds" => Some(self.conversation.clone()),
            "messageIds" if method == "GetMessages" => Some(self.message.clone()),
            "accountId" | "accountIds" => Some(self.account.clone()),
            "accountGroupId" | "accountGroupIds" => Some(self.group.clone()),
            "assignmentId" | "assignmentIds" => Some(self.assignment.clone()),
            "snapshotId" | "snapshotIds" | "fromSnapshotId" | "toSnapshotId" => Some(self.snapshot.clone()),
            "inventoryChangeId" | "inventoryChangeIds" => Some(self.inventory_change.clone()),
            "tradeOfferId" | "tradeOfferIds" => Some(self.trade_offer.clone()),
            "importId" | "importIds" => Some(self.import.clone()),
            _ => None,
        }
    }
}

impl Market {
    async fn of_the_victim(world: &World) -> Self {
        let workspace_id = world.foreign_id("workspaceId");
        let seen = json!({
            "workspaceId": workspace_id,
            "observations": [{
                "marketplace": "simulator",
                "listingId": "theirs",
                "marketHashName": "AK-47 | Redline (Field-Tested)",
                "priceCents": "1200",
            }],
        });
        let recorded = world.call(Key::Other, "RecordMarketObservations", &seen).await.ok();
        let given = json!({
            "workspaceId": workspace_id,
            "marketHashName": "AK-47 | Redline (Field-Tested)",
            "priceCents": "1250",
            "expiresAt": "2026-06-01T00:00:00Z",
            "reason": "theirs alone",
        });
        let set = world.call(Key::Other, "SetPriceOverride", &given).await.ok();
        let provider = world.provider_of(world.other_desk.workspace_id, "theirs").await.to_string();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            observation: text(&recorded["results"][0]["observationId"]),
            price_override: text(&set["priceOverride"]["id"]),
            provider,
        }
    }

    fn foreign_id(&self, world: &World, field: &str) -> String {
        match field {
            "observationId" | "observationIds" => self.observation.clone(),
            "priceOverrideId" => self.price_override.clone(),
            "providerId" | "providerIds" => self.provider.clone(),
            known => world.foreign_id(known),
        }
    }
}

on_both_databases! {
    long on_postgresql;

    async fn nobody_learns_of_another_workspace_or_changes_it(database) {
        let crowd = Crowd::gathered(World::new(database).await).await;
        let market = Market::of_the_victim(&crowd.world).await;
        let staff = Staff::of_the_victim(&crowd.world).await;
        let receiver = Receiver::of_the_victim(&crowd.world).await;
        let before = of_the_victim(&crowd).await;
        assert!(before.len() > 10, "the victim has only {} rows", before.len());
        let mut calls = 0;
        for case in cases::all() {
            let request = case.ready(&crowd.world).await;
            for (field, is_list) in descriptor::id_fields(&descriptor::method(case.method).input()) {
                if OF_NO_RECORD.contains(&field.as_str()) {
                    continue;
                }
                let with = |id: &str| cases::merged(request.clone(), &json!({ &field: one_or_list(id, is_list) }));
                for caller in (FIRST_WITH_A_CREDENTIAL..CALLERS.len()).filter(|caller| !is_at_home_there(*caller)) {
                    let foreign = staff.foreign_id(case.method, &field).or_else(|| receiver.foreign_id(&field));
                    let foreign = foreign.unwrap_or_else(|| market.foreign_id(&crowd.world, &field));
                    let unknown = unknown_id();
                    let of_foreign = crowd.call(caller, case.method, &with(&foreign)).await;
                    let of_unknown = crowd.call(caller, case.method, &with(&unknown)).await;
                    let of_nonsense = crowd.call(caller, case.method, &with("%%%")).await;
                    let what = format!("{}.{field} by {}", case.method, CALLERS[caller]);
                    // A batch get names the ids that it did not find: the caller's own words.
                    let echoed = |seen: String, id: &str| seen.replace(id, "the id that was asked for");
                    assert_eq!(echoed(of_foreign.seen(), &foreign), echoed(of_unknown.seen(), &unknown), "{what}");
                    for answer in [&of_foreign, &of_unknown, &of_nonsense] {
                        assert!([200, 400, 403, 404].contains(&answer.status), "{what}: {answer:?}");
                    }
                    assert_ne!(of_nonsense.status, 200, "{what}");
                    calls += 3;
                }
            }
        }
        assert_eq!(of_the_victim(&crowd).await, before);
        println!("{calls} calls across workspaces on {database:?}: none returned or changed anything");
        assert!(calls >= 2_500, "only {calls} calls");
    }
}

fn is_at_home_there(caller: usize) -> bool {
    ["other_workspaces_key", "other_owners_session"].contains(&CALLERS[caller])
}

/// Every row that names the other workspace.
async fn of_the_victim(crowd: &Crowd) -> Vec<String> {
    let victim = hex(&crowd.world.people.other_workspace_id.to_bytes());
    let contents = crowd.world.contents().await;
    let rows = contents.into_iter().flat_map(|(table, rows)| rows.into_iter().map(move |row| format!("{table} {row}")));
    rows.filter(|row| row.replace('-', "").to_lowercase().contains(&victim)).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn one_or_list(id: &str, is_list: bool) -> Value {
    if is_list { json!([id]) } else { json!(id) }
}
