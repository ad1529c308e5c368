//! accounts.v1.Accounts: users, sessions, workspaces, memberships, keys and second factors.
//!
//! Also the commands by which the process itself makes users, workspaces and keys: the command line on the server and
//! embedders call them; no request reaches them.

mod api_keys;
mod audit;
mod credentials;
pub(crate) mod memberships;
mod passkeys;
pub(crate) mod sessions;
mod sign_in;
mod two_factor;
mod usage;
mod users;
pub(crate) mod workspace_keys;
pub(crate) mod workspaces;

pub use api_keys::{
    CreateApiKey, CreatedKey, GetApiKey, IssueApiKey, KeyWithUse, ReportLeakedApiKey, RevokeApiKey, RotateApiKey,
    UpdateApiKey,
};
pub use audit::{ListAuditEvents, ListMyAuditEvents, VerifiedChain, VerifyAuditChain};
pub use credentials::{
    AddEmailCredential, BeginLink, BegunLink, ChangeEmail, ChangePassword, ConfirmAddress, Credentials, FinishLink,
    FollowEmailLink, RequestPasswordReset, ResendEmailVerification, ResetPassword, UnlinkAccount,
};
pub use memberships::{
    AcceptMembership, CountMemberships, DeclineMembership, EffectivePermissions, GetEffectivePermissions,
    GetInvitation, GetMembership, GetMemberships, InvitationShown, InviteMember, LeaveWorkspace, ListMemberships,
    PolicyEntry, ReinstateMembership, RemoveMembership, ResendInvitation, RevokeInvitation, SuspendMembership,
    TransferWorkspaceOwnership, UpdateMembership,
};
pub use passkeys::{BeginPasskeyRegistration, DeletePasskey, FinishPasskeyRegistration, UpdatePasskey};
pub use sessions::{RevokeSession, SessionWithUse};
pub use sign_in::{
    CompleteSignIn, FinishLinkedSignIn, FinishPasskeySignIn, PasskeySignInAsked, SignIn, SignInAnswer, SignUp, SignedIn,
};
pub(crate) use sign_in::{ConcurrentSignIns, Failures};
pub use two_factor::{
    BeginStepUpPasskey, CompleteStepUp, ConfirmTotpEnrollment, ResendStepUpCode, StepUpAsked, SteppedUp, TotpOffered,
    TwoFactorStatus,
};
pub use usage::{Bounds, GetQuotas, GetUsage, KeyUsage, ListKeyUsage};
pub use users::{CurrentUser, FactorsReset, GetUser, GetUsers, OperatorRecovery, RegisterUser, ResetLink, UpdateUser};
pub use workspace_keys::{DestroyWorkspaceKey, KeyWithRecords, RotateWorkspaceKey};
pub use workspaces::{
    Bootstrap, BootstrapWorkspace, Bootstrapped, BootstrappedWorkspace, CreateWorkspace, DeleteWorkspace, GetWorkspace,
    GetWorkspaceSettings, RestoreWorkspace, SetTradingHalt, UpdateWorkspace, home,
};
