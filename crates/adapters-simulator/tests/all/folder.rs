//! A world in a folder is there again as it was, wherever the process was killed.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;
use time::Duration;
use tradepost_adapters_simulator::{
    Answer, Beginning, FolderError, PersistentSimulator, Request, SimulatedMarketplace, World, WorldCommand,
    WorldFolder, WorldTransport as _,
};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_ports::clock::MarketClock as _;
use tradepost_ports::marketplace::{BuyRequest, ListingQuery, Marketplace as _, Sought, SoughtOrder};

use crate::desk::{CUSTOMER, external};
use crate::story::{Chapter, Story, beginning, chapters, plain};

/// The state after a request was answered: the length of the journal, and the world.
struct Moment {
    written: usize,
    world: String,
}

const SEED: u64 = 7;

fn text(world: &World) -> String {
    serde_json::to_string(world).unwrap()
}

fn open(folder: &Path) -> WorldFolder {
    WorldFolder::open(folder, &beginning(SEED)).unwrap()
}

fn journal(folder: &Path) -> PathBuf {
    let mut files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|extension| extension == "jsonl")).unwrap()
}

fn written(folder: &Path) -> usize {
    fs::read(journal(folder)).unwrap().len()
}

/// Lives a story in a folder, and ends as if killed: nothing is tidied up.
fn live(folder: &Path, chapters: &[Chapter]) -> Vec<Moment> {
    let mut opened = open(folder);
    let mut moments = vec![Moment { written: 0, world: text(opened.world()) }];
    let mut ask = |request: Request| -> Answer {
        let answer = opened.answer(&request).unwrap();
        moments.push(Moment { written: written(folder), world: text(opened.world()) });
        answer
    };
    Story::of(&mut ask).live(chapters);
    moments
}

/// The same folder, with so much of the journal.
fn torn(folder: &Path, length: usize) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    fs::copy(folder.join("world.json"), copy.path().join("world.json")).unwrap();
    let journal = journal(folder);
    let whole = fs::read(&journal).unwrap();
    fs::write(copy.path().join(journal.file_name().unwrap()), &whole[..length]).unwrap();
    copy
}

/// Opens the folder as it was when so much of the journal was written. Gives what is there then, and what must be.
fn reopened(folder: &Path, moments: &[Moment], length: usize) -> (String, String) {
    let copy = torn(folder, length);
    let opened = open(copy.path());
    opened.world().check_books().unwrap();
    let last = moments.iter().rev().find(|moment| moment.written <= length).unwrap();
    assert_eq!(written(copy.path()), last.written, "what was not answered is cut off");
    (text(opened.world()), last.world.clone())
}

#[test]
fn killed_at_any_byte_of_the_journal_the_world_is_as_after_what_was_answered() {
    let place = tempfile::tempdir().unwrap();
    let moments = live(place.path(), &plain());
    assert!(written(place.path()) > 2_000, "the story is long enough");
    for length in 0..=written(place.path()) {
        let (found, answered) = reopened(place.path(), &moments, length);
        assert!(found == answered, "at byte {length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_world_that_was_killed_in_any_story_goes_on_from_an_answer(story in chapters(24), cut in any::<prop::sample::Index>()) {
        let place = tempfile::tempdir()?;
        let moments = live(place.path(), &story);
        let (found, answered) = reopened(place.path(), &moments, cut.index(written(place.path()) + 1));
        prop_assert!(found == answered);
    }

    #[test]
    fn what_is_not_written_changes_nothing(story in chapters(24)) {
        let place = tempfile::tempdir()?;
        let moments = live(place.path(), &story);
        for pair in moments.windows(2) {
            prop_assert!(pair[0].written < pair[1].written || pair[0].world == pair[1].world);
        }
    }

    #[test]
    fn requests_and_answers_are_read_as_they_were_written(seed in any::<u64>(), story in chapters(24)) {
        let mut world = World::new(seed, beginning(seed).settings);
        for deed in beginning(seed).deeds {
            world.answer(&Request::World(deed));
        }
        let mut ask = |request: Request| -> Answer {
            let answer = world.answer(&request);
            let again: Request = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
            assert_eq!(again, request);
            let again: Answer = serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap();
            assert_eq!(again, answer);
            answer
        };
        Story::of(&mut ask).live(&story);
    }
}

#[test]
fn a_snapshot_changes_nothing_and_the_journal_begins_again() {
    let place = tempfile::tempdir().unwrap();
    let last = live(place.path(), &plain()).pop().unwrap();
    let mut opened = open(place.path());
    opened.take_snapshot().unwrap();
    assert_eq!((text(opened.world()), written(place.path())), (last.world.clone(), 0));
    drop(opened);
    assert_eq!(text(open(place.path()).world()), last.world);
    live(place.path(), &plain());
    assert!(written(place.path()) > 0);
}

#[test]
fn killed_while_a_snapshot_was_taken_the_world_is_as_before() {
    let place = tempfile::tempdir().unwrap();
    let last = live(place.path(), &plain()).pop().unwrap();
    fs::write(place.path().join("calls-1.jsonl"), "").unwrap();
    fs::write(place.path().join("world.json.new"), "{\"form\":1,\"se").unwrap();
    assert_eq!(text(open(place.path()).world()), last.world);
    assert!(!place.path().join("calls-1.jsonl").exists());
    assert!(!place.path().join("world.json.new").exists());
}

#[test]
fn killed_after_a_snapshot_was_taken_the_former_journal_is_not_lived_again() {
    let place = tempfile::tempdir().unwrap();
    let last = live(place.path(), &plain()).pop().unwrap();
    let former = journal(place.path());
    let kept = fs::read(&former).unwrap();
    open(place.path()).take_snapshot().unwrap();
    fs::write(&former, kept).unwrap();
    assert_eq!(text(open(place.path()).world()), last.world);
    assert!(!former.exists());
}

#[test]
fn a_time_that_was_reported_is_never_lost() {
    let place = tempfile::tempdir().unwrap();
    let mut opened = open(place.path());
    opened.pass(Duration::hours(3));
    let reported = opened.now().unwrap();
    opened.pass(Duration::hours(1));
    drop(opened);
    assert_eq!(open(place.path()).world().now(), reported);
}

#[test]
fn no_two_have_one_world_open() {
    let place = tempfile::tempdir().unwrap();
    let first = open(place.path());
    let second = WorldFolder::open(place.path(), &beginning(SEED));
    assert!(matches!(second, Err(FolderError::Taken(_))), "{second:?}");
    drop(first);
    open(place.path());
}

#[test]
fn a_world_that_is_there_keeps_its_seed_and_does_not_begin_again() {
    let place = tempfile::tempdir().unwrap();
    let last = live(place.path(), &plain()).pop().unwrap();
    let other = Beginning { seed: SEED + 1, ..beginning(SEED) };
    let opened = WorldFolder::open(place.path(), &other).unwrap();
    assert_eq!((opened.seed(), text(opened.world())), (SEED, last.world));
}

#[test]
fn a_damaged_file_is_named_and_left_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    live(place.path(), &plain());
    let journal = journal(place.path());
    let whole = fs::read_to_string(&journal).unwrap();
    let damaged = whole.replacen("\"call\":\"buy\"", "\"call\":\"bux\"", 1);
    fs::write(&journal, &damaged).unwrap();
    let refused = WorldFolder::open(place.path(), &beginning(SEED)).unwrap_err().to_string();
    assert!(refused.contains("calls-0.jsonl is damaged: line 1: unknown variant `bux`"), "{refused}");
    assert_eq!(fs::read_to_string(&journal).unwrap(), damaged);
}

#[test]
fn a_world_of_another_form_is_not_opened() {
    let place = tempfile::tempdir().unwrap();
    drop(open(place.path()));
    fs::write(place.path().join("world.json"), r#"{"form":2,"worlds":[]}"#).unwrap();
    let refused = WorldFolder::open(place.path(), &beginning(SEED)).unwrap_err().to_string();
    assert!(refused.contains("it has the form 2, and this version reads 1"), "{refused}");
}

#[tokio::test]
async fn who_trades_in_process_in_a_world_that_is_kept_finds_orders_and_time_again() {
    let place = tempfile::tempdir().unwrap();
    let world = PersistentSimulator::new(open(place.path()));
    let accounts = world.ask(Request::World(WorldCommand::Accounts { customer: CUSTOMER.to_owned() })).await.unwrap();
    let accounts = Vec::<TradeAddress>::try_from(accounts).unwrap();
    world.advance(Duration::hours(2)).unwrap();
    let market = SimulatedMarketplace::new(world.clone(), CUSTOMER.to_owned());
    let query = ListingQuery { market_hash_name: None, max_price: None, limit: 1 };
    let listing = market.listings(&query, None).await.unwrap().items.swap_remove(0);
    let request = BuyRequest {
        key: external("first"),
        listing_id: listing.id.clone(),
        max_price: listing.offered.price,
        deliver_to: accounts[0].clone(),
    };
    let bought = market.buy(&request).await.unwrap();
    let (now, balance) = (world.market_now(), market.balance().await.unwrap());
    drop((world, market));

    let world = PersistentSimulator::new(open(place.path()));
    let market = SimulatedMarketplace::new(world.clone(), CUSTOMER.to_owned());
    assert_eq!((world.market_now(), market.balance().await.unwrap()), (now, balance));
    let sought = SoughtOrder::of(&request, &listing, Timestamp::MIN);
    assert_eq!(market.find_order(&sought).await.unwrap(), Sought::Found(bought));
    world.take_snapshot().unwrap();
    assert_eq!(written(place.path()), 0);
}
