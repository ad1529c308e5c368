-- Pools, with the balances that their entries of the ledger come to: what is held with plus, what it came from with minus.
CREATE TABLE pools (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  name TEXT NOT NULL,
  currency TEXT NOT NULL,
  status INTEGER NOT NULL,
  budget_cents INTEGER NOT NULL CHECK (budget_cents > 0),
  max_per_purchase_cents INTEGER,
  max_exposure_per_item_cents INTEGER,
  daily_limit_cents INTEGER,
  available_cents INTEGER NOT NULL CHECK (available_cents >= 0),
  reserved_cents INTEGER NOT NULL,
  paid_in_transit_cents INTEGER NOT NULL,
  refund_due_cents INTEGER NOT NULL,
  inventory_at_cost_cents INTEGER NOT NULL,
  delivered_at_cost_cents INTEGER NOT NULL,
  receivable_cents INTEGER NOT NULL,
  fees_cents INTEGER NOT NULL,
  realised_pnl_cents INTEGER NOT NULL,
  write_offs_cents INTEGER NOT NULL,
  capital_cents INTEGER NOT NULL,
  -- What purchases recorded on the latest day that any was, counted from 1970, cost or may come to cost.
  used_on INTEGER NOT NULL,
  used_cents INTEGER NOT NULL CHECK (used_cents >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (available_cents + reserved_cents + paid_in_transit_cents + refund_due_cents + inventory_at_cost_cents
    + delivered_at_cost_cents + receivable_cents + fees_cents + realised_pnl_cents + write_offs_cents + capital_cents = 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX pools_status ON pools (workspace_id, status, id);
CREATE INDEX contracts_pool ON contracts (workspace_id, pool_id) WHERE pool_id IS NOT NULL;

-- The ledger. The amounts of an entry sum to zero; what is not booked for a purchase has none of its fields.
CREATE TABLE ledger_entries (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  pool_id BLOB CHECK (length(pool_id) = 16),
  posting INTEGER NOT NULL,
  available_cents INTEGER NOT NULL,
  reserved_cents INTEGER NOT NULL,
  paid_in_transit_cents INTEGER NOT NULL,
  refund_due_cents INTEGER NOT NULL,
  inventory_at_cost_cents INTEGER NOT NULL,
  delivered_at_cost_cents INTEGER NOT NULL,
  receivable_cents INTEGER NOT NULL,
  fees_cents INTEGER NOT NULL,
  realised_pnl_cents INTEGER NOT NULL,
  write_offs_cents INTEGER NOT NULL,
  capital_cents INTEGER NOT NULL,
  pending_cents INTEGER NOT NULL,
  contract_id BLOB CHECK (length(contract_id) = 16),
  purchase_id BLOB CHECK (length(purchase_id) = 16),
  inventory_item_id BLOB CHECK (length(inventory_item_id) = 16),
  market_hash_name TEXT,
  account_name TEXT,
  marketplace TEXT,
  buy_fee_cents INTEGER,
  reason TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK (available_cents + reserved_cents + paid_in_transit_cents + refund_due_cents + inventory_at_cost_cents
    + delivered_at_cost_cents + receivable_cents + fees_cents + realised_pnl_cents + write_offs_cents + capital_cents = 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_entries_pool ON ledger_entries (workspace_id, pool_id, id) WHERE pool_id IS NOT NULL;
CREATE INDEX ledger_entries_contract ON ledger_entries (workspace_id, contract_id, id) WHERE contract_id IS NOT NULL;
CREATE INDEX ledger_entries_item ON ledger_entries (workspace_id, inventory_item_id, id) WHERE inventory_item_id IS NOT NULL;
CREATE INDEX ledger_entries_purchase ON ledger_entries (workspace_id, purchase_id, id) WHERE purchase_id IS NOT NULL;
CREATE INDEX ledger_entries_available ON ledger_entries (workspace_id, id) WHERE available_cents <> 0;
CREATE INDEX ledger_entries_reserved ON ledger_entries (workspace_id, id) WHERE reserved_cents <> 0;
CREATE INDEX ledger_entries_paid_in_transit ON ledger_entries (workspace_id, id) WHERE paid_in_transit_cents <> 0;
CREATE INDEX ledger_entries_refund_due ON ledger_entries (workspace_id, id) WHERE refund_due_cents <> 0;
CREATE INDEX ledger_entries_inventory_at_cost ON ledger_entries (workspace_id, id) WHERE inventory_at_cost_cents <> 0;
CREATE INDEX ledger_entries_delivered_at_cost ON ledger_entries (workspace_id, id) WHERE delivered_at_cost_cents <> 0;
CREATE INDEX ledger_entries_receivable ON ledger_entries (workspace_id, id) WHERE receivable_cents <> 0;
CREATE INDEX ledger_entries_fees ON ledger_entries (workspace_id, id) WHERE fees_cents <> 0;
CREATE INDEX ledger_entries_realised_pnl ON ledger_entries (workspace_id, id) WHERE realised_pnl_cents <> 0;
CREATE INDEX ledger_entries_write_offs ON ledger_entries (workspace_id, id) WHERE write_offs_cents <> 0;
CREATE INDEX ledger_entries_capital ON ledger_entries (workspace_id, id) WHERE capital_cents <> 0;
CREATE TRIGGER ledger_entries_are_never_updated BEFORE UPDATE ON ledger_entries
BEGIN SELECT raise(ABORT, 'ledger_entries are append-only'); END;
CREATE TRIGGER ledger_entries_are_never_deleted BEFORE DELETE ON ledger_entries
BEGIN SELECT raise(ABORT, 'ledger_entries are append-only'); END;

-- How much money of a pool is at stake in items of a name: kept with its entries, whose sum it is.
CREATE TABLE pool_exposures (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  pool_id BLOB NOT NULL CHECK (length(pool_id) = 16),
  market_hash_name TEXT NOT NULL,
  exposed_cents INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, pool_id, market_hash_name)
) STRICT, WITHOUT ROWID;
