-- Who read which risk notice for the workspace last, and when.
ALTER TABLE workspaces ADD COLUMN risk_notice_version text COLLATE "C";
ALTER TABLE workspaces ADD COLUMN risk_notice_read_by uuid;
ALTER TABLE workspaces ADD COLUMN risk_notice_read_at bigint;
