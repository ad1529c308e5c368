-- What is known of a passkey beside its credential, and the state of a question for one.

ALTER TABLE passkeys ADD COLUMN aaguid bytea CHECK (length(aaguid) = 16);
ALTER TABLE passkeys ADD COLUMN last_used_at bigint;
ALTER TABLE passkeys ADD COLUMN disabled_at bigint;

ALTER TABLE challenges ADD COLUMN passkey_state text COLLATE "C";
