-- What the entries of a month of the calendar come to, told as those of a day, so that a report of whole months has few rows to read.
-- A month is told by its first day, counted from 1970.
CREATE TABLE ledger_months (
  workspace_id BLOB NOT NULL CHECK (length(workspace_id) = 16),
  telling INTEGER NOT NULL,
  month INTEGER NOT NULL,
  contract_id BLOB NOT NULL CHECK (length(contract_id) = 16),
  selling_contract_id BLOB NOT NULL CHECK (length(selling_contract_id) = 16),
  pool_id BLOB NOT NULL CHECK (length(pool_id) = 16),
  account_name TEXT NOT NULL,
  buy_marketplace TEXT NOT NULL,
  sell_marketplace TEXT NOT NULL,
  market_hash_name TEXT NOT NULL,
  realised_cents INTEGER NOT NULL,
  pending_cents INTEGER NOT NULL,
  buy_fees_cents INTEGER NOT NULL,
  sale_fees_cents INTEGER NOT NULL,
  write_offs_cents INTEGER NOT NULL,
  cost_sold_cents INTEGER NOT NULL,
  proceeds_cents INTEGER NOT NULL,
  sold INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, telling, month, contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, sell_marketplace,
    market_hash_name)
) STRICT, WITHOUT ROWID;

-- A third telling of the days: by everything but account and name. Accounts are many, and few reports ask for them.
INSERT INTO ledger_days
SELECT workspace_id, 3, day, contract_id, selling_contract_id, pool_id, '', buy_marketplace, sell_marketplace, '',
  sum(realised_cents), sum(pending_cents), sum(buy_fees_cents), sum(sale_fees_cents), sum(write_offs_cents), sum(cost_sold_cents),
  sum(proceeds_cents), sum(sold)
FROM ledger_days WHERE telling = 1
GROUP BY workspace_id, day, contract_id, selling_contract_id, pool_id, buy_marketplace, sell_marketplace;

-- Months are added up from the days: the ledger itself, which has more rows, is not read.
INSERT INTO ledger_months
SELECT workspace_id, telling,
  CAST(strftime('%s', day * 86400, 'unixepoch', 'start of month') AS INTEGER) / 86400 AS of_month,
  contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, sell_marketplace, market_hash_name,
  sum(realised_cents), sum(pending_cents), sum(buy_fees_cents), sum(sale_fees_cents), sum(write_offs_cents), sum(cost_sold_cents),
  sum(proceeds_cents), sum(sold)
FROM ledger_days WHERE day < 1000000000
GROUP BY workspace_id, telling, of_month, contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, sell_marketplace,
  market_hash_name;
