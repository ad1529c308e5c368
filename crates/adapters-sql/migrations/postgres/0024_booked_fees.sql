-- The fee that the marketplace booked. Until now the one that was reckoned with stood for it.
ALTER TABLE purchases ADD COLUMN executed_fee_cents bigint CHECK (executed_fee_cents >= 0);
UPDATE purchases SET executed_fee_cents = platform_fee_cents WHERE order_id IS NOT NULL;
