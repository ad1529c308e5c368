-- What is known of a passkey beside its credential, and the state of a question for one.

ALTER TABLE passkeys ADD COLUMN aaguid BLOB CHECK (length(aaguid) = 16);
ALTER TABLE passkeys ADD COLUMN last_used_at INTEGER;
ALTER TABLE passkeys ADD COLUMN disabled_at INTEGER;

ALTER TABLE challenges ADD COLUMN passkey_state TEXT;
