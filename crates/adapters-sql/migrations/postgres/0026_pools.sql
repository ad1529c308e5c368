-- Pools, with the balances that their entries of the ledger come to: what is held with plus, what it came from with minus.
CREATE TABLE pools (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  status smallint NOT NULL,
  budget_cents bigint NOT NULL CHECK (budget_cents > 0),
  max_per_purchase_cents bigint,
  max_exposure_per_item_cents bigint,
  daily_limit_cents bigint,
  available_cents bigint NOT NULL CHECK (available_cents >= 0),
  reserved_cents bigint NOT NULL,
  paid_in_transit_cents bigint NOT NULL,
  refund_due_cents bigint NOT NULL,
  inventory_at_cost_cents bigint NOT NULL,
  delivered_at_cost_cents bigint NOT NULL,
  receivable_cents bigint NOT NULL,
  fees_cents bigint NOT NULL,
  realised_pnl_cents bigint NOT NULL,
  write_offs_cents bigint NOT NULL,
  capital_cents bigint NOT NULL,
  -- What purchases recorded on the latest day that any was, counted from 1970, cost or may come to cost.
  used_on bigint NOT NULL,
  used_cents bigint NOT NULL CHECK (used_cents >= 0),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version bigint NOT NULL CHECK (version >= 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (available_cents + reserved_cents + paid_in_transit_cents + refund_due_cents + inventory_at_cost_cents
    + delivered_at_cost_cents + receivable_cents + fees_cents + realised_pnl_cents + write_offs_cents + capital_cents = 0)
) WITH (fillfactor = 80);
CREATE INDEX pools_status ON pools (workspace_id, status, id);
CREATE INDEX contracts_pool ON contracts (workspace_id, pool_id) WHERE pool_id IS NOT NULL;

-- The ledger. The amounts of an entry sum to zero; what is not booked for a purchase has none of its fields.
CREATE TABLE ledger_entries (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  pool_id uuid,
  posting smallint NOT NULL,
  available_cents bigint NOT NULL,
  reserved_cents bigint NOT NULL,
  paid_in_transit_cents bigint NOT NULL,
  refund_due_cents bigint NOT NULL,
  inventory_at_cost_cents bigint NOT NULL,
  delivered_at_cost_cents bigint NOT NULL,
  receivable_cents bigint NOT NULL,
  fees_cents bigint NOT NULL,
  realised_pnl_cents bigint NOT NULL,
  write_offs_cents bigint NOT NULL,
  capital_cents bigint NOT NULL,
  pending_cents bigint NOT NULL,
  contract_id uuid,
  purchase_id uuid,
  inventory_item_id uuid,
  market_hash_name text COLLATE "C",
  account_name text COLLATE "C",
  marketplace text COLLATE "C",
  buy_fee_cents bigint,
  reason text COLLATE "C",
  at bigint NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK (available_cents + reserved_cents + paid_in_transit_cents + refund_due_cents + inventory_at_cost_cents
    + delivered_at_cost_cents + receivable_cents + fees_cents + realised_pnl_cents + write_offs_cents + capital_cents = 0)
);
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
CREATE TRIGGER ledger_entries_are_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_are_never_truncated BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- How much money of a pool is at stake in items of a name: kept with its entries, whose sum it is.
CREATE TABLE pool_exposures (
  workspace_id uuid NOT NULL,
  pool_id uuid NOT NULL,
  market_hash_name text COLLATE "C" NOT NULL,
  exposed_cents bigint NOT NULL,
  PRIMARY KEY (workspace_id, pool_id, market_hash_name)
) WITH (fillfactor = 80);
