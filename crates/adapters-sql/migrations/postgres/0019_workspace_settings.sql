-- What a workspace asks of its members and of their keys.
ALTER TABLE workspaces ADD COLUMN require_two_factor boolean NOT NULL DEFAULT false;
ALTER TABLE workspaces ADD COLUMN max_key_days smallint CHECK (max_key_days BETWEEN 1 AND 3650);
ALTER TABLE workspaces ADD COLUMN allow_email_step_up boolean NOT NULL DEFAULT true;
