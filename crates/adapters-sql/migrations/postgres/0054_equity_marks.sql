-- What a workspace was worth at the end of a day, once a day and never changed. The id has the day, so that marks are in its order.
CREATE TABLE equity_marks (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  day bigint NOT NULL,
  taken_at bigint NOT NULL,
  available_cents bigint NOT NULL,
  reserved_cents bigint NOT NULL,
  paid_in_transit_cents bigint NOT NULL,
  refund_due_cents bigint NOT NULL,
  inventory_at_cost_cents bigint NOT NULL,
  delivered_at_cost_cents bigint NOT NULL,
  receivable_cents bigint NOT NULL,
  capital_cents bigint NOT NULL,
  realised_cents bigint NOT NULL,
  pending_cents bigint NOT NULL,
  unrealised_cents bigint NOT NULL,
  write_offs_cents bigint NOT NULL,
  items bigint NOT NULL,
  unpriced bigint NOT NULL CHECK (unpriced >= 0),
  stale bigint NOT NULL CHECK (stale >= 0),
  version bigint NOT NULL CHECK (version = 1),
  PRIMARY KEY (workspace_id, id),
  CHECK (unpriced + stale <= items),
  -- What there is came from capital and final profit, less what was written off.
  CHECK (available_cents + reserved_cents + paid_in_transit_cents + refund_due_cents + inventory_at_cost_cents
    + delivered_at_cost_cents + receivable_cents = capital_cents + realised_cents - write_offs_cents)
);
CREATE TRIGGER equity_marks_are_append_only BEFORE UPDATE OR DELETE ON equity_marks
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER equity_marks_are_never_truncated BEFORE TRUNCATE ON equity_marks
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
