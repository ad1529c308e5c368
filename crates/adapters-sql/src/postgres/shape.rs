//! The shape of a commit's statement, and its text.
//!
//! Each guard and each write is a common table expression. PostgreSQL runs one when the statement reads from it, so the final
//! SELECT asks for them in the order in which rows are locked, and ends the statement, with all it did, at the first that
//! found nothing. Expressions that are not read (entries, counters) run at the end.

use std::fmt::Write as _;

use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_ports::record::Kind;

use crate::exposures;
use crate::ledger_sums::{self, Sums};
use crate::rows::accounts::{audit_event, audit_link};
use crate::rows::contracts::{asset_id_link, evaluation, filter_set_version, ledger_entry};
use crate::rows::transition;
use crate::table::{columns, table};

/// One guard or write, without its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A record that must still be at a version.
    Guard(Kind, Refusal),
    /// A new record.
    Insert(Kind),
    /// A new record at a version.
    InsertAt(Kind),
    /// A new value for a record at a version.
    Update(Kind),
    /// A value that replaces any record at its address.
    Put(Kind),
    /// The end of a record at a version.
    Remove(Kind),
    /// A link at the tip of a chain.
    Append {
        /// Its source, which decides what must hold.
        source: Source,
        /// Whether it must get a certain step.
        expects_step: bool,
    },
    /// This many links of items that the set writes.
    Links(usize),
    /// This many transitions.
    Transitions(usize),
    /// This many versions of filter sets.
    FilterSetVersions(usize),
    /// This many evaluations.
    Evaluations(usize),
    /// This many entries of the ledger.
    LedgerEntries(usize),
    /// What is at stake by pool and name, however many.
    Exposures,
    /// What days or months of the ledger come to, however many.
    LedgerSums(Sums),
    /// This many events of the audit log.
    AuditEvents(usize),
    /// Links of the audit log's chains, however many.
    AuditLinks,
    /// This many counters.
    Counters(usize),
}

/// What a statement refuses, each with an SQLSTATE of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Refusal {
    /// A record that gave the caller's rights has changed.
    Caller,
    /// Another record has changed.
    Conflict,
    /// The chain does not take the link.
    Link,
    /// The evidence is recorded already.
    Evidence,
}

impl Refusal {
    const ALL: [Self; 4] = [Self::Caller, Self::Conflict, Self::Link, Self::Evidence];

    const fn code(self) -> &'static str {
        match self {
            Self::Caller => "TP001",
            Self::Conflict => "TP002",
            Self::Link => "TP003",
            Self::Evidence => "TP004",
        }
    }

    /// The refusal that an SQLSTATE names.
    pub(super) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|refusal| refusal.code() == code)
    }
}

/// The text of a statement.
pub(super) fn text(shape: &[Part]) -> String {
    let mut text = Text { tables: Vec::new(), checks: String::new(), answers: String::new(), next: 1, appended: 0 };
    for part in shape {
        text.add(*part);
    }
    let Text { tables, checks, answers, .. } = text;
    let checked = if checks.is_empty() { "true".to_owned() } else { format!("CASE{checks} ELSE true END") };
    format!("WITH {} SELECT {checked} AS done{answers}", tables.join(", "))
}

struct Text {
    tables: Vec<String>,
    checks: String,
    answers: String,
    next: usize,
    appended: usize,
}

impl Text {
    fn add(&mut self, part: Part) {
        let first = self.next;
        match part {
            Part::Guard(kind, refusal) => {
                self.next += table(kind).key_width() + 1;
                self.must_find(&format!("{} FOR SHARE", table(kind).guard(first)), refusal);
            }
            Part::Insert(kind) => {
                self.next += table(kind).width();
                self.must_find(&format!("{} RETURNING 1", table(kind).insert(first)), Refusal::Conflict);
            }
            Part::InsertAt(kind) => {
                self.next += table(kind).width() + 1;
                self.must_find(&format!("{} RETURNING 1", table(kind).insert_at(first)), Refusal::Conflict);
            }
            Part::Update(kind) => {
                self.next += table(kind).width() + 1;
                self.must_find(&format!("{} RETURNING 1", table(kind).update(first)), Refusal::Conflict);
            }
            Part::Put(kind) => {
                self.next += table(kind).width();
                self.must_find(&format!("{} RETURNING 1", table(kind).put(first)), Refusal::Conflict);
            }
            Part::Remove(kind) => {
                self.next += table(kind).key_width() + 1;
                self.must_find(&format!("{} RETURNING 1", table(kind).remove(first)), Refusal::Conflict);
            }
            Part::Append { source, expects_step } => self.append(source, expects_step),
            Part::Links(rows) => self.rows("asset_id_links", &columns::<asset_id_link::Entity>(), rows, ""),
            Part::Transitions(rows) => self.rows("transitions", &columns::<transition::Entity>(), rows, ""),
            Part::FilterSetVersions(rows) => {
                self.rows("filter_set_versions", &columns::<filter_set_version::Entity>(), rows, "");
            }
            Part::Evaluations(rows) => self.rows("evaluations", &columns::<evaluation::Entity>(), rows, ""),
            Part::LedgerEntries(rows) => self.rows("ledger_entries", &columns::<ledger_entry::Entity>(), rows, ""),
            Part::Exposures => self.listed(&exposures::add_postgres(self.next)),
            Part::LedgerSums(sums) => self.listed(&ledger_sums::add_postgres(sums, self.next)),
            Part::AuditEvents(rows) => self.rows("audit_events", &columns::<audit_event::Entity>(), rows, ""),
            Part::AuditLinks => self.listed(&audit_link::insert_postgres(self.next)),
            Part::Counters(rows) => self.rows(
                "record_counts",
                &["workspace_id", "kind", "contract_id", "status", "slot", "n"],
                rows,
                " ON CONFLICT (workspace_id, kind, contract_id, status, slot) DO UPDATE SET n = record_counts.n + excluded.n",
            ),
        }
    }

    /// What takes all its rows as one value.
    fn listed(&mut self, insert: &str) {
        self.tables.push(format!("{} AS ({insert})", self.name()));
        self.next += 1;
    }

    fn name(&self) -> String {
        format!("part_{}", self.tables.len())
    }

    fn must_find(&mut self, query: &str, refusal: Refusal) {
        let name = self.name();
        self.refuse_if(&format!("NOT EXISTS (SELECT 1 FROM {name})"), refusal);
        self.tables.push(format!("{name} AS ({query})"));
    }

    fn refuse_if(&mut self, condition: &str, refusal: Refusal) {
        let _ = write!(self.checks, " WHEN {condition} THEN refuse('{}')", refusal.code());
    }

    fn rows(&mut self, table: &str, columns: &[&str], rows: usize, otherwise: &str) {
        let mut tuples = Vec::with_capacity(rows);
        for _ in 0..rows {
            let bound: Vec<String> =
                (self.next..self.next + columns.len()).map(|number| format!("${number}")).collect();
            self.next += columns.len();
            tuples.push(format!("({})", bound.join(", ")));
        }
        let (name, columns, tuples) = (self.name(), columns.join(", "), tuples.join(", "));
        self.tables.push(format!("{name} AS (INSERT INTO {table} ({columns}) VALUES {tuples}{otherwise})"));
    }

    /// Values: workspace, item, id of the link, asset id, source id, time, and the step if one is expected.
    fn append(&mut self, source: Source, expects_step: bool) {
        let first = self.next;
        self.next += if expects_step { 7 } else { 6 };
        let [workspace, item, id, asset, fact, at, step] = [0, 1, 2, 3, 4, 5, 6].map(|offset| first + offset);
        let code = source.code();
        self.refuse_if(
            &format!(
                "EXISTS (SELECT 1 FROM asset_id_links WHERE workspace_id = ${workspace} AND inventory_item_id = ${item} \
                 AND source = {code} AND source_id = ${fact})"
            ),
            Refusal::Evidence,
        );
        let mut legal = legal_tip(source);
        if source.must_change_id() {
            let _ = write!(legal, " AND current_asset_id <> ${asset}");
        }
        if expects_step {
            let _ = write!(legal, " AND last_step + 1 = ${step}");
        }
        let tip = self.name();
        self.tables.push(format!(
            "{tip} AS (UPDATE inventory_items SET replaced_asset_id = current_asset_id, current_asset_id = ${asset}, \
             last_step = last_step + 1, last_source = {code}, chained_at = greatest(chained_at, ${at}), \
             updated_at = greatest(updated_at, ${at}), version = version + 1 \
             WHERE workspace_id = ${workspace} AND id = ${item} AND {legal} \
             RETURNING purchase_id, last_step, replaced_asset_id, chained_at)"
        ));
        let link = self.name();
        self.must_find(
            &format!(
                "INSERT INTO asset_id_links (workspace_id, inventory_item_id, step, id, purchase_id, asset_id, \
                 previous_asset_id, source, source_id, created_at) \
                 SELECT ${workspace}, ${item}, last_step, ${id}, purchase_id, ${asset}, replaced_asset_id, {code}, ${fact}, \
                 chained_at FROM {tip} RETURNING step, purchase_id, previous_asset_id, created_at"
            ),
            Refusal::Link,
        );
        let position = self.appended;
        self.appended += 1;
        for column in ["step", "purchase_id", "previous_asset_id", "created_at"] {
            let _ = write!(self.answers, ", (SELECT {column} FROM {link}) AS {column}_{position}");
        }
    }
}

/// Returns the status that an item needs for a link of this source: the domain's rules as a condition.
fn legal_tip(source: Source) -> String {
    let statuses: Vec<i16> = ItemStatus::unmoved_by(source).iter().map(|status| status.code()).collect();
    let tips: Vec<i16> = source.predecessors().iter().map(|tip| tip.code()).collect();
    let mut legal = format!("{} AND {}", one_of("status", &statuses), one_of("last_source", &tips));
    if source.needs_bought_origin() {
        let _ = write!(legal, " AND first_source = {}", Source::Listing.code());
    }
    legal
}

fn one_of(column: &str, codes: &[i16]) -> String {
    if codes.is_empty() {
        return "false".to_owned();
    }
    let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
    format!("{column} IN ({})", codes.join(", "))
}
