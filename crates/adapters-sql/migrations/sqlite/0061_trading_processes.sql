-- Nothing changes: one process serves a file, and trades for every workspace in it.
SELECT 1;
