-- Nothing changes: one process serves a file, counts in its memory, and knows of every change of rights itself.
SELECT 1;
