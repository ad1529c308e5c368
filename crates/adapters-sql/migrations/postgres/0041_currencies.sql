-- The currency of every amount of a workspace: that of its oldest pool, where it has one.
ALTER TABLE workspaces ADD COLUMN base_currency text COLLATE "C" NOT NULL DEFAULT 'USD' CHECK (length(base_currency) = 3);
UPDATE workspaces SET base_currency =
  (SELECT currency FROM pools WHERE pools.workspace_id = workspaces.id ORDER BY created_at, pools.id LIMIT 1)
  WHERE EXISTS (SELECT 1 FROM pools WHERE pools.workspace_id = workspaces.id);

-- By which rate the amounts of a marketplace of another currency come to those of the record; all of it or nothing.
ALTER TABLE purchases ADD COLUMN exchange_currency text COLLATE "C" CHECK (length(exchange_currency) = 3);
ALTER TABLE purchases ADD COLUMN exchange_rate_micros bigint CHECK (exchange_rate_micros > 0);
ALTER TABLE purchases ADD COLUMN exchange_rate_at bigint
  CHECK ((exchange_rate_at IS NULL) = (exchange_currency IS NULL) AND (exchange_rate_at IS NULL) = (exchange_rate_micros IS NULL));
ALTER TABLE inventory_items ADD COLUMN sale_currency text COLLATE "C" CHECK (length(sale_currency) = 3);
ALTER TABLE inventory_items ADD COLUMN sale_rate_micros bigint CHECK (sale_rate_micros > 0);
ALTER TABLE inventory_items ADD COLUMN sale_rate_at bigint
  CHECK ((sale_rate_at IS NULL) = (sale_currency IS NULL) AND (sale_rate_at IS NULL) = (sale_rate_micros IS NULL));
