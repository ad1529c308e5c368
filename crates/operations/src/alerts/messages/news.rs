//! What changes of status mean for people: the problems and notices among them.

use std::collections::{HashMap, HashSet};

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::alerts::topic::{AlertNews, AlertTopic, ProblemKey};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{Evidence, RAISED, Remediation, RemediationStatus, Severity};
use tradepost_domain::id::RemediationId;
use tradepost_domain::money::Currency;
use tradepost_domain::text::Text;
use tradepost_domain::transition::{Subject, Transition};

use super::words;
use crate::fields::shortened;
use crate::{OpError, OpResult, Operations};

/// What a part of the log means for people.
#[derive(Debug, Default)]
pub(super) struct LogNews {
    /// What happened, in order.
    pub(super) news: Vec<AlertNews>,
    /// The problems that ended.
    pub(super) ended: HashSet<ProblemKey>,
}

/// Returns what changes of status mean for people, of the topics that are asked for.
pub(super) async fn news_of(
    operations: &Operations,
    scope: WorkspaceScope,
    transitions: &[Transition],
    is_wanted: impl Fn(AlertTopic) -> bool,
) -> OpResult<LogNews> {
    let store = &operations.ports.store;
    let (mut opened, mut bought, mut sold, mut found) = (Vec::new(), Vec::new(), Vec::new(), LogNews::default());
    for transition in transitions {
        let is_over = [RemediationStatus::Resolved, RemediationStatus::Dismissed].map(RemediationStatus::as_str);
        match transition.subject {
            Subject::Remediation(id) if transition.from.is_none() || transition.trigger == RAISED => opened.push(id),
            Subject::Remediation(id) if is_over.contains(&transition.to) => {
                found.ended.extend([remediation_key(id)?, raised_key(id)?]);
            }
            Subject::Purchase(id) if transition.to == PurchaseStatus::Paid.as_str() => bought.push(id),
            Subject::InventoryItem(id) if transition.to == ItemStatus::Sold.as_str() => sold.push(id),
            Subject::Membership(_)
            | Subject::ApiKey(_)
            | Subject::Contract(_)
            | Subject::Purchase(_)
            | Subject::InventoryItem(_)
            | Subject::Pool(_)
            | Subject::Intent(_)
            | Subject::Account(_)
            | Subject::Remediation(_)
            | Subject::Provider(_)
            | Subject::TradeOffer(_)
            | Subject::InventoryChange(_)
            | Subject::Import(_)
            | Subject::Friend(_)
            | Subject::ChatMessage(_)
            | Subject::Confirmation(_)
            | Subject::AccountSession(_)
            | Subject::Renewal(_) => {}
        }
    }
    for seen in in_order(&opened, store.remediations().find_many(scope, &opened).await?, |seen| seen.peek().id) {
        found.news.push(of_problem(seen.peek())?);
    }
    let currency = if bought.is_empty() && sold.is_empty() { None } else { Some(currency(operations, scope).await?) };
    let Some(currency) = currency else { return Ok(found) };
    if is_wanted(AlertTopic::Bought) {
        for seen in in_order(&bought, store.purchases().find_many(scope, &bought).await?, |seen| seen.peek().terms.id) {
            found.news.push(of_purchase(seen.peek(), currency)?);
        }
    }
    if is_wanted(AlertTopic::Sold) {
        for seen in in_order(&sold, store.items().find_many(scope, &sold).await?, |seen| seen.peek().id) {
            found.news.push(of_sale(seen.peek(), currency)?);
        }
    }
    Ok(found)
}

/// The currency of the amounts of a workspace.
pub(super) async fn currency(operations: &Operations, scope: WorkspaceScope) -> OpResult<Currency> {
    let workspace = operations.ports.store.workspaces().find(scope).await?;
    Ok(workspace.ok_or_else(|| OpError::not_found("workspace"))?.into_display().0.base_currency)
}

/// The found records in the order in which the log names them.
fn in_order<T, I: Copy + Eq + std::hash::Hash>(ids: &[I], found: Vec<T>, id_of: impl Fn(&T) -> I) -> Vec<T> {
    let mut by_id: HashMap<I, T> = found.into_iter().map(|found| (id_of(&found), found)).collect();
    ids.iter().filter_map(|id| by_id.remove(id)).collect()
}

fn of_problem(problem: &Remediation) -> OpResult<AlertNews> {
    let kind = problem.kind;
    let details = [Some(format!("{kind} of {} {}", problem.subject.kind(), hex(problem.subject.id_bytes())))];
    let Evidence { shown_by, expected, found } = &problem.evidence;
    let named = [("shown by", shown_by), ("expected", expected), ("found", found)];
    let named = named.map(|(name, value)| value.as_ref().map(|value| format!("{name} {value}")));
    let detail: Vec<String> = details.into_iter().chain(named).flatten().collect();
    let is_raised = problem.severity > kind.severity();
    let key = if is_raised { raised_key(problem.id)? } else { remediation_key(problem.id)? };
    Ok(AlertNews {
        topic: AlertTopic::of_problem(problem),
        severity: problem.severity,
        kind: Some(kind),
        subject: Some(Subject::Remediation(problem.id)),
        problem: key,
        title: cut(words::problem(kind))?,
        detail: Some(cut(&detail.join(", "))?),
    })
}

fn of_purchase(purchase: &Purchase, currency: Currency) -> OpResult<AlertNews> {
    let terms = &purchase.terms;
    let price = words::amount(terms.listing_price.get(), currency);
    Ok(AlertNews {
        topic: AlertTopic::Bought,
        severity: Severity::Info,
        kind: None,
        subject: Some(Subject::Purchase(terms.id)),
        problem: cut(&format!("bought:{}", hex(terms.id.to_bytes())))?,
        title: cut(&format!("Bought {} for {price}", terms.market_hash_name))?,
        detail: Some(cut(&format!("at {} by {}", terms.marketplace, terms.account_name))?),
    })
}

fn of_sale(item: &InventoryItem, currency: Currency) -> OpResult<AlertNews> {
    let price = item.list_price.map(|price| format!(" for {}", words::amount(price.get(), currency)));
    let place = item.sale_place.as_ref().map(|place| format!("at {} by {}", place.marketplace, item.account_name));
    Ok(AlertNews {
        topic: AlertTopic::Sold,
        severity: Severity::Info,
        kind: None,
        subject: Some(Subject::InventoryItem(item.id)),
        problem: cut(&format!("sold:{}", hex(item.id.to_bytes())))?,
        title: cut(&format!("Sold {}{}", item.market_hash_name, price.unwrap_or_default()))?,
        detail: place.map(|place| cut(&place)).transpose()?,
    })
}

fn remediation_key(id: RemediationId) -> OpResult<ProblemKey> {
    cut(&format!("remediation:{}", hex(id.to_bytes())))
}

/// The key of the same problem once it is worse than others of its kind: a channel gets a second message of it.
fn raised_key(id: RemediationId) -> OpResult<ProblemKey> {
    cut(&format!("remediation:{}:raised", hex(id.to_bytes())))
}

/// The bytes of an id, as the command line shows them but for the hyphens.
pub(super) fn hex(id: [u8; 16]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text that is not longer than its field.
pub(super) fn cut<const MOST: usize>(text: &str) -> OpResult<Text<MOST>> {
    shortened(text).ok_or_else(|| OpError::internal("a text of an alert is blank"))
}
