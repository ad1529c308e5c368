//! What a fault makes of a page: a cursor that leads back, and no entries though there are some.

use serde_json::{Value, json};

/// The lists of pages whose content is one object.
const LISTS: [&str; 5] = ["assets", "asset_properties", "trade_offers_sent", "trade_offers_received", "trades"];

/// Has a page lead to this cursor.
pub(super) fn lead_to(page: &mut Value, cursor: &str) {
    match page.get_mut("response") {
        Some(response) if response.get("total_inventory_count").is_some() => {
            response["more_items"] = json!(1);
            response["last_assetid"] = json!(cursor);
        }
        Some(response) if response.get("more").is_some() => response["more"] = json!(true),
        Some(response) => response["next_cursor"] = json!(cursor.parse::<u64>().unwrap_or_default()),
        None => lead_message_to(page, cursor),
    }
}

/// Takes the entries from a page. What counts them stays.
pub(super) fn empty(page: &mut Value) {
    let list = if page.get("messages").is_some() { "messages" } else { "results" };
    match page.get_mut("response").and_then(Value::as_object_mut) {
        Some(response) => response.retain(|name, _| !LISTS.contains(&name.as_str())),
        None => page[list] = json!([]),
    }
}

/// The same of a page that is an object of its own. Messages have no cursor: they follow the last place, and say that there are more.
fn lead_message_to(page: &mut Value, cursor: &str) {
    if page.get("more_available").is_some() {
        page["more_available"] = json!(true);
    } else {
        let name = if page.get("cursor").is_some() { "cursor" } else { "nextCursor" };
        page[name] = json!(cursor);
    }
}
