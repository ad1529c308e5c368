-- The token in the mailed link of an invitation, by its digest. An invitation that was mailed before has none.
ALTER TABLE memberships ADD COLUMN invitation_digest bytea CHECK (length(invitation_digest) = 32);
CREATE UNIQUE INDEX memberships_invitation_token ON memberships (invitation_digest) WHERE invitation_digest IS NOT NULL;
