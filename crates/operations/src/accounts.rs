//! accounts.v1.Accounts: users, memberships, keys and second factors.
