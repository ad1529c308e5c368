-- From what the balance at a marketplace is reckoned on by the entries of the ledger: both or neither.
ALTER TABLE provider_healths ADD COLUMN baseline_since bigint;
ALTER TABLE provider_healths ADD COLUMN baseline_cents bigint;
