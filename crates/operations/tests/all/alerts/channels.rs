//! Creating, changing and showing channels.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost_domain::alerts::channel::{ChannelDisabledReason, ChannelKind, ChannelStatus};
use tradepost_domain::alerts::message::MessageState;
use tradepost_operations::accounts::LeaveWorkspace;
use tradepost_operations::alerts::{
    CreateAlertChannel, DeleteAlertChannel, DisableAlertChannel, EnableAlertChannel, GetAlertChannel, GetAlertChannels,
    ListAlertChannels, SendTestAlert, UpdateAlertChannel,
};
use tradepost_operations::{Caller, Code};
use tradepost_ports::alerts::{AlertError, AlertTarget};
use tradepost_ports::store::Records as _;

use super::{created, telegram, webhook};
use crate::harness::{World, refusal};

fn update(world: &World, channel_id: tradepost_domain::id::AlertChannelId) -> UpdateAlertChannel {
    UpdateAlertChannel {
        workspace_id: world.workspace_id,
        channel_id,
        name: None,
        target: None,
        secret: None,
        new_signing_secret: false,
        expected_version: None,
    }
}

#[tokio::test]
async fn secrets_of_a_channel_are_sealed_and_in_no_answer() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    let created = world.operations.create_alert_channel(&caller, telegram(world.workspace_id)).await.unwrap();
    assert!(created.secret.is_none());
    let channel = created.channel.channel.value;
    let hint = channel.secret_hint.as_ref().map(ToString::to_string);
    assert_eq!((channel.target.unwrap().as_str(), hint.as_deref()), ("-1001234", Some("oken")));
    assert!(!format!("{:?}", world.store).contains("42:bot-token"));
    let test = SendTestAlert { workspace_id: world.workspace_id, channel_id: channel.id };
    let sent = world.operations.send_test_alert(&caller, test).await.unwrap().value;
    let received = world.alerts.received().remove(0);
    assert_eq!((sent.state, received.text.title.as_str()), (MessageState::Sent, "A test of the channel desk"));
    let AlertTarget::Telegram { token, chat_id } = received.target else { panic!("another kind") };
    assert_eq!((token.expose_secret(), chat_id.as_str()), ("42:bot-token", "-1001234"));
}

#[tokio::test]
async fn another_target_or_secret_needs_a_second_factor_and_another_name_does_not() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let refused = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    let create = world.operations.create_alert_channel(&caller, telegram(world.workspace_id)).await;
    assert_eq!(refusal(create), refused);
    let id = created(&world, &world.proven_key().await, webhook(world.workspace_id)).await;
    let name = UpdateAlertChannel { name: Some("office".to_owned()), ..update(&world, id) };
    let renamed = world.operations.update_alert_channel(&caller, name).await.unwrap();
    assert_eq!(renamed.channel.channel.value.name.as_str(), "office");
    let url = || UpdateAlertChannel { target: Some("https://example.com/b".to_owned()), ..update(&world, id) };
    let sign = || UpdateAlertChannel { new_signing_secret: true, ..update(&world, id) };
    assert_eq!(refusal(world.operations.update_alert_channel(&caller, url()).await), refused);
    assert_eq!(refusal(world.operations.update_alert_channel(&caller, sign()).await), refused);
    world.step_up(&caller).await;
    let moved = world.operations.update_alert_channel(&caller, url()).await.unwrap();
    assert_eq!(moved.channel.channel.value.target.unwrap().as_str(), "https://example.com/b");
    assert!(moved.secret.is_none());
    assert!(world.operations.update_alert_channel(&caller, sign()).await.unwrap().secret.is_some());
    let nothing = world.operations.update_alert_channel(&caller, update(&world, id)).await;
    assert_eq!(refusal(nothing), (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn an_own_channel_is_seen_and_changed_by_its_member_alone() {
    let world = World::new().await;
    let workspace_id = world.workspace_id;
    let member = world.member("member@example.com", Role::Member, &[Policy::Trading]).await;
    let (owner, other) = (world.proven_key().await, world.proven_key_of(&member).await);
    let own = created(&world, &other, telegram(workspace_id)).await;
    let shared = created(&world, &owner, webhook(workspace_id)).await;
    let get = |channel_id| GetAlertChannel { workspace_id, channel_id };
    assert_eq!(refusal(world.operations.get_alert_channel(&owner, get(own)).await), (Code::NotFound, "NOT_FOUND"));
    assert!(world.operations.get_alert_channel(&other, get(shared)).await.is_ok());
    let list = |own| ListAlertChannels { workspace_id, limit: 0, cursor: String::new(), own, status: None };
    assert_eq!(world.operations.list_alert_channels(&owner, list(true)).await.unwrap().entries, []);
    assert_eq!(world.operations.list_alert_channels(&other, list(true)).await.unwrap().entries, [own]);
    assert_eq!(world.operations.list_alert_channels(&other, list(false)).await.unwrap().entries, [shared]);
    let batch = GetAlertChannels { workspace_id, channel_ids: vec![own, shared] };
    let found = world.operations.get_alert_channels(&owner, batch).await.unwrap();
    assert_eq!((found.found.len(), found.missing), (1, vec![own]));
    let delete = |channel_id| DeleteAlertChannel { workspace_id, channel_id, expected_version: None };
    let denied = world.operations.delete_alert_channel(&other, delete(shared)).await;
    assert_eq!(refusal(denied), (Code::PermissionDenied, "PERMISSION_DENIED"));
    world.operations.delete_alert_channel(&other, delete(own)).await.unwrap();
}

#[tokio::test]
async fn the_own_channels_of_a_member_end_with_the_membership() {
    let world = World::new().await;
    let workspace_id = world.workspace_id;
    let member = world.member("member@example.com", Role::Member, &[Policy::Trading]).await;
    let other = world.proven_key_of(&member).await;
    created(&world, &other, telegram(workspace_id)).await;
    let shared = created(&world, &world.proven_key().await, webhook(workspace_id)).await;
    let leave = LeaveWorkspace { workspace_id };
    world.operations.leave_workspace(&world.key_of_member(&member).await, leave).await.unwrap();
    let scope = Principal::System.enter(workspace_id, PolicySet::NONE).unwrap();
    let left = world.store.alerts().find_channels_of(scope, None).await.unwrap();
    assert_eq!(left.iter().map(|channel| channel.peek().id).collect::<Vec<_>>(), [shared]);
    assert!(!format!("{:?}", world.store).contains("-1001234"), "its secret and its target are gone");
}

#[tokio::test]
async fn mail_goes_to_the_verified_address_of_its_member_alone() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    let mail = |own, target: &str| CreateAlertChannel {
        own,
        kind: Some(ChannelKind::Mail),
        target: target.to_owned(),
        ..webhook(world.workspace_id)
    };
    for refused in [mail(false, ""), mail(true, "other@example.com")] {
        let answer = world.operations.create_alert_channel(&caller, refused).await;
        assert_eq!(refusal(answer), (Code::InvalidArgument, "INVALID_FIELD"));
    }
    let channel_id = created(&world, &caller, mail(true, "")).await;
    let test = SendTestAlert { workspace_id: world.workspace_id, channel_id };
    world.operations.send_test_alert(&caller, test).await.unwrap();
    let mail = world.mailer.last_to(&world.owner).unwrap();
    assert!(mail.subject.starts_with("Info: A test of the channel "), "{}", mail.subject);
    assert!(world.alerts.received().is_empty());
}

#[tokio::test]
async fn each_kind_has_the_target_and_the_secret_that_it_needs() {
    let world = World::new().await;
    let system = Caller::system();
    let of = |kind, target: &str, secret: &str| CreateAlertChannel {
        kind: Some(kind),
        target: target.to_owned(),
        secret: secret.into(),
        ..webhook(world.workspace_id)
    };
    let refused = [
        of(ChannelKind::Telegram, "", "42:token"),
        of(ChannelKind::Telegram, "-100", ""),
        of(ChannelKind::Discord, "x", "https://discord.example.com/1/2"),
        of(ChannelKind::Discord, "", "http://discord.example.com/1/2"),
        of(ChannelKind::Heartbeat, "", ""),
        of(ChannelKind::Heartbeat, "", "no url"),
        of(ChannelKind::Webhook, "https://example.com", "mine"),
        of(ChannelKind::Webhook, "http://example.com", ""),
        CreateAlertChannel { kind: None, ..webhook(world.workspace_id) },
        CreateAlertChannel { name: String::new(), ..webhook(world.workspace_id) },
    ];
    for command in refused {
        let what = format!("{command:?}");
        let answer = world.operations.create_alert_channel(&system, command).await;
        assert_eq!(refusal(answer), (Code::InvalidArgument, "INVALID_FIELD"), "{what}");
    }
    let discord = of(ChannelKind::Discord, "", "https://discord.example.com/api/1/token");
    let shown = world.operations.create_alert_channel(&system, discord).await.unwrap().channel.channel.value;
    assert_eq!(shown.target.unwrap().as_str(), "discord.example.com");
}

#[tokio::test]
async fn a_workspace_has_twenty_channels_and_each_member_as_many() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    for _ in 0..20 {
        created(&world, &caller, webhook(world.workspace_id)).await;
    }
    let one_more = world.operations.create_alert_channel(&caller, webhook(world.workspace_id)).await;
    assert_eq!(refusal(one_more), (Code::FailedPrecondition, "ALERT_LIMIT"));
    created(&world, &caller, telegram(world.workspace_id)).await;
}

#[tokio::test]
async fn a_channel_is_disabled_until_it_is_enabled() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    let (workspace_id, expected_version) = (world.workspace_id, Some(1));
    let channel_id = created(&world, &caller, webhook(workspace_id)).await;
    let disable = DisableAlertChannel { workspace_id, channel_id, expected_version };
    let disabled = world.operations.disable_alert_channel(&caller, disable).await.unwrap().channel.value;
    let person = Some(ChannelDisabledReason::Person);
    assert_eq!((disabled.status, disabled.disabled_reason), (ChannelStatus::Disabled, person));
    let again = DisableAlertChannel { expected_version: None, ..disable };
    let again = world.operations.disable_alert_channel(&caller, again).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "ILLEGAL_STEP"));
    let enable = EnableAlertChannel { workspace_id, channel_id, expected_version };
    let stale = world.operations.enable_alert_channel(&caller, enable).await;
    assert_eq!(refusal(stale), (Code::FailedPrecondition, "VERSION_MISMATCH"));
    let enable = EnableAlertChannel { expected_version: None, ..enable };
    let enabled = world.operations.enable_alert_channel(&caller, enable).await.unwrap().channel.value;
    assert_eq!((enabled.status, enabled.disabled_reason), (ChannelStatus::Active, None));
}

#[tokio::test]
async fn a_test_that_fails_says_why_and_disables_nothing() {
    let world = World::new().await;
    let channel_id = created(&world, &Caller::system(), webhook(world.workspace_id)).await;
    let reason = "the receiver answered 410".to_owned();
    world.alerts.reject_next(AlertError { reason, retry_after: None, is_final: true });
    let test = SendTestAlert { workspace_id: world.workspace_id, channel_id };
    let failed = world.operations.send_test_alert(&Caller::system(), test).await.unwrap().value;
    assert_eq!((failed.state, failed.error.unwrap().as_str()), (MessageState::Failed, "the receiver answered 410"));
    let get = GetAlertChannel { workspace_id: world.workspace_id, channel_id };
    let shown = world.operations.get_alert_channel(&Caller::system(), get).await.unwrap();
    assert_eq!((shown.channel.value.status, shown.health.consecutive_failures), (ChannelStatus::Active, 0));
    let rotated = UpdateAlertChannel { secret: Some(SecretString::from("x")), ..update(&world, channel_id) };
    let answer = world.operations.update_alert_channel(&Caller::system(), rotated).await;
    assert_eq!(refusal(answer), (Code::InvalidArgument, "INVALID_FIELD"));
}
