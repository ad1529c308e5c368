//! Addresses and what is mailed to them: changes, first addresses, invitations.

use serde_json::{Value, json};

use crate::harness::{Key, OWNER, PASSWORD, World, on_both_databases};

async fn address_of(world: &World, key: Key) -> Value {
    world.call(key, "GetCurrentUser", &json!({})).await.ok()["user"]["email"].clone()
}

on_both_databases! {
    async fn an_address_changes_when_the_link_mailed_to_the_new_one_is_followed(database) {
        let world = World::new(database).await;
        let token = world.changed_email("moved@example.com", "confirm").await;
        assert_eq!(address_of(&world, Key::Full).await, OWNER);
        world.client.call(None, "ConfirmEmailChange", &token).await.ok();
        assert_eq!(address_of(&world, Key::Full).await, "moved@example.com");
        world.client.call(None, "ConfirmEmailChange", &token).await.assert_refused("failed_precondition", "TOKEN_INVALID");
    }

    async fn the_old_address_takes_a_change_back_even_after_it_was_confirmed(database) {
        let world = World::new(database).await;
        let token = world.changed_email("moved@example.com", "confirm").await;
        let revert = json!({ "token": world.mailbox.token(OWNER, "revert") });
        world.client.call(None, "ConfirmEmailChange", &token).await.ok();
        world.client.call(None, "RevertEmailChange", &revert).await.ok();
        assert_eq!(address_of(&world, Key::Full).await, OWNER);
    }

    async fn the_link_in_a_mail_leads_to_a_page_of_the_server(database) {
        let world = World::new(database).await;
        world.changed_email("moved@example.com", "confirm").await;
        let text = world.mailbox.latest("moved@example.com");
        let link = text.split_whitespace().find(|word| word.starts_with("https://trade.example.com")).unwrap();
        let path = link.strip_prefix("https://trade.example.com").unwrap().split('#').next().unwrap();
        let page = world.client.get(path).await;
        assert_eq!((page.status, page.header("referrer-policy")), (200, Some("no-referrer")));
        assert!(page.body.contains("ConfirmEmailChange"));
    }

    async fn a_user_of_another_platform_gets_an_address_by_following_the_link(database) {
        let world = World::new(database).await;
        let token = world.added_email().await;
        assert_eq!(address_of(&world, Key::Chat).await, "");
        world.client.call(None, "VerifyEmail", &token).await.ok();
        assert_eq!(address_of(&world, Key::Chat).await, "chatter@example.com");
        let again = json!({ "email": "second@example.com", "password": PASSWORD, "botCheckToken": "development" });
        world.step_up(Key::Chat, Some("chatter@example.com")).await;
        let refused = world.call(Key::Chat, "AddEmailCredential", &again).await;
        refused.assert_refused("failed_precondition", "EMAIL_CREDENTIAL_EXISTS");
    }

    async fn a_changed_password_is_the_one_that_counts(database) {
        let world = World::new(database).await;
        let new = "nine quiet herons cross the marsh";
        let change = json!({ "currentPassword": PASSWORD, "newPassword": new });
        world.call(Key::Full, "ChangePassword", &change).await.ok();
        assert!(world.mailbox.latest(OWNER).contains("password"));
        let with = |password: &str| json!({ "newEmail": "moved@example.com", "password": password });
        let old = world.call(Key::Full, "ChangeEmail", &with(PASSWORD)).await;
        old.assert_refused("permission_denied", "PASSWORD_MISMATCH");
        world.call(Key::Full, "ChangeEmail", &with(new)).await.ok();
    }

    async fn an_invited_person_accepts_by_the_id_in_the_mail_and_joins(database) {
        let world = World::new(database).await;
        let invitation = world.people.invitation.to_string();
        let mails = world.mailbox.to(OWNER);
        assert!(mails.iter().any(|mail| mail["text"].as_str().unwrap().contains(&invitation)), "{mails:?}");
        let request = json!({ "membershipId": invitation });
        let accepted = world.call(Key::Full, "AcceptMembership", &request).await.ok();
        assert_eq!(accepted["membership"]["status"], "MEMBERSHIP_STATUS_ACCEPTED");
        assert_eq!(accepted["membership"]["policies"], json!(["analytics", "trading"]));
        assert_eq!(accepted["membership"]["userId"], world.people.owner.to_string());
        let again = world.call(Key::Full, "AcceptMembership", &request).await;
        again.assert_refused("failed_precondition", "MEMBERSHIP_NOT_PENDING");

        let counted = world.call(Key::Other, "CountMemberships", &json!({})).await.ok();
        let count = |status: &str| counted["counts"].as_array().unwrap().iter().find(|entry| entry["status"] == status).unwrap()["count"].clone();
        assert_eq!(count("MEMBERSHIP_STATUS_ACCEPTED"), 2);
        assert_eq!(count("MEMBERSHIP_STATUS_INVITED"), 0);
    }
}
