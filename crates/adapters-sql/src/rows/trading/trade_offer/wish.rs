//! What a person asked to be sent, as JSON.

use serde::{Deserialize, Serialize};
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::id::IntentId;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade_offer::{AssetReference, OfferMessage, OfferWish};
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use crate::rows::{RowLocation, id, uuid};

const WISH: &str = "wish";

/// Game, context and asset id.
#[derive(Serialize, Deserialize)]
struct Reference(u32, u64, String);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    token: String,
    gives: Vec<Reference>,
    receives: Vec<Reference>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    intent: Option<String>,
    /// Missing of what was asked for before holds were read.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    accepts_hold: bool,
}

pub(super) fn to_json(wish: &OfferWish) -> String {
    let reference =
        |asset: &AssetReference| Reference(asset.app_id.get(), asset.context_id.get(), asset.asset_id.to_string());
    let wish = Wish {
        token: wish.token.to_string(),
        gives: wish.gives.iter().map(reference).collect(),
        receives: wish.receives.iter().map(reference).collect(),
        message: wish.message.as_ref().map(ToString::to_string),
        intent: wish.intent_id.map(|intent| uuid(intent).to_string()),
        accepts_hold: wish.accepts_hold,
    };
    // Texts and numbers are always JSON.
    serde_json::to_string(&wish).unwrap_or_default()
}

pub(super) fn of_json(at: RowLocation, json: &str) -> StoreResult<OfferWish> {
    let wish: Wish = at.read(WISH, serde_json::from_str(json))?;
    let references =
        |all: Vec<Reference>| all.into_iter().map(|one| reference_of(at, &one)).collect::<StoreResult<_>>();
    let intent: Option<Uuid> = at.read_some(WISH, wish.intent.as_deref(), str::parse)?;
    Ok(OfferWish {
        token: at.read(WISH, ExternalId::new(&wish.token))?,
        gives: references(wish.gives)?,
        receives: references(wish.receives)?,
        message: at.read_some(WISH, wish.message.as_deref(), OfferMessage::new)?,
        intent_id: intent.map(|intent| -> IntentId { id(intent) }),
        accepts_hold: wish.accepts_hold,
    })
}

fn reference_of(at: RowLocation, Reference(game, context, asset): &Reference) -> StoreResult<AssetReference> {
    Ok(AssetReference {
        app_id: at.read(WISH, AppId::new(*game))?,
        context_id: at.read(WISH, ContextId::new(*context))?,
        asset_id: at.read(WISH, AssetId::new(asset))?,
    })
}
