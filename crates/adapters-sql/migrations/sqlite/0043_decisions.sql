-- What was decided about a listing is looked for by its id.
CREATE INDEX evaluations_listing ON evaluations (workspace_id, listing_id, id) WHERE listing_id IS NOT NULL;
