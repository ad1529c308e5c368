-- Where an item is on sale or was sold, and for which contract. Nobody knows it of items that are on sale already.
ALTER TABLE inventory_items ADD COLUMN sale_marketplace text COLLATE "C";
ALTER TABLE inventory_items ADD COLUMN selling_contract_id uuid;
ALTER TABLE ledger_entries ADD COLUMN sale_marketplace text COLLATE "C";
ALTER TABLE ledger_entries ADD COLUMN selling_contract_id uuid;

-- What the entries of a day of UTC come to, by what they were booked for: kept with the entries, whose sum it is. There are two
-- tellings of everything: one without the names of items, and one by name and contract alone, so that neither has as many rows as
-- there are items. What is not told, or not known, is empty or all zeros. A day is counted from 1970; that of all days is 1000000000.
CREATE TABLE ledger_days (
  workspace_id uuid NOT NULL,
  telling smallint NOT NULL,
  day bigint NOT NULL,
  contract_id uuid NOT NULL,
  selling_contract_id uuid NOT NULL,
  pool_id uuid NOT NULL,
  account_name text COLLATE "C" NOT NULL,
  buy_marketplace text COLLATE "C" NOT NULL,
  sell_marketplace text COLLATE "C" NOT NULL,
  market_hash_name text COLLATE "C" NOT NULL,
  realised_cents bigint NOT NULL,
  pending_cents bigint NOT NULL,
  buy_fees_cents bigint NOT NULL,
  sale_fees_cents bigint NOT NULL,
  write_offs_cents bigint NOT NULL,
  cost_sold_cents bigint NOT NULL,
  proceeds_cents bigint NOT NULL,
  sold bigint NOT NULL,
  PRIMARY KEY (workspace_id, telling, day, contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, sell_marketplace,
    market_hash_name)
) WITH (fillfactor = 80);
INSERT INTO ledger_days
SELECT workspace_id, telling, CASE whole WHEN 1 THEN 1000000000 ELSE at / 86400000000 END AS on_day, contract_id, '00000000-0000-0000-0000-000000000000'::uuid,
  CASE telling WHEN 1 THEN coalesce(pool_id, '00000000-0000-0000-0000-000000000000'::uuid) ELSE '00000000-0000-0000-0000-000000000000'::uuid END AS of_pool,
  CASE telling WHEN 1 THEN account_name ELSE '' END AS of_account, CASE telling WHEN 1 THEN marketplace ELSE '' END AS bought_on, '',
  CASE telling WHEN 2 THEN market_hash_name ELSE '' END AS of_name,
      sum(-(realised_pnl_cents + fees_cents)), sum(pending_cents),
      sum(CASE WHEN posting = 11 THEN buy_fee_cents ELSE 0 END),
      sum(CASE WHEN posting = 11 THEN fees_cents - buy_fee_cents ELSE 0 END),
      sum(write_offs_cents),
      sum(CASE WHEN posting = 11 THEN -delivered_at_cost_cents - buy_fee_cents ELSE 0 END),
      sum(CASE WHEN posting = 11 THEN -delivered_at_cost_cents - buy_fee_cents - realised_pnl_cents ELSE 0 END),
      sum(CASE WHEN posting = 11 THEN 1 ELSE 0 END)
FROM ledger_entries, (VALUES (1), (2)) AS tellings (telling), (VALUES (0), (1)) AS spans (whole)
WHERE contract_id IS NOT NULL AND (realised_pnl_cents <> 0 OR fees_cents <> 0 OR pending_cents <> 0 OR write_offs_cents <> 0
  OR posting = 11)
GROUP BY workspace_id, telling, on_day, contract_id, of_pool, of_account, bought_on, of_name;
