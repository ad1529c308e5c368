//! An attacker who can write to the database but has no root secret cannot change what was done: every tampering with the audit log
//! of a workspace is found.

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend};
use serde_json::{Value, json};

use crate::harness::{Key, World, on_both_databases};

const TAMPERINGS: u64 = 1_000;
const UPDATES: usize = 30;
/// What an attacker with the database does away with first.
const TRIGGERS: [(&str, &[&str]); 3] = [
    ("audit_events", &["audit_events_are_never_updated", "audit_events_are_never_deleted", "audit_events_wait"]),
    ("audit_chain", &["audit_chain_is_never_updated", "audit_chain_is_never_deleted", "audit_chain_ends_the_wait"]),
    ("audit_began", &["audit_began_is_never_updated"]),
];
const TABLES: [&str; 4] = ["audit_events", "audit_chain", "audit_heads", "audit_waiting"];

on_both_databases! {
    long on_postgresql;

    async fn a_thousand_tamperings_with_the_audit_log_are_all_found(database) {
        let world = World::new(database).await;
        let attacker = Attacker::of(&world).await;
        attacker.drop_triggers().await;
        // The clock of the world shows a year before this test, and so before the log began.
        attacker.execute("UPDATE audit_began SET at = 0").await;
        assert_eq!(verified(&world).await["ok"], json!(true));
        let (mut dice, mut tried) = (Dice(0x5eed), [0_u64; KINDS]);
        while tried.iter().sum::<u64>() < TAMPERINGS {
            let kind = dice.below(KINDS as u64) as usize;
            let statements = attacker.tampering(kind, &mut dice);
            // What changes nothing, such as a swap of an event with itself, is none.
            if attacker.carry_out(&statements).await == 0 {
                continue;
            }
            tried[kind] += 1;
            let found = verified(&world).await;
            assert_eq!(found["ok"], json!(false), "not found: {statements:?}");
            assert!(found["firstBadSequence"].as_str().unwrap().parse::<i64>().unwrap() >= 1, "{found}");
            attacker.undo().await;
        }
        assert_eq!(verified(&world).await["ok"], json!(true));
        println!("{TAMPERINGS} tamperings, by kind {tried:?}, all found in a log of {} events", attacker.events);
    }

    async fn an_event_that_was_slipped_in_is_found_once_it_is_chained(database) {
        let world = World::new(database).await;
        let attacker = Attacker::of(&world).await;
        let copied = attacker.copy_of_event(1, "waits");
        assert_eq!(attacker.carry_out(&[copied]).await, 1);
        world.chained().await;
        let found = verified(&world).await;
        assert_eq!((&found["ok"], &found["waiting"]), (&json!(false), &json!("0")), "{found}");
        assert_eq!(found["firstBadSequence"], json!((attacker.events + 1).to_string()));
    }
}

async fn verified(world: &World) -> Value {
    let request = json!({ "workspaceId": world.people.workspace_id.to_string() });
    world.call(Key::Full, "VerifyAuditChain", &request).await.ok()
}

const KINDS: usize = 11;

/// An attacker with a connection to the database.
struct Attacker {
    connection: DatabaseConnection,
    /// The workspace's log, as a literal.
    log: String,
    /// How many events it has, all of them chained.
    events: u64,
}

impl Attacker {
    async fn of(world: &World) -> Self {
        for number in 0..UPDATES {
            let request =
                json!({ "workspaceId": world.people.workspace_id.to_string(), "name": format!("Desk {number}") });
            world.call(Key::Full, "UpdateWorkspace", &request).await.ok();
        }
        world.chained().await;
        let sequence = verified(world).await["head"]["sequence"].as_str().unwrap().parse().unwrap();
        let connection = world.place.connect().await;
        let mut attacker = Self { connection, log: String::new(), events: sequence };
        attacker.log = attacker.id(world.people.workspace_id.to_bytes());
        for table in TABLES {
            attacker.execute(&format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}")).await;
        }
        attacker
    }

    fn is_sqlite(&self) -> bool {
        self.connection.get_database_backend() == DbBackend::Sqlite
    }

    async fn drop_triggers(&self) {
        for (table, triggers) in TRIGGERS {
            if self.is_sqlite() {
                for trigger in triggers {
                    self.execute(&format!("DROP TRIGGER {trigger}")).await;
                }
            } else {
                self.execute(&format!("ALTER TABLE {table} DISABLE TRIGGER USER")).await;
            }
        }
    }

    async fn execute(&self, statement: &str) -> u64 {
        let done = self.connection.execute_unprepared(statement).await;
        done.unwrap_or_else(|error| panic!("{statement}: {error}")).rows_affected()
    }

    /// How many rows were changed.
    async fn carry_out(&self, statements: &[String]) -> u64 {
        let mut changed = 0;
        for statement in statements {
            changed += self.execute(statement).await;
        }
        changed
    }

    async fn undo(&self) {
        for table in TABLES {
            self.execute(&format!("DELETE FROM {table}")).await;
            self.execute(&format!("INSERT INTO {table} SELECT * FROM kept_{table}")).await;
        }
    }

    fn id(&self, bytes: [u8; 16]) -> String {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        if self.is_sqlite() { format!("X'{hex}'") } else { format!("'{hex}'::uuid") }
    }

    fn bytes(&self, bytes: &[u8]) -> String {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        if self.is_sqlite() { format!("X'{hex}'") } else { format!("'\\x{hex}'::bytea") }
    }

    /// An id of no event, the same for the same name.
    fn fresh_id(&self, name: &str) -> String {
        let mut bytes = [0xab; 16];
        bytes.iter_mut().zip(name.bytes()).for_each(|(byte, letter)| *byte = letter);
        self.id(bytes)
    }

    /// The id of the event at a place of the chain.
    fn event_at(&self, sequence: u64) -> String {
        format!("(SELECT event_id FROM kept_audit_chain WHERE log_id = {} AND sequence = {sequence})", self.log)
    }

    /// A genuine event under another id.
    fn copy_of_event(&self, sequence: u64, name: &str) -> String {
        const COPIED: &str =
            "home, kind, actor_kind, actor_user_id, actor_key_id, subject_kind, subject_id, client, details, at, mac";
        format!(
            "INSERT INTO audit_events (log_id, id, {COPIED}) SELECT log_id, {}, {COPIED} FROM kept_audit_events \
             WHERE log_id = {} AND id = {}",
            self.fresh_id(name),
            self.log,
            self.event_at(sequence)
        )
    }

    /// One of the things that can be done to a log.
    fn tampering(&self, kind: usize, dice: &mut Dice) -> Vec<String> {
        let (log, at) = (&self.log, 1 + dice.below(self.events));
        let event = self.event_at(at);
        let of_event = format!("WHERE log_id = {log} AND id = {event}");
        match kind {
            0 => vec![format!("UPDATE audit_events SET {} {of_event}", self.edit(dice))],
            1 => vec![format!("DELETE FROM audit_events {of_event}")],
            2 => vec![format!("DELETE FROM audit_chain WHERE log_id = {log} AND sequence = {at}")],
            3 => self.take_out(at),
            4 => self.swap_events(at, 1 + dice.below(self.events)),
            5 => self.swap_links(at, 1 + dice.below(self.events)),
            6 => self.truncate(at - 1, false),
            7 => self.truncate(at - 1, true),
            8 => vec![self.copy_of_event(at, "slipped in")],
            9 => self.append(at, dice),
            _ => vec![format!("UPDATE audit_heads SET {} WHERE log_id = {log}", self.edit_of_head(dice))],
        }
    }

    fn edit(&self, dice: &mut Dice) -> String {
        let id = self.id(dice.bytes());
        match dice.below(8) {
            0 => "kind = CASE kind WHEN 'workspace.updated' THEN 'workspace.restored' ELSE 'workspace.updated' END"
                .to_owned(),
            1 => format!("actor_kind = 1, actor_user_id = {id}, actor_key_id = NULL"),
            2 => format!("actor_kind = 2, actor_user_id = {id}, actor_key_id = {id}"),
            3 => format!("subject_kind = 2, subject_id = {id}"),
            4 => "client = CASE client WHEN '192.0.2.1' THEN '192.0.2.2' ELSE '192.0.2.1' END".to_owned(),
            5 => "details = '[[\"cause\",\"nothing\"]]'".to_owned(),
            6 => format!("at = at + {}", 1 + dice.below(1_000_000)),
            _ => format!("mac = {}", self.bytes(&[dice.bytes(), dice.bytes()].concat())),
        }
    }

    fn edit_of_head(&self, dice: &mut Dice) -> String {
        let hash = self.bytes(&[dice.bytes(), dice.bytes()].concat());
        match dice.below(3) {
            0 => format!("sequence = {}", self.events + 1 + dice.below(5)),
            1 => format!("hash = {hash}"),
            _ => format!("mac = {hash}"),
        }
    }

    /// Takes an event out of the middle and closes the gap.
    fn take_out(&self, at: u64) -> Vec<String> {
        let log = &self.log;
        vec![
            format!("DELETE FROM audit_events WHERE log_id = {log} AND id = {}", self.event_at(at)),
            format!("DELETE FROM audit_chain WHERE log_id = {log} AND sequence = {at}"),
            // Twice, so that no two links have the same place in between.
            format!("UPDATE audit_chain SET sequence = sequence + 100000 WHERE log_id = {log} AND sequence > {at}"),
            format!("UPDATE audit_chain SET sequence = sequence - 100001 WHERE log_id = {log} AND sequence > 100000"),
            format!("UPDATE audit_heads SET sequence = sequence - 1 WHERE log_id = {log}"),
        ]
    }

    /// Swaps the contents of two events.
    fn swap_events(&self, one: u64, other: u64) -> Vec<String> {
        if one == other {
            return Vec::new();
        }
        let take = |place: u64, from: u64| {
            let copied =
                ["kind", "actor_kind", "actor_user_id", "actor_key_id", "subject_kind", "subject_id", "at", "mac"];
            let of = |column: &str| {
                let log = &self.log;
                format!(
                    "{column} = (SELECT {column} FROM kept_audit_events WHERE log_id = {log} AND id = {})",
                    self.event_at(from)
                )
            };
            let columns = copied.map(of).join(", ");
            format!("UPDATE audit_events SET {columns} WHERE log_id = {} AND id = {}", self.log, self.event_at(place))
        };
        vec![take(one, other), take(other, one)]
    }

    /// Lets two links name the event of the other one.
    fn swap_links(&self, one: u64, other: u64) -> Vec<String> {
        if one == other {
            return Vec::new();
        }
        let log = &self.log;
        let name = |at: u64, event: String| {
            format!("UPDATE audit_chain SET event_id = {event} WHERE log_id = {log} AND sequence = {at}")
        };
        let nothing = self.fresh_id("in between");
        vec![name(one, nothing), name(other, self.event_at(one)), name(one, self.event_at(other))]
    }

    /// Cuts the log back to so many events, and moves the head there if asked to.
    fn truncate(&self, left: u64, with_head: bool) -> Vec<String> {
        let log = &self.log;
        let cut = format!("SELECT event_id FROM kept_audit_chain WHERE log_id = {log} AND sequence > {left}");
        let mut statements = vec![
            format!("DELETE FROM audit_events WHERE log_id = {log} AND id IN ({cut})"),
            format!("DELETE FROM audit_chain WHERE log_id = {log} AND sequence > {left}"),
        ];
        let last = format!("SELECT hash FROM kept_audit_chain WHERE log_id = {log} AND sequence = {left}");
        match (with_head, left) {
            (false, _) => {}
            (true, 0) => statements.push(format!("DELETE FROM audit_heads WHERE log_id = {log}")),
            (true, _) => statements
                .push(format!("UPDATE audit_heads SET sequence = {left}, hash = ({last}) WHERE log_id = {log}")),
        }
        statements
    }

    /// Puts a further event at the end, with a link and a head that name it.
    fn append(&self, like: u64, dice: &mut Dice) -> Vec<String> {
        let (log, event, next) = (&self.log, self.fresh_id("at the end"), self.events + 1);
        let hash = self.bytes(&[dice.bytes(), dice.bytes()].concat());
        vec![
            self.copy_of_event(like, "at the end"),
            format!(
                "INSERT INTO audit_chain (log_id, sequence, event_id, prev_hash, hash) \
                 SELECT log_id, {next}, {event}, hash, {hash} FROM kept_audit_chain WHERE log_id = {log} AND sequence = {}",
                self.events
            ),
            format!("UPDATE audit_heads SET sequence = {next}, hash = {hash} WHERE log_id = {log}"),
        ]
    }
}

/// The same throws in every run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.throw() % bound
    }

    fn bytes(&mut self) -> [u8; 16] {
        (u128::from(self.throw()) << 64 | u128::from(self.throw())).to_be_bytes()
    }
}
