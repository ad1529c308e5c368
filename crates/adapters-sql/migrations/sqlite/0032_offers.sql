-- What is on sale under a name is found by its observations of the last day, which have an index of their own: one index less is
-- written for every listing that is new.
DROP INDEX market_listings_name;
