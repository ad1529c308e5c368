//! The names of the interface's enums in words, as people read them.

/// What the names of each enum begin with.
const PREFIXES: [&str; 87] = [
    "ACCOUNT_ACTION_",
    "ACCOUNT_CAPABILITY_",
    "ACCOUNT_LOCK_REASON_",
    "ACCOUNT_SESSION_STATUS_",
    "ACCOUNT_STATUS_",
    "ALERT_CHANNEL_KIND_",
    "ALERT_CHANNEL_STATUS_",
    "ALERT_DISABLED_REASON_",
    "ALERT_MESSAGE_STATE_",
    "ALERT_PACE_",
    "ALERT_TOPIC_",
    "APPROVAL_MODE_",
    "ASSIGNMENT_ROLE_",
    "AUDIT_ACTOR_TYPE_",
    "AUDIT_SUBJECT_TYPE_",
    "BOT_CHECK_KIND_",
    "BREAKER_STATE_",
    "CHAT_MESSAGE_STATUS_",
    "CONFIRMATION_KIND_",
    "CONFIRMATION_STATUS_",
    "CONTRACT_STATUS_",
    "CONTRACT_TYPE_",
    "EVALUATION_DECISION_",
    "EXTERIOR_",
    "FEE_ROUNDING_",
    "FOLLOW_UP_OUTCOME_",
    "IMPORT_FORMAT_",
    "IMPORT_KIND_",
    "IMPORT_ROW_OUTCOME_",
    "IMPORT_STATUS_",
    "FRIEND_ACTION_STATE_",
    "FRIEND_ACTION_",
    "FRIEND_RELATION_",
    "INTENT_KIND_",
    "INTENT_STATUS_",
    "INVENTORY_CHANGE_KIND_",
    "INVENTORY_CHANGE_STATUS_",
    "INVENTORY_ITEM_LOCK_KIND_",
    "INVENTORY_ITEM_STATUS_",
    "ITEM_CATEGORY_",
    "LEDGER_ACCOUNT_",
    "LEDGER_POSTING_",
    "LINK_PROVIDER_",
    "MEMBERSHIP_ROLE_",
    "MEMBERSHIP_STATUS_",
    "OBSERVATION_OUTCOME_",
    "POOL_STATUS_",
    "PRICE_BUCKET_",
    "PRICE_STATISTIC_",
    "PRINCIPAL_TYPE_",
    "PROFIT_AND_LOSS_BUCKET_",
    "PROFIT_AND_LOSS_FORMAT_",
    "PROFIT_AND_LOSS_GROUPING_",
    "PROVIDER_CAPABILITY_",
    "PROVIDER_KIND_",
    "PURCHASE_FAILURE_CODE_",
    "PURCHASE_OUTCOME_",
    "PURCHASE_STATUS_",
    "RARITY_",
    "RECORDER_KIND_",
    "REMEDIATION_ACTION_",
    "REMEDIATION_KIND_",
    "REMEDIATION_SEVERITY_",
    "REMEDIATION_STATUS_",
    "RENEWAL_KIND_",
    "RENEWAL_STATUS_",
    "SEARCH_KIND_",
    "SESSION_FAILURE_",
    "SESSION_GUARD_",
    "SIGN_IN_METHOD_",
    "SNAPSHOT_STATUS_",
    "SNAPSHOT_TRIGGER_",
    "TRADE_OFFER_DIRECTION_",
    "TRADE_OFFER_ORIGIN_",
    "TRADE_OFFER_REQUEST_",
    "TRADE_OFFER_STATUS_",
    "TRADE_OFFER_STRANGENESS_",
    "TRADE_STATUS_",
    "TRANSITION_ACTOR_KIND_",
    "TRANSITION_SUBJECT_TYPE_",
    "TWO_FACTOR_METHOD_",
    "USAGE_GRANULARITY_",
    "USAGE_GROUP_",
    "WEBHOOK_DELIVERY_STATE_",
    "WEBHOOK_DISABLED_REASON_",
    "WEBHOOK_ENDPOINT_STATUS_",
    "WORKSPACE_KEY_STATUS_",
];

/// The enum whose names are shown as `remediations run` takes them.
const TYPED: &str = "REMEDIATION_ACTION_";

/// The name of an enum in words, without what all names of the enum begin with. A text that an operator wrote stays.
pub(crate) fn words(text: &str) -> String {
    let is_code = !text.contains(|character: char| character.is_ascii_lowercase() || character == ' ');
    let words = || if is_code { in_words(text) } else { text.to_owned() };
    known(text).unwrap_or_else(words)
}

/// The same for a name of an enum of the interface; `None` for other texts. A value that was not given is empty.
pub(super) fn known(text: &str) -> Option<String> {
    let bare = PREFIXES.iter().find_map(|prefix| text.strip_prefix(prefix))?;
    if text.starts_with(TYPED) && bare != "UNSPECIFIED" {
        return Some(bare.to_ascii_lowercase());
    }
    Some(if bare == "UNSPECIFIED" { String::new() } else { in_words(bare) })
}

fn in_words(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_enums_are_words() {
        for (name, expected) in [
            ("TRADE_OFFER_STATUS_NEEDS_CONFIRMATION", "needs confirmation"),
            ("REMEDIATION_KIND_MISSING_ITEM", "missing item"),
            ("REMEDIATION_ACTION_WRITE_OFF", "write_off"),
            ("INVENTORY_ITEM", "inventory item"),
            ("Too expensive", "Too expensive"),
            ("APPROVAL_MODE_UNSPECIFIED", ""),
        ] {
            assert_eq!(words(name), expected);
        }
    }

    #[test]
    fn the_first_name_of_every_enum_of_the_interface_is_known() {
        let interface = include_str!("../../../../../../docs/openapi.json");
        let names = interface.split('"').filter(|text| text.ends_with("_UNSPECIFIED"));
        let unknown: Vec<&str> = names.filter(|name| known(name).as_deref() != Some("")).collect();
        assert!(unknown.is_empty(), "PREFIXES lacks the enums of {unknown:?}");
    }
}
