//! Mobile confirmations: their list is that of the world, and is read only with the identity secret of the account.

use tradepost_fakes::Fault;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Confirmation, ConfirmationHandle, GamePlatform as _, PlatformRefusal};

use crate::calls::{Read, Reads};
use crate::traders::Traders;

/// Another secret than the account has.
const WRONG_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";

/// A confirmation without what an answer names, which the world does not ask for.
fn without_handle(shown: Vec<Confirmation>) -> Vec<Confirmation> {
    let without = |confirmation| Confirmation { handle: ConfirmationHandle::default(), ..confirmation };
    shown.into_iter().map(without).collect()
}

/// The calls of the routes that are called for a list.
fn calls(traders: &Traders) -> [usize; 2] {
    [Read::Time, Read::Confirmations].map(|read| traders.scene.facades.calls(read.route()))
}

#[tokio::test]
async fn the_confirmations_that_wait_are_those_of_the_world() {
    let traders = Traders::new().await;
    let (ada, bob) = (traders.ada(), traders.bob());
    traders.share_identity_secret(ada);
    assert_eq!(traders.platform.confirmations(ada.user).await, Ok(Vec::new()));
    let offers = [traders.waiting(ada, bob).await.id, traders.waiting(ada, bob).await.id];
    let read = traders.platform.confirmations(ada.user).await.unwrap();
    let expected = traders.world.confirmations(ada.user).await.unwrap();
    assert_eq!(read.len(), 2);
    assert_eq!(without_handle(read.clone()), without_handle(expected));
    assert!(offers.iter().all(|offer| read.iter().any(|confirmation| confirmation.is_about_offer(offer))));
    assert!(read.iter().all(|confirmation| !confirmation.handle.0.is_empty()), "an answer could name each");
    traders.world.cancel(ada.user, &offers[0]).await.unwrap();
    let left = traders.platform.confirmations(ada.user).await.unwrap();
    assert_eq!(left.iter().map(|confirmation| &confirmation.id).collect::<Vec<_>>(), [&read[1].id]);
}

#[tokio::test]
async fn a_list_is_asked_for_with_the_time_of_steam_and_changes_nothing() {
    let reads = Reads::new().await;
    let before = reads.traders.world.confirmations(reads.user()).await;
    reads.read(Read::Confirmations).await.unwrap();
    let ledger = reads.traders.scene.facades.fakes.ledger();
    let asked = ledger.iter().find(|entry| entry.route == Read::Confirmations.route()).unwrap();
    let now = reads.traders.scene.facades.fakes.now().as_micros() / 1_000_000;
    let names: Vec<&str> = asked.query.split('&').filter_map(|pair| Some(pair.split_once('=')?.0)).collect();
    assert_eq!(names, ["p", "a", "k", "t", "m", "tag"]);
    let rest = format!("&t={now}&m=react&tag=conf");
    assert!(asked.query.starts_with("p=android") && asked.query.ends_with(&rest), "{}", asked.query);
    assert!(asked.query.contains(&format!("&a={}&", reads.user())), "{}", asked.query);
    assert_eq!(reads.traders.world.confirmations(reads.user()).await, before);
}

#[tokio::test]
async fn no_list_is_asked_for_an_account_whose_identity_secret_is_not_stored_and_the_time_once() {
    let traders = Traders::new().await;
    traders.share_identity_secret(traders.ada());
    let bob = traders.bob();
    for _ in 0..3 {
        let refused = traders.platform.confirmations(bob.user).await;
        let Err(ExternalError::Rejected(PlatformRefusal::NotDone(text))) = refused else { panic!("{refused:?}") };
        assert_eq!(text, "the identity secret of the account is not stored: confirmations are not read");
        assert_eq!(calls(&traders), [1, 0], "the time is not read in vain again");
    }
    traders.platform.confirmations(traders.ada().user).await.unwrap();
    assert_eq!(calls(&traders), [2, 1]);
    traders.share_identity_secret(bob);
    assert_eq!(traders.platform.confirmations(bob.user).await, Ok(Vec::new()), "a secret counts at once");
}

#[tokio::test]
async fn the_vault_makes_one_key_for_a_list() {
    let traders = Traders::new().await;
    traders.share_identity_secret(traders.ada());
    for count in 1..=3 {
        traders.platform.confirmations(traders.ada().user).await.unwrap();
        assert_eq!(traders.vault.asked_lists(), count);
    }
}

#[tokio::test]
async fn a_wrong_identity_secret_proves_nothing_and_the_right_one_works_after_it() {
    let reads = Reads::new().await;
    let (traders, user) = (&reads.traders, reads.user());
    traders.vault.keep_identity_secret(user, WRONG_SECRET);
    let failed = traders.platform.confirmations(user).await;
    let Err(ExternalError::Unknown(text)) = failed else { panic!("{failed:?}") };
    assert_eq!(text, "it lists no confirmations: it is unwell, or the identity secret is wrong");
    traders.share_identity_secret(traders.ada());
    assert_eq!(traders.platform.confirmations(user).await.map(|all| all.len()), Ok(1));
}

#[tokio::test]
async fn no_list_is_asked_for_while_the_time_of_steam_is_not_known() {
    let reads = Reads::new().await;
    reads.traders.scene.facades.arm(Read::Time.route(), Fault::F05 { status: 503 });
    let failed = reads.traders.platform.confirmations(reads.user()).await;
    assert_eq!(failed, Err(ExternalError::Unknown("it answered 503".to_owned())));
    assert_eq!(calls(&reads.traders), [1, 0]);
    assert!(reads.read(Read::Confirmations).await.is_ok());
}

#[tokio::test]
async fn ids_in_other_types_and_fields_that_no_one_has_seen_change_no_confirmation() {
    let reads = Reads::new().await;
    let (platform, user) = (&reads.traders.platform, reads.user());
    let usual = platform.confirmations(user).await.unwrap();
    for fault in [Fault::F18, Fault::F32] {
        reads.traders.scene.facades.arm(Read::Confirmations.route(), fault.clone());
        // What an answer names is compared too, which the texts of other tests do not show.
        assert_eq!(platform.confirmations(user).await.as_ref(), Ok(&usual), "{fault:?}");
    }
}

#[tokio::test]
async fn an_error_a_page_and_a_refusal_in_place_of_the_list_prove_nothing() {
    let reads = Reads::new().await;
    let (platform, user) = (&reads.traders.platform, reads.user());
    for fault in
        [Fault::F05 { status: 500 }, Fault::F06, Fault::F11 { message: "strange words".to_owned() }, Fault::Drift]
    {
        reads.traders.scene.facades.arm(Read::Confirmations.route(), fault.clone());
        let failed = platform.confirmations(user).await;
        let Err(ExternalError::Unknown(text)) = failed else { panic!("{fault:?}: {failed:?}") };
        assert!(!text.contains("strange words"), "{text}");
        assert!(platform.confirmations(user).await.is_ok(), "the next list is read after {fault:?}");
    }
}
