-- Who read which risk notice for the workspace last, and when.
ALTER TABLE workspaces ADD COLUMN risk_notice_version TEXT;
ALTER TABLE workspaces ADD COLUMN risk_notice_read_by BLOB CHECK (length(risk_notice_read_by) = 16);
ALTER TABLE workspaces ADD COLUMN risk_notice_read_at INTEGER;
