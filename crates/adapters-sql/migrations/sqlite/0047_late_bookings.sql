-- When money was last booked into an archived pool.
ALTER TABLE pools ADD COLUMN late_booked_at INTEGER;
