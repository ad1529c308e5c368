//! Promises about second factors and step-up.

use tradepost_domain::accounts::access::{PrincipalId, Prover};
use tradepost_domain::accounts::guesses::Guesser;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::step_up::{Challenge, Factors, Method};
use tradepost_domain::accounts::totp::RecoveryCodes;
use tradepost_domain::accounts::user::User;
use tradepost_ports::store::Store;

use crate::samples::{Samples, Scene, minute};
use crate::store_contract::{insert, revise, value, values};

pub async fn a_user_without_records_has_no_factors(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.user_without_email();
    insert(store, [user.clone().into()]).await.unwrap();
    let none = Factors { email: false, totp: false, passkey: false, recovery_code: false };
    assert_eq!(store.second_factors().find_all(user.id).await.unwrap(), none);
    assert_eq!(store.second_factors().find_all(samples.id()).await.unwrap(), none);
    assert_eq!(value(store.second_factors().find_totp(user.id).await.unwrap()), None);
    assert_eq!(value(store.second_factors().find_totp_enrollment(user.id).await.unwrap()), None);
    assert_eq!(value(store.second_factors().find_recovery_codes(user.id).await.unwrap()), None);
    assert_eq!(value(store.passkeys().find_registration(user.id).await.unwrap()), None);
    assert_eq!(values(store.passkeys().list(user.id).await.unwrap()), []);
}

pub async fn factors_follow_address_app_and_passkey(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    insert(store, [user.clone().into(), samples.user().into()]).await.unwrap();
    let email = Factors { email: true, totp: false, passkey: false, recovery_code: false };
    assert_eq!(store.second_factors().find_all(user.id).await.unwrap(), email);
    insert(store, [samples.totp(user.id).into()]).await.unwrap();
    assert_eq!(store.second_factors().find_all(user.id).await.unwrap(), Factors { totp: true, ..email });
    let copied = Passkey { disabled_at: Some(minute(1)), ..samples.passkey(user.id) };
    insert(store, [copied.into()]).await.unwrap();
    assert!(!store.second_factors().find_all(user.id).await.unwrap().passkey, "a disabled passkey proves nothing");
    insert(store, [samples.passkey(user.id).into()]).await.unwrap();
    assert_eq!(store.second_factors().find_all(user.id).await.unwrap(), Factors { totp: true, passkey: true, ..email });
}

pub async fn recovery_codes_are_a_factor_as_long_as_one_is_left(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let spent = RecoveryCodes { digests: vec![], ..samples.recovery_codes(user.id) };
    insert(store, [spent.into()]).await.unwrap();
    assert!(!store.second_factors().find_all(user.id).await.unwrap().recovery_code);
    let spent = store.second_factors().find_recovery_codes(user.id).await.unwrap().unwrap();
    revise(store, spent, |_| samples.recovery_codes(user.id)).await.unwrap();
    assert!(store.second_factors().find_all(user.id).await.unwrap().recovery_code);
}

pub async fn an_app_and_its_enrolment_are_read_back_whole(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let (totp, enrollment) = (samples.totp(user.id), samples.totp_enrollment(user.id));
    insert(store, [totp.clone().into(), enrollment.clone().into()]).await.unwrap();
    assert_eq!(value(store.second_factors().find_totp(user.id).await.unwrap()), Some(totp));
    assert_eq!(value(store.second_factors().find_totp_enrollment(user.id).await.unwrap()), Some(enrollment));
}

pub async fn recovery_codes_are_read_back_whole(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let codes = samples.recovery_codes(user.id);
    insert(store, [codes.clone().into()]).await.unwrap();
    assert_eq!(value(store.second_factors().find_recovery_codes(user.id).await.unwrap()), Some(codes));
}

pub async fn what_was_guessed_is_kept_by_user(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    assert_eq!(value(store.second_factors().find_guesses(user.id).await.unwrap()), None);
    let guesses = samples.guesses(user.id);
    insert(store, [guesses.into(), samples.guesses(samples.id()).into()]).await.unwrap();
    assert_eq!(value(store.second_factors().find_guesses(user.id).await.unwrap()), Some(guesses));
}

pub async fn wrong_codes_are_kept_by_user_and_guesser(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let (key, session) = (PrincipalId::Key(samples.id()), PrincipalId::Session(samples.id()));
    let ([one, keys], [seat, sessions]) = (Guesser::of(key), Guesser::of(session));
    let guessers = [one, keys, seat, sessions];
    let kept = guessers.map(|by| samples.code_guesses(user.id, by));
    insert(store, kept.map(Into::into)).await.unwrap();
    for (by, guesses) in guessers.into_iter().zip(kept) {
        assert_eq!(value(store.second_factors().find_code_guesses(user.id, by).await.unwrap()), Some(guesses));
        assert_eq!(value(store.second_factors().find_code_guesses(samples.id(), by).await.unwrap()), None);
    }
}

pub async fn passkeys_are_listed_by_user_oldest_first(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let other = samples.user();
    let [old, new] = [samples.passkey(user.id), samples.passkey(user.id)];
    let new = Passkey {
        backed_up: false,
        authenticator: None,
        last_used_at: Some(minute(1)),
        disabled_at: Some(minute(2)),
        ..new
    };
    let foreign = samples.passkey(other.id);
    insert(store, [other.into(), new.clone().into(), foreign.into(), old.clone().into()]).await.unwrap();
    assert_eq!(values(store.passkeys().list(user.id).await.unwrap()), [old, new]);
}

pub async fn a_passkey_belongs_to_its_user(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let other = samples.user();
    let passkey = samples.passkey(user.id);
    insert(store, [other.clone().into(), passkey.clone().into()]).await.unwrap();
    assert_eq!(value(store.passkeys().find(other.id, passkey.id).await.unwrap()), None);
    assert_eq!(value(store.passkeys().find(user.id, samples.id()).await.unwrap()), None);
    assert_eq!(value(store.passkeys().find(user.id, passkey.id).await.unwrap()), Some(passkey));
}

pub async fn a_registration_is_read_back_whole(store: &dyn Store) {
    let (samples, user) = user_in(store).await;
    let registration = samples.passkey_registration(user.id);
    insert(store, [registration.clone().into()]).await.unwrap();
    assert_eq!(value(store.passkeys().find_registration(user.id).await.unwrap()), Some(registration));
}

pub async fn a_challenge_belongs_to_its_user(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let other = scene.samples.user();
    let mailed = scene.samples.challenge(scene.prover());
    let asked = Challenge {
        methods: vec![Method::Totp, Method::RecoveryCode],
        code_digest: None,
        passkey_state: Some(r#"{"ast":1}"#.to_owned()),
        ..scene.samples.challenge(scene.prover())
    };
    insert(store, [other.clone().into(), mailed.clone().into(), asked.clone().into()]).await.unwrap();
    for challenge in [mailed, asked] {
        assert_eq!(value(store.step_ups().find_challenge(other.id, challenge.id).await.unwrap()), None);
        assert_eq!(value(store.step_ups().find_challenge(scene.user.id, challenge.id).await.unwrap()), Some(challenge));
    }
    assert_eq!(value(store.step_ups().find_challenge(scene.user.id, scene.samples.id()).await.unwrap()), None);
}

pub async fn challenges_are_listed_by_key_or_session_oldest_first(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let by_session = session_of(&scene);
    let [old, new] = [(); 2].map(|()| scene.samples.challenge(scene.prover()));
    let elsewhere = scene.samples.challenge(by_session);
    insert(store, [new.clone().into(), elsewhere.clone().into(), old.clone().into()]).await.unwrap();
    assert_eq!(values(store.step_ups().list_challenges(scene.prover()).await.unwrap()), [old, new]);
    assert_eq!(values(store.step_ups().list_challenges(by_session).await.unwrap()), [elsewhere]);
    let stranger = Prover { user_id: scene.samples.id(), ..scene.prover() };
    assert_eq!(values(store.step_ups().list_challenges(stranger).await.unwrap()), []);
}

pub async fn a_grant_belongs_to_its_key_or_session(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let other_key = Prover { id: PrincipalId::Key(scene.samples.id()), ..scene.prover() };
    let by_session = session_of(&scene);
    let [by_key, by_session_too] = [scene.prover(), by_session].map(|prover| scene.samples.grant(prover));
    insert(store, [by_key.clone().into(), by_session_too.clone().into()]).await.unwrap();
    assert_eq!(value(store.step_ups().find_grant(scene.prover()).await.unwrap()), Some(by_key));
    assert_eq!(value(store.step_ups().find_grant(by_session).await.unwrap()), Some(by_session_too));
    assert_eq!(value(store.step_ups().find_grant(other_key).await.unwrap()), None);
}

fn session_of(scene: &Scene) -> Prover {
    Prover { id: PrincipalId::Session(scene.samples.id()), ..scene.prover() }
}

async fn user_in(store: &dyn Store) -> (Samples, User) {
    let samples = Samples::seeded(1);
    let user = samples.user();
    insert(store, [user.clone().into()]).await.unwrap();
    (samples, user)
}
