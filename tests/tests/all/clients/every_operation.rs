//! The methods of both clients by the names of the operations; the two generators agree on them.

/// Runs `$call!(client method)` for the operation of this name, on the client of its service.
macro_rules! by_name {
    ($name:expr, $call:ident, $accounts:ident, $contracts:ident) => {
        match $name {
            "AcceptMembership" => $call!($accounts accept_membership),
            "ActivateContract" => $call!($contracts activate_contract),
            "AddEmailCredential" => $call!($accounts add_email_credential),
            "AppendAssetIDLink" => $call!($contracts append_asset_id_link),
            "BeginPasskeyRegistration" => $call!($accounts begin_passkey_registration),
            "BeginStepUp" => $call!($accounts begin_step_up),
            "BeginTOTPEnrollment" => $call!($accounts begin_totp_enrollment),
            "ChangeEmail" => $call!($accounts change_email),
            "ChangePassword" => $call!($accounts change_password),
            "CompleteStepUp" => $call!($accounts complete_step_up),
            "ConfirmEmailChange" => $call!($accounts confirm_email_change),
            "ConfirmTOTPEnrollment" => $call!($accounts confirm_totp_enrollment),
            "CountAPIKeys" => $call!($accounts count_api_keys),
            "CountInventoryItems" => $call!($contracts count_inventory_items),
            "CountMemberships" => $call!($accounts count_memberships),
            "CountPurchases" => $call!($contracts count_purchases),
            "CreateAPIKey" => $call!($accounts create_api_key),
            "CreateContract" => $call!($contracts create_contract),
            "FinishPasskeyRegistration" => $call!($accounts finish_passkey_registration),
            "GetAPIKey" => $call!($accounts get_api_key),
            "GetContract" => $call!($contracts get_contract),
            "GetContracts" => $call!($contracts get_contracts),
            "GetCurrentUser" => $call!($accounts get_current_user),
            "GetEffectivePermissions" => $call!($accounts get_effective_permissions),
            "GetInventoryItem" => $call!($contracts get_inventory_item),
            "GetInventoryItems" => $call!($contracts get_inventory_items),
            "GetMembership" => $call!($accounts get_membership),
            "GetMemberships" => $call!($accounts get_memberships),
            "GetPurchase" => $call!($contracts get_purchase),
            "GetPurchases" => $call!($contracts get_purchases),
            "GetWorkspace" => $call!($accounts get_workspace),
            "InviteMember" => $call!($accounts invite_member),
            "ListAPIKeys" => $call!($accounts list_api_keys),
            "ListAssetIDLinks" => $call!($contracts list_asset_id_links),
            "ListContracts" => $call!($contracts list_contracts),
            "ListInventoryItems" => $call!($contracts list_inventory_items),
            "ListMemberships" => $call!($accounts list_memberships),
            "ListPolicies" => $call!($accounts list_policies),
            "ListPurchases" => $call!($contracts list_purchases),
            "RevertEmailChange" => $call!($accounts revert_email_change),
            "RevokeAPIKey" => $call!($accounts revoke_api_key),
            "VerifyAssetIDChain" => $call!($contracts verify_asset_id_chain),
            "VerifyEmail" => $call!($accounts verify_email),
            other => panic!("no client was asked to call {other}"),
        }
    };
}
pub(super) use by_name;
