-- What a workspace asks of its members and of their keys.
ALTER TABLE workspaces ADD COLUMN require_two_factor INTEGER NOT NULL DEFAULT 0 CHECK (require_two_factor IN (0, 1));
ALTER TABLE workspaces ADD COLUMN max_key_days INTEGER CHECK (max_key_days BETWEEN 1 AND 3650);
ALTER TABLE workspaces ADD COLUMN allow_email_step_up INTEGER NOT NULL DEFAULT 1 CHECK (allow_email_step_up IN (0, 1));
