//! The workspaces that a caller can enter, and the user as whom a caller acts.

use super::*;
use crate::accounts::api_key::TokenDigest;
use crate::accounts::membership::State;
use crate::accounts::preferences::Preferences;
use crate::accounts::session::Proofs;
use crate::text::Name;

fn holder(rights: &[Policy]) -> KeyHolder {
    KeyHolder {
        key_id: ApiKeyId::from_bytes([1; 16]),
        prefix: "tpk_00000000".to_owned(),
        user_id: UserId::from_bytes([2; 16]),
        workspace_id: WorkspaceId::from_bytes([3; 16]),
        membership_id: MembershipId::from_bytes([4; 16]),
        role: Role::Member,
        is_member: true,
        rights: PolicySet::of(rights),
        networks: Networks::default(),
        expires_at: None,
    }
}

#[test]
fn a_key_enters_no_workspace_but_its_own() {
    let principal = Principal::Key(holder(&[Policy::Analytics]));
    assert!(principal.enter(WorkspaceId::from_bytes([3; 16]), PolicySet::EVERY).is_ok());
    assert_eq!(principal.enter(WorkspaceId::from_bytes([9; 16]), PolicySet::EVERY), Err(Denied.into()));
}

#[test]
fn a_key_without_identity_cannot_act_as_its_owner() {
    assert_eq!(Principal::Key(holder(&[Policy::Workspace])).act_as_user(), Err(Denied));
    assert!(Principal::Key(holder(&[Policy::Identity])).act_as_user().is_ok());
}

fn session(workspaces: &[(u8, &[Policy])]) -> Principal {
    let user_id = UserId::from_bytes([2; 16]);
    let access = |workspace: u8, rights: &[Policy]| WorkspaceAccess {
        user_id,
        workspace_id: WorkspaceId::from_bytes([workspace; 16]),
        membership_id: MembershipId::from_bytes([workspace; 16]),
        role: Role::Member,
        rights: PolicySet::of(rights).or(PolicySet::of(&[Policy::Identity])),
        workspace_deleted: false,
    };
    Principal::Session(SessionHolder {
        session_id: SessionId::from_bytes([5; 16]),
        prefix: "tps_00000000".to_owned(),
        user_id,
        workspaces: workspaces.iter().map(|(workspace, rights)| access(*workspace, rights)).collect(),
        chosen: None,
    })
}

#[test]
fn a_session_enters_each_workspace_of_its_user_with_the_rights_that_it_has_there() {
    let principal = session(&[(3, &[Policy::Trading]), (4, &[Policy::Analytics])]);
    let trading = PolicySet::of(&[Policy::Trading]);
    assert!(principal.enter(WorkspaceId::from_bytes([3; 16]), trading).is_ok());
    assert_eq!(principal.enter(WorkspaceId::from_bytes([4; 16]), trading), Err(Denied.into()));
    assert!(principal.enter_as_member(WorkspaceId::from_bytes([4; 16])).is_ok());
    assert_eq!(principal.enter_as_member(WorkspaceId::from_bytes([9; 16])), Err(Denied.into()));
}

#[test]
fn only_members_see_that_a_workspace_is_deleted_and_only_its_owner_may_enter_to_restore_it() {
    let Principal::Session(mut holder) = session(&[(3, &[Policy::Trading])]) else { panic!("a session") };
    holder.workspaces[0].workspace_deleted = true;
    let workspace = WorkspaceId::from_bytes([3; 16]);
    let member = Principal::Session(holder.clone());
    assert_eq!(member.enter(workspace, PolicySet::EVERY), Err(NoEntry::WorkspaceDeleted));
    assert_eq!(member.enter_as_member(workspace), Err(NoEntry::WorkspaceDeleted));
    assert_eq!(member.enter_as_member(WorkspaceId::from_bytes([9; 16])), Err(Denied.into()));
    assert_eq!(member.enter_deleted(workspace), Err(Denied));
    holder.workspaces[0].role = Role::Owner;
    assert!(Principal::Session(holder).enter_deleted(workspace).is_ok());
}

#[test]
fn a_session_acts_as_its_user_in_person_and_a_key_never_does() {
    let user = UserId::from_bytes([2; 16]);
    assert_eq!((session(&[]).act_as_user(), session(&[]).act_in_person()), (Ok(user), Ok(user)));
    assert_eq!(Principal::Key(holder(&[Policy::Identity])).act_in_person(), Err(Denied));
}

#[test]
fn one_of_several_policies_is_enough() {
    let workspace = WorkspaceId::from_bytes([3; 16]);
    let reading = PolicySet::of(&[Policy::Analytics, Policy::Trading]);
    assert!(Principal::Key(holder(&[Policy::Trading])).enter(workspace, reading).is_ok());
    assert_eq!(Principal::Key(holder(&[Policy::Workspace])).enter(workspace, reading), Err(Denied.into()));
}

#[test]
fn a_caller_is_at_home_in_a_keys_own_workspace_or_the_one_that_a_session_chose() {
    let Principal::Session(open) = session(&[(3, &[])]) else { panic!("a session") };
    let workspace = WorkspaceId::from_bytes([3; 16]);
    assert_eq!(Principal::Key(holder(&[])).home(), Ok(Some(workspace)));
    assert_eq!(Principal::Session(open.clone()).home(), Ok(None));
    assert_eq!(Principal::Session(SessionHolder { chosen: Some(workspace), ..open }).home(), Ok(Some(workspace)));
    assert_eq!(Principal::System.home(), Err(Denied));
}

#[test]
fn a_key_has_its_standing_in_its_own_workspace_alone_and_as_long_as_its_owner_is_a_member() {
    let own = WorkspaceId::from_bytes([3; 16]);
    let key = Principal::Key(holder(&[Policy::Trading]));
    let rights = key.access_to(own).map(|access| (access.workspace_id, access.rights));
    assert_eq!(rights, Ok((own, PolicySet::of(&[Policy::Trading]))));
    assert_eq!(key.access_to(WorkspaceId::from_bytes([9; 16])), Err(Denied.into()));
    let left = Principal::Key(KeyHolder { is_member: false, ..holder(&[Policy::Trading]) });
    assert_eq!(left.access_to(own), Err(Denied.into()));
}

#[test]
fn a_session_may_anywhere_what_it_may_in_one_workspace_or_another() {
    let Principal::Session(holder) = session(&[(3, &[Policy::Trading]), (4, &[Policy::Analytics])]) else {
        panic!("a session")
    };
    let all = PolicySet::of(&[Policy::Trading, Policy::Analytics, Policy::Identity]);
    assert_eq!(holder.rights_anywhere(), all);
}

#[test]
fn within_a_workspace_a_session_has_no_standing_elsewhere() {
    let [here, there] = [3, 4].map(|number| WorkspaceId::from_bytes([number; 16]));
    let within = session(&[(3, &[]), (4, &[])]).within(here);
    assert!(within.access_to(here).is_ok());
    assert_eq!(within.access_to(there), Err(Denied.into()));
}

#[test]
fn who_proves_a_second_factor_and_whose_token_it_is_are_the_callers_own() {
    let user_id = UserId::from_bytes([2; 16]);
    let (key, session) = (Principal::Key(holder(&[])), session(&[]));
    let by_key = Prover { user_id, id: PrincipalId::Key(ApiKeyId::from_bytes([1; 16])) };
    let by_session = Prover { user_id, id: PrincipalId::Session(SessionId::from_bytes([5; 16])) };
    assert_eq!((key.prover(), session.prover(), Principal::System.prover()), (Some(by_key), Some(by_session), None));
    let prefixes = [&key, &session, &Principal::Anonymous].map(Principal::token_prefix);
    assert_eq!(prefixes, [Some("tpk_00000000"), Some("tps_00000000"), None]);
}

const USER: UserId = UserId::from_bytes([2; 16]);
const WORKSPACE: WorkspaceId = WorkspaceId::from_bytes([3; 16]);
const MEMBERSHIP: MembershipId = MembershipId::from_bytes([4; 16]);

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

fn user() -> User {
    User {
        id: USER,
        display_name: Name::new("Ada").unwrap(),
        preferences: Preferences::default(),
        email: None,
        password: None,
        email_changed_at: None,
        disabled: false,
        created_at: at(0),
        updated_at: at(0),
    }
}

fn api_key() -> ApiKey {
    ApiKey {
        id: ApiKeyId::from_bytes([1; 16]),
        workspace_id: WORKSPACE,
        owner_id: USER,
        membership_id: MEMBERSHIP,
        name: Name::new("bot").unwrap(),
        prefix: "tpk_00000000".to_owned(),
        digest: TokenDigest([5; 32]),
        pepper: None,
        policies: PolicySet::of(&[Policy::Trading, Policy::Identity]),
        networks: Networks::default(),
        expires_at: Some(at(100)),
        remind_at: None,
        revoked_at: None,
        created_at: at(0),
    }
}

fn signed_in() -> Session {
    Session {
        id: SessionId::from_bytes([5; 16]),
        user_id: USER,
        prefix: "tps_00000000".to_owned(),
        digest: TokenDigest([6; 32]),
        proofs: Proofs::default(),
        proved_at: at(0),
        created_at: at(0),
        client: None,
        user_agent: None,
    }
}

#[test]
fn a_key_opens_nothing_once_it_has_expired_or_its_owner_is_disabled() {
    let member = Membership::found(MEMBERSHIP, WORKSPACE, USER, at(0));
    let disabled = User { disabled: true, ..user() };
    let opened = |owner: &User, now| authenticate(&api_key(), owner, &member, at(now)).map(|holder| holder.rights);
    assert_eq!(opened(&user(), 99), Ok(PolicySet::of(&[Policy::Trading, Policy::Identity])));
    assert_eq!(opened(&user(), 100), Err(NotAuthenticated));
    assert_eq!(opened(&disabled, 99), Err(NotAuthenticated));
    assert_eq!(opened(&disabled, 100), Err(NotAuthenticated));
}

#[test]
fn a_key_has_no_rights_once_its_owner_is_a_member_no_longer() {
    let member = Membership::found(MEMBERSHIP, WORKSPACE, USER, at(0));
    let left = Membership { state: State::Left { user_id: USER }, ..member };
    let holder = authenticate(&api_key(), &user(), &left, at(1)).unwrap();
    assert_eq!((holder.is_member, holder.rights), (false, PolicySet::NONE));
}

#[test]
fn a_session_has_rights_where_its_user_is_a_member_until_it_ends() {
    let member = Membership::found(MEMBERSHIP, WORKSPACE, USER, at(0));
    let elsewhere = WorkspaceId::from_bytes([9; 16]);
    let left = Membership { workspace_id: elsewhere, state: State::Left { user_id: USER }, ..member.clone() };
    let session = signed_in();
    let opened = |now| {
        let session = UnusedSession { session: &session, ends_at: at(100) };
        authenticate_session(session, &user(), [&member, &left], at(now))
    };
    let places = |holder: SessionHolder| holder.workspaces.iter().map(|place| place.workspace_id).collect::<Vec<_>>();
    assert_eq!(opened(99).map(places), Ok(vec![WORKSPACE]));
    assert_eq!(opened(100), Err(NotAuthenticated));
}
