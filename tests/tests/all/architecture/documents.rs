//! Whether the documents still speak of what is there.

use std::collections::BTreeSet;
use std::fs;

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::workspace::RISK_NOTICE;
use tradepost_domain::contracts::evaluation::Rule;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::posting::{of_import, of_item, of_purchase};
use tradepost_domain::contracts::ledger::{Account, Balanced, Posting};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::markets::pricing::Unpriced;
use tradepost_domain::money::{Cents, SignedCents};
use tradepost_domain::trading::trade_offer::TradeOfferStatus;
use tradepost_domain::trading::trading_account::{
    AccountEvent, AccountLock, AccountStatus, CheckCode, LockReason, OpenAccountWork,
};
use tradepost_operations::Reason;
use tradepost_testkit::samples::Samples;

use super::{TextFile, assert_none, repository, rust_files, text_files};

fn documents() -> Vec<TextFile> {
    text_files().into_iter().filter(|file| file.path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The text between `open` and `close`, each time.
fn between<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split_once(close).map(|(inside, _)| inside))
}

#[test]
fn every_link_inside_the_repository_leads_somewhere() {
    let mut offences = Vec::new();
    for document in documents() {
        let folder = repository().join(&document.path).parent().expect("a file lies in a folder").to_owned();
        for link in between(&document.text, "](", ')') {
            let target = link.split('#').next().unwrap_or_default();
            let outside = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !outside && !folder.join(target).exists() {
                offences.push(format!("{} links to {target}", document.path.display()));
            }
        }
    }
    assert_none("every relative link leads to a file", &offences);
}

#[test]
fn the_page_of_risks_has_the_notice_that_is_acknowledged() {
    let page = fs::read_to_string(repository().join("docs/explanation/account-risks.md")).expect("it is there");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let points = RISK_NOTICE.points.iter().map(|point| format!("**{}.** {}", point.title, point.text));
    let missing: Vec<_> = points.filter(|point| !page.contains(point)).collect();
    assert_none("the page has every point of the notice", &missing);
    assert!(page.contains(&format!("It is version {}.", RISK_NOTICE.version)));
}

const PAGES_OF_INVARIANTS: [&str; 2] = ["docs/reference/invariants-of-trading.md", "docs/reference/invariants.md"];

/// A section of these pages is an invariant. It ends with `Held by` and the tests, or the settings of a tool, that hold it.
#[test]
fn every_invariant_is_held_by_what_exists() {
    let read = |page: &str| fs::read_to_string(repository().join(page)).expect("it is there");
    let pages = PAGES_OF_INVARIANTS.map(read);
    let invariants: Vec<&str> = pages.iter().flat_map(|page| page.split("\n## ").skip(1)).collect();
    assert!(!invariants.is_empty(), "{PAGES_OF_INVARIANTS:?} have no invariants");
    let sources: String = rust_files().into_iter().map(|file| file.text).collect();
    let mut offences = Vec::new();
    for invariant in invariants {
        let title = invariant.lines().next().unwrap_or_default();
        let (_, held_by) = invariant.split_once("Held by").unwrap_or_default();
        if !held_by.contains('`') {
            offences.push(format!("{title}: names nothing that holds it"));
        }
        let missing = between_ticks(held_by).filter(|name| !exists(name, &sources));
        offences.extend(missing.map(|name| format!("{title}: there is no {name}")));
    }
    assert_none("every invariant is held by something that fails", &offences);
}

/// The most files of the engine that a new reader opens to follow a purchase.
const FILES_OF_A_PURCHASE: usize = 12;

#[test]
fn a_purchase_is_followed_through_twelve_files_of_the_engine_at_most() {
    let page = fs::read_to_string(repository().join("docs/explanation/purchase-through-the-engine.md"));
    let page = page.expect("it is there");
    let table = page.split("\n\n").nth(2).expect("the table follows the introduction");
    let files: Vec<&str> = between(table, "\n| `", '`').collect();
    assert!(!files.is_empty() && files.len() <= FILES_OF_A_PURCHASE, "{files:?}");
    let engine = repository().join("crates/engine/src");
    let missing = files.iter().filter(|file| !engine.join(file).is_file());
    assert_none("files of the engine that are missing", &missing.map(|file| (*file).to_owned()).collect::<Vec<_>>());
}

/// A test or a lint by its name, or a file of settings.
fn exists(name: &str, sources: &str) -> bool {
    let is_file = name.ends_with(".toml") && repository().join(name).exists();
    // Some tests are made by a macro, which is given their names.
    let is_test = sources.contains(&format!("fn {name}(")) || sources.contains(&format!("    {name}: "));
    is_file || is_test || is_denied_lint(name)
}

fn is_denied_lint(name: &str) -> bool {
    let manifest = fs::read_to_string(repository().join("Cargo.toml")).expect("it is there");
    manifest.lines().any(|line| line == format!("{name} = \"deny\""))
}

fn between_ticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The text above the tables of `docs/reference/errors.md` is written by hand; the tables are generated from [`Reason`].
#[test]
#[expect(clippy::disallowed_methods, reason = "snapshots are kept by the same variable")]
fn the_tables_of_errors_are_the_ones_that_the_reasons_make() {
    let path = repository().join("docs/reference/errors.md");
    let page = fs::read_to_string(&path).expect("it is there");
    let (introduction, _) = page.split_once("\n## ").expect("it has sections");
    let made = format!("{introduction}{}", tables_of_reasons());
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        fs::write(&path, &made).expect("it can be written");
    }
    assert!(
        page == made,
        "docs/reference/errors.md is not what the reasons make: run this test with INSTA_UPDATE=always"
    );
}

/// A reason that no code gives would be documented for nothing.
#[test]
fn every_reason_is_given_by_some_code() {
    let is_source = |file: &TextFile| {
        SOURCES_OF_REASONS.iter().any(|source| file.is_in(source))
            && !file.is_in("crates/operations/src/error/reason.rs")
    };
    let sources: Vec<TextFile> = rust_files().into_iter().filter(is_source).collect();
    let given: BTreeSet<&str> = sources
        .iter()
        .flat_map(|file| file.code())
        .flat_map(|(_, line)| line.split("Reason::").skip(1))
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next())
        .collect();
    let all = Reason::SECTIONS.iter().flat_map(|(_, reasons)| reasons.iter());
    let missing: Vec<String> =
        all.map(|reason| format!("{reason:?}")).filter(|name| !given.contains(name.as_str())).collect();
    assert_none("reasons that nothing gives", &missing);
}

const SOURCES_OF_REASONS: [&str; 2] = ["crates/operations/src", "crates/adapters-connect/src"];

fn tables_of_reasons() -> String {
    let sections = Reason::SECTIONS.iter().map(|(section, reasons)| {
        let rows: String = reasons.iter().map(|reason| row_of_reason(*reason)).collect();
        format!("\n## {section}\n\n| reason | code | meaning, or what to do |\n|---|---|---|\n{rows}")
    });
    sections.collect()
}

fn row_of_reason(reason: Reason) -> String {
    let codes = reason.codes().split(", ").map(|code| match code.split_once(' ') {
        Some((code, rest)) => format!("`{code}` {rest}"),
        None => format!("`{code}`"),
    });
    format!("| `{reason}` | {} | {} |\n", codes.collect::<Vec<_>>().join(", "), reason.help().trim())
}

#[test]
fn the_types_of_audit_events_are_the_ones_that_are_documented() {
    let page = fs::read_to_string(repository().join("docs/reference/audit-events.md")).expect("it is there");
    let (_, types) = page.split_once("\n|---").expect("it has the table");
    let documented: BTreeSet<&str> = between_ticks(types).collect();
    assert_eq!(documented, AuditKind::ALL.iter().map(|kind| kind.as_str()).collect());
}

#[test]
fn the_rules_of_evaluations_are_the_ones_that_are_documented() {
    let page = fs::read_to_string(repository().join("docs/reference/rules.md")).expect("it is there");
    let documented: Vec<&str> = between(&page, "\n| `", '`').collect();
    assert_eq!(documented, Rule::ALL.iter().map(|rule| rule.as_str()).collect::<Vec<_>>());
}

#[test]
fn the_reasons_for_having_no_value_are_the_ones_that_are_documented() {
    let page = fs::read_to_string(repository().join("docs/explanation/pricing.md")).expect("it is there");
    let why = between(&page, "why is one of", '.').next().expect("it tells them");
    let documented: Vec<&str> = between_ticks(why).collect();
    assert_eq!(documented, Unpriced::ALL.iter().map(|why| why.as_str()).collect::<Vec<_>>());
}

/// The table has a row for each step that the machine takes, and no other.
#[test]
fn the_steps_of_trading_accounts_are_the_ones_that_are_documented() {
    let page = fs::read_to_string(repository().join("docs/reference/trading-accounts.md")).expect("it is there");
    let (_, table) = page.split_once("## Account status").expect("it has the table");
    let table = table.split("\n## ").next().unwrap_or_default();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let documented: BTreeSet<(Vec<&str>, &str, &str)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            let of = |cell: usize| between_ticks(cells[cell]).next().expect("a word");
            (between_ticks(cells[2]).collect(), of(1), of(3))
        })
        .collect();
    let lock = AccountLock { reason: LockReason::TradeHold, until: Samples::seeded(1).good_health().seen_at };
    let events = [
        AccountEvent::SigningIn,
        AccountEvent::SignedIn,
        AccountEvent::Disturbed,
        AccountEvent::Recovered,
        AccountEvent::SessionLost,
        AccountEvent::Restricted(lock),
        AccountEvent::RestrictionEnded,
        AccountEvent::Disabled,
        AccountEvent::Enabled,
        AccountEvent::Banned,
        AccountEvent::Removed(OpenAccountWork::default()),
    ];
    let steps = events.iter().map(|event| {
        let from: Vec<_> = AccountStatus::ALL.iter().filter(|from| from.after(*event).is_some()).collect();
        let to = from.iter().find_map(|from| from.after(*event)).expect("it leads somewhere");
        (from.into_iter().map(|from| from.as_str()).collect(), event.name(), to.as_str())
    });
    assert_eq!(documented, steps.collect());
    let (_, checks) = page.split_once("## When an account is ready").expect("it has the table");
    let checks = checks.split("\n## ").next().unwrap_or_default();
    let documented: Vec<&str> = between(checks, "\n| `", '`').collect();
    assert_eq!(documented, CheckCode::ALL.iter().map(|check| check.as_str()).collect::<Vec<_>>());
}

/// The table has a row for each status that a step leads to.
#[test]
fn the_steps_of_trade_offers_are_the_ones_that_are_documented() {
    let page = fs::read_to_string(repository().join("docs/reference/trade-offers.md")).expect("it is there");
    let (_, table) = page.split_once("## Trade offers").expect("it has the table");
    let table = table.split("\nThese are the commands").next().unwrap_or_default();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let documented: Vec<(Vec<&str>, &str, &str)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            let of = |cell: usize| between_ticks(cells[cell]).next().expect("a word");
            (between_ticks(cells[2]).collect(), of(1), of(3))
        })
        .collect();
    let steps = TradeOfferStatus::ALL.iter().map(|to| {
        let from = TradeOfferStatus::ALL.iter().filter(|from| from.leads_to(*to));
        (from.map(|from| from.as_str()).collect::<Vec<_>>(), to.step(), to.as_str())
    });
    assert_eq!(documented, steps.filter(|(from, ..)| !from.is_empty()).collect::<Vec<_>>());
}

/// The table has a row for each kind, with what holds of it.
#[test]
fn the_kinds_of_remediations_are_the_ones_that_are_documented() {
    let page = fs::read_to_string(repository().join("docs/reference/remediations.md")).expect("it is there");
    let (_, table) = page.split_once("\n| kind |").expect("it has the table");
    let rows = table.split("\n\n").next().expect("it ends").lines().skip(2);
    let documented: BTreeSet<Vec<&str>> =
        rows.map(|row| between_ticks(row).filter(|word| *word != "UNCERTAIN").collect()).collect();
    let kinds = RemediationKind::ALL.iter().map(|kind| {
        let facts = [kind.as_str(), kind.severity().as_str(), kind.first_status().as_str()];
        facts.into_iter().chain(kind.actions().iter().map(|action| action.as_str())).collect::<Vec<_>>()
    });
    assert_eq!(documented, kinds.collect());
}

#[test]
fn what_each_step_books_is_what_is_documented() {
    let page = fs::read_to_string(repository().join("docs/reference/ledger.md")).expect("it is there");
    let (_, table) = page.split_once("## What each step books").expect("it has the table");
    let rows = table.split_once("\n\nProfit").expect("it ends").0.lines().filter(|line| line.starts_with("| `"));
    let documented: Vec<(&str, BTreeSet<&str>, BTreeSet<&str>)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            (
                between_ticks(cells[1]).next().unwrap(),
                between_ticks(cells[3]).collect(),
                between_ticks(cells[4]).collect(),
            )
        })
        .collect();
    let booked = every_posting();
    let side = |amounts: &Balanced, sign: i64| -> BTreeSet<&'static str> {
        amounts.legs().filter(|(_, cents)| cents.get().signum() == sign).map(|(account, _)| account.as_str()).collect()
    };
    let found: Vec<_> =
        booked.iter().map(|(posting, amounts)| (posting.as_str(), side(amounts, -1), side(amounts, 1))).collect();
    assert_eq!(documented, found);
    let accounts: Vec<&str> = between(page.split_once("## Accounts").expect("it has the chapter").1, "\n| `", '`')
        .take(Account::ALL.len())
        .collect();
    assert_eq!(accounts, Account::ALL.iter().map(|account| account.as_str()).collect::<Vec<_>>());
}

/// What each posting moves in the lives of samples, in the order of the list.
fn every_posting() -> Vec<(Posting, Balanced)> {
    use PurchaseStatus as Is;
    let samples = Samples::seeded(1);
    let purchase = |status| samples.purchase(samples.id(), samples.id(), status);
    let pool = samples.pool(samples.id());
    let steps = [
        (None, Is::Pending),
        (Some(Is::Pending), Is::Cancelled),
        (Some(Is::Submitted), Is::Paid),
        (Some(Is::Paid), Is::RefundPending),
        (Some(Is::RefundPending), Is::Refunded),
        (Some(Is::Offered), Is::Traded),
        (Some(Is::Traded), Is::Reverted),
        (Some(Is::RefundPending), Is::WrittenOff),
    ];
    let of_purchases =
        steps.map(|(from, to)| of_purchase(from.map(purchase).as_ref(), &purchase(to)).unwrap().unwrap());
    let traded = purchase(Is::Traded);
    let item = |status| samples.item_in(&traded, status).0;
    let moves = [
        (ItemStatus::Delivering, ItemStatus::Sold),
        (ItemStatus::Sold, ItemStatus::InInventory),
        (ItemStatus::Sold, ItemStatus::Settled),
        (ItemStatus::Missing, ItemStatus::WrittenOff),
    ];
    let of_items = moves.into_iter().flat_map(|(from, to)| of_item(&item(from), &item(to), &traded).unwrap());
    let (five, paid) = (SignedCents::new(5).unwrap(), Cents::new(5).unwrap());
    let owed = Balanced::moved(Account::RealisedPnl, Account::Receivable, five).unwrap();
    let (_, adjusted) = pool.clone().adjust(five, pool.created_at).unwrap();
    let (_, paid_out) = pool.book(&owed, traded.created_at).unwrap().0.pay_out(paid, traded.created_at).unwrap();
    let booked = of_purchases.into_iter().chain(of_items).map(|booking| (booking.posting, booking.amounts));
    let records = samples.imported_item(samples.id(), Some(1_000));
    let put_in = of_import(&records.item, &records.purchase).unwrap().unwrap().amounts;
    let by_hand = [(Posting::FundsAdjusted, adjusted), (Posting::PaidOut, paid_out), (Posting::Imported, put_in)];
    booked.chain(by_hand).collect()
}
