-- By what the process finds what is over, to clear it away.
CREATE INDEX memberships_expiry ON memberships (expires_at) WHERE status = 1;
CREATE INDEX sessions_begun ON sessions (created_at);
CREATE INDEX pending_sign_ins_begun ON pending_sign_ins (created_at);
CREATE INDEX challenges_begun ON challenges (created_at);
CREATE INDEX email_links_mailed ON email_links (created_at);
CREATE INDEX users_unconfirmed ON users (created_at) WHERE email IS NULL;
