//! What each operation writes into the audit log, by a table of its own.

use serde_json::json;

use crate::cases;
use crate::descriptor;
use crate::harness::{Audited, Key, MEMBER, Mould, World, on_both_databases};

/// What an operation that succeeds has written down, in the order of its events.
const EVENTS: [(&str, &[&str]); 171] = [
    ("AcceptFriend", &["friend.accepted"]),
    ("AcceptMembership", &["membership.accepted"]),
    ("AcceptTradeOffer", &["trade_offer.accept_requested"]),
    ("AcknowledgeRiskNotice", &["workspace.risks_acknowledged"]),
    ("AcknowledgeTradeProtection", &["account.trades_acknowledged"]),
    ("ActivateContract", &["contract.activated"]),
    ("AddAccountsToGroup", &["account_group.joined"]),
    ("AddEmailCredential", &["credential.email_added"]),
    ("AddFriend", &["friend.added"]),
    ("AdjustPoolFunds", &["pool.funds_adjusted"]),
    // What is traded has a chain of its own, which says who appended to it.
    ("AppendAssetIDLink", &[]),
    ("ApplyImport", &["account.created", "import.applied"]),
    ("ApproveConfirmation", &["confirmation.approve_requested"]),
    ("ApproveIntent", &["intent.approved"]),
    ("ArchivePool", &["pool.archived"]),
    ("AssignRemediation", &["remediation.assigned"]),
    ("BeginAccountLink", &["account_link.begin"]),
    // No user is known yet, and nothing of a user changes.
    ("BeginLinkedSignIn", &[]),
    ("BeginPasskeyRegistration", &["passkey.begin"]),
    ("BeginPasskeySignIn", &[]),
    ("BeginStepUp", &["step_up.begin"]),
    ("BeginStepUpPasskey", &["step_up.begin"]),
    ("BeginTOTPEnrollment", &["totp.begin"]),
    ("BlockFriend", &["friend.blocked"]),
    ("BulkAccounts", &["account.disabled"]),
    ("CancelContract", &["contract.cancelled"]),
    ("CancelEmailChange", &["credential.email_change_cancelled"]),
    ("CancelImport", &["import.cancelled"]),
    ("CancelIntent", &["intent.cancelled"]),
    ("CancelPurchase", &["purchase.cancelled"]),
    ("CancelRenewal", &["renewal.cancelled"]),
    ("CancelTradeOffer", &["trade_offer.cancel_requested"]),
    ("ChangeEmail", &["credential.email_change_requested"]),
    ("ChangePassword", &["credential.password_changed"]),
    ("CloneContract", &["contract.created"]),
    ("CompleteSignIn", &["session.signed_in"]),
    ("CompleteStepUp", &["step_up.completed"]),
    ("ConfirmEmailChange", &["credential.email_change_confirmed"]),
    ("ConfirmTOTPEnrollment", &["totp.enabled"]),
    ("CreateAPIKey", &["api_key.created"]),
    ("CreateAccount", &["account.created"]),
    ("CreateAccountGroup", &["account_group.created"]),
    ("CreateAlertChannel", &["alert_channel.created"]),
    ("CreateAlertRule", &["alert_rule.created"]),
    ("CreateAssignment", &["assignment.created"]),
    ("CreateContract", &["contract.created"]),
    ("CreateFilterSet", &["filter_set.created"]),
    ("CreateImport", &["import.created"]),
    ("CreateIntent", &["intent.created"]),
    ("CreatePool", &["pool.created"]),
    ("CreateProvider", &["provider.created"]),
    ("CreateSnapshot", &["snapshot.created"]),
    ("CreateWebhookEndpoint", &["webhook_endpoint.created"]),
    ("CreateWorkspace", &["workspace.created"]),
    ("DeclineMembership", &["membership.declined"]),
    ("DeclineTradeOffer", &["trade_offer.decline_requested"]),
    ("DeleteAccountGroup", &["account_group.deleted"]),
    ("DeleteAlertChannel", &["alert_channel.deleted"]),
    ("DeleteAlertRule", &["alert_rule.deleted"]),
    ("DeleteAssignment", &["assignment.deleted"]),
    ("DeleteContract", &["contract.deleted"]),
    ("DeleteFilterSet", &["filter_set.deleted"]),
    ("DeletePasskey", &["passkey.deleted"]),
    ("DeletePriceOverride", &["price_override.deleted"]),
    ("DeleteProvider", &["provider.deleted"]),
    ("DeleteUser", &["membership.left", "api_key.revoked", "user.deleted"]),
    ("DeleteWebhookEndpoint", &["webhook_endpoint.deleted"]),
    ("DeleteWorkspace", &["workspace.deleted"]),
    ("DelistItem", &["intent.created"]),
    ("DenyConfirmation", &["confirmation.deny_requested"]),
    ("DestroyWorkspaceKey", &["workspace_key.destroyed"]),
    ("DisableAccount", &["account.disabled"]),
    ("DisableAlertChannel", &["alert_channel.disabled"]),
    ("DisableGiving", &["account.giving_disabled"]),
    ("DisableProvider", &["provider.disabled"]),
    ("DisableTOTP", &["totp.disabled"]),
    ("DisableWebhookEndpoint", &["webhook_endpoint.disabled"]),
    ("DismissRemediation", &["remediation.dismissed"]),
    ("EnableAccount", &["account.enabled"]),
    ("EnableAlertChannel", &["alert_channel.enabled"]),
    ("EnableGiving", &["account.giving_enabled"]),
    ("EnableProvider", &["provider.enabled"]),
    ("EnableWebhookEndpoint", &["webhook_endpoint.enabled"]),
    ("EndAccountSession", &["account_session.ended"]),
    ("FinishAccountLink", &["account_link.linked"]),
    ("FinishLinkedSignIn", &["session.signed_in"]),
    ("FinishPasskeyRegistration", &["passkey.registered"]),
    ("FinishPasskeySignIn", &["session.signed_in"]),
    ("GetAccountLoginCode", &["account.login_code"]),
    // It only shows what there is.
    ("GetInvitation", &[]),
    ("IgnoreInventoryChange", &["inventory_change.ignored"]),
    ("InviteMember", &["membership.invited"]),
    ("LeaveWorkspace", &["membership.left", "api_key.revoked"]),
    ("ListItemForSale", &["intent.created"]),
    ("MarkConversationRead", &["conversation.read"]),
    ("MatchInventoryChange", &["inventory_change.matched"]),
    ("PauseContract", &["contract.paused"]),
    ("PausePool", &["pool.paused"]),
    // An observation says itself who recorded it.
    ("ReconcilePurchase", &["purchase.reconciled"]),
    ("RecordMarketObservations", &[]),
    ("RecordPurchaseOutcome", &["purchase.outcome_recorded"]),
    ("RefreshAccount", &["account.refresh_requested"]),
    ("RefreshConfirmations", &["confirmation.refresh_requested"]),
    ("RefreshFriends", &["friend.refreshed"]),
    ("RefreshTradeOffers", &["trade_offer.refresh_requested"]),
    ("RefreshTradeToken", &["account.token_renewal_requested"]),
    ("RegenerateRecoveryCodes", &["recovery_codes.regenerated"]),
    ("ReinstateMembership", &["membership.reinstated"]),
    ("RejectIntent", &["intent.rejected"]),
    ("RemoveAccount", &["account.removed"]),
    ("RemoveAccountsFromGroup", &["account_group.left"]),
    ("RemoveFriend", &["friend.removed"]),
    ("RemoveMembership", &["membership.removed", "api_key.revoked"]),
    ("ReplayWebhookEvents", &["webhook_endpoint.replayed"]),
    ("ReportLeakedAPIKey", &["api_key.revoked"]),
    ("RepriceItem", &["intent.created"]),
    ("RequestPasswordReset", &["credential.password_reset_requested"]),
    ("RequestRenewal", &["renewal.requested"]),
    ("ResendEmailVerification", &["credential.verification_requested"]),
    ("ResendInvitation", &["membership.invitation_resent"]),
    ("ResendStepUpCode", &["step_up.begin"]),
    ("ResendWebhookDelivery", &["webhook_delivery.resent"]),
    ("ResetPassword", &["credential.password_reset"]),
    ("RestoreWorkspace", &["workspace.restored"]),
    ("ResumeContract", &["contract.resumed"]),
    ("ResumePool", &["pool.resumed"]),
    ("RevealRevocationCode", &["account.revocation_code_revealed"]),
    ("RevertEmailChange", &["credential.email_change_reverted"]),
    ("RevokeAPIKey", &["api_key.revoked"]),
    ("RevokeInvitation", &["membership.revoked"]),
    ("RevokeOtherSessions", &["session.others_revoked"]),
    ("RevokeSession", &["session.revoked"]),
    ("RotateAPIKey", &["api_key.rotated", "api_key.created"]),
    ("RotateWebhookSecret", &["webhook_endpoint.secret_rotated"]),
    ("RotateWorkspaceKey", &["workspace_key.rotated"]),
    ("RunRemediationAction", &["purchase.outcome_recorded", "remediation.acted"]),
    ("SendMessage", &["chat_message.sent"]),
    ("SendTestAlert", &["alert_channel.tested"]),
    ("SendTestEvent", &["webhook_endpoint.tested"]),
    ("SendTradeOffer", &["trade_offer.send_requested"]),
    ("SetPriceOverride", &["price_override.set"]),
    ("SetTradingHalt", &["workspace.trading_halted"]),
    ("SignIn", &["session.signed_in"]),
    ("SignOut", &["session.signed_out"]),
    ("SignUp", &["user.signed_up"]),
    ("StartAccountSession", &["account_session.started"]),
    ("SubmitAccountSessionCode", &["account_session.code_submitted"]),
    ("SuspendMembership", &["membership.suspended"]),
    ("TestProvider", &["provider.tested"]),
    ("TransferItem", &["intent.created"]),
    ("TransferWorkspaceOwnership", &["workspace.ownership_transferred"]),
    ("UnblockFriend", &["friend.unblocked"]),
    ("UnlinkAccount", &["account_link.unlinked"]),
    ("UpdateAPIKey", &["api_key.updated"]),
    ("UpdateAccount", &["account.updated"]),
    ("UpdateAccountGroup", &["account_group.updated"]),
    ("UpdateAlertChannel", &["alert_channel.updated"]),
    ("UpdateAlertRule", &["alert_rule.updated"]),
    ("UpdateAssignment", &["assignment.updated"]),
    ("UpdateContract", &["contract.updated"]),
    ("UpdateFilterSet", &["filter_set.updated"]),
    ("UpdateMembership", &["membership.updated"]),
    ("UpdatePasskey", &["passkey.updated"]),
    ("UpdatePool", &["pool.updated"]),
    ("UpdatePricingRules", &["pricing_rules.updated"]),
    ("UpdateProvider", &["provider.updated"]),
    ("UpdateUser", &["user.updated"]),
    ("UpdateWebhookEndpoint", &["webhook_endpoint.updated"]),
    ("UpdateWorkspace", &["workspace.updated"]),
    ("VerifyEmail", &["credential.email_verified"]),
    ("WriteOffItem", &["purchase.item_written_off"]),
];

on_both_databases! {
    long on_postgresql;

    async fn every_operation_that_changes_something_is_written_down(database) {
        let (mould, mut seen) = (Mould::of(database).await, Vec::new());
        for case in cases::all().into_iter().filter(|case| !descriptor::is_read(case.method)) {
            let world = mould.cast().await;
            let request = case.ready(&world).await;
            let before = world.audited().await.len();
            world.call(case.by, case.method, &request).await.ok();
            let events = world.audited().await.split_off(before);
            let from_here = |event: &&Audited| event.client == "127.0.0.1" && event.details.contains("requestId");
            assert_eq!(events.iter().filter(from_here).count(), events.len(), "{}: {events:?}", case.method);
            seen.push((case.method, events.into_iter().map(|event| event.kind).collect::<Vec<_>>()));
        }
        seen.sort();
        let expected: Vec<_> =
            EVENTS.iter().map(|(method, kinds)| (*method, kinds.iter().map(ToString::to_string).collect())).collect();
        assert_eq!(seen, expected);
    }

    async fn who_is_refused_at_signing_in_or_stepping_up_is_written_down(database) {
        let world = World::new(database).await;
        let before = world.audited().await.len();
        for email in [MEMBER, "nobody@example.com"] {
            let request = json!({ "email": email, "password": "not the password of anybody" });
            world.client.call(None, "SignIn", &request).await.assert_refused("unauthenticated", "WRONG_CREDENTIALS");
        }
        let mut answer = world.step_up_answer(Key::Unproven, None).await;
        answer["code"] = json!("000000");
        world.call(Key::Unproven, "CompleteStepUp", &answer).await
            .assert_refused("permission_denied", "CODE_MISMATCH");
        let events = world.audited().await.split_off(before);
        let seen: Vec<_> = events.iter().map(|event| (event.kind.as_str(), event.home)).collect();
        let (users, nobodys) = (2, 3);
        assert_eq!(
            seen,
            [
                ("session.sign_in_failed", users),
                ("session.sign_in_failed", nobodys),
                ("step_up.begin", users),
                ("step_up.failed", users)
            ]
        );
        for (event, cause) in events.iter().zip(["WRONG_CREDENTIALS", "WRONG_CREDENTIALS", "", "CODE_MISMATCH"]) {
            assert!(event.details.contains(cause), "{event:?}");
        }
    }
}
