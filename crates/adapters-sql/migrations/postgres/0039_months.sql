-- What the entries of a month of the calendar come to, told as those of a day, so that a report of whole months has few rows to read.
-- A month is told by its first day, counted from 1970.
CREATE TABLE ledger_months (
  workspace_id uuid NOT NULL,
  telling smallint NOT NULL,
  month bigint NOT NULL,
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
  PRIMARY KEY (workspace_id, telling, month, contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, sell_marketplace,
    market_hash_name)
) WITH (fillfactor = 80);

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
  date_trunc('month', (DATE '1970-01-01' + day::integer)::timestamp)::date - DATE '1970-01-01' AS of_month,
  contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, sell_marketplace, market_hash_name,
  sum(realised_cents), sum(pending_cents), sum(buy_fees_cents), sum(sale_fees_cents), sum(write_offs_cents), sum(cost_sold_cents),
  sum(proceeds_cents), sum(sold)
FROM ledger_days WHERE day < 1000000000
GROUP BY workspace_id, telling, of_month, contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, sell_marketplace,
  market_hash_name;
