-- What a workspace was worth at the end of a day, once a day and never changed. The id has the day, so that marks are in its order.
CREATE TABLE equity_marks (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  day INTEGER NOT NULL,
  taken_at INTEGER NOT NULL,
  available_cents INTEGER NOT NULL,
  reserved_cents INTEGER NOT NULL,
  paid_in_transit_cents INTEGER NOT NULL,
  refund_due_cents INTEGER NOT NULL,
  inventory_at_cost_cents INTEGER NOT NULL,
  delivered_at_cost_cents INTEGER NOT NULL,
  receivable_cents INTEGER NOT NULL,
  capital_cents INTEGER NOT NULL,
  realised_cents INTEGER NOT NULL,
  pending_cents INTEGER NOT NULL,
  unrealised_cents INTEGER NOT NULL,
  write_offs_cents INTEGER NOT NULL,
  items INTEGER NOT NULL,
  unpriced INTEGER NOT NULL CHECK (unpriced >= 0),
  stale INTEGER NOT NULL CHECK (stale >= 0),
  version INTEGER NOT NULL CHECK (version = 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (unpriced + stale <= items),
  -- What there is came from capital and final profit, less what was written off.
  CHECK (available_cents + reserved_cents + paid_in_transit_cents + refund_due_cents + inventory_at_cost_cents
    + delivered_at_cost_cents + receivable_cents = capital_cents + realised_cents - write_offs_cents)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER equity_marks_are_never_updated BEFORE UPDATE ON equity_marks
BEGIN SELECT raise(ABORT, 'equity_marks are append-only'); END;
CREATE TRIGGER equity_marks_are_never_deleted BEFORE DELETE ON equity_marks
BEGIN SELECT raise(ABORT, 'equity_marks are append-only'); END;
