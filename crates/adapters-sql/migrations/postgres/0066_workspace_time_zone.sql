-- The time zone in which the people of a workspace count days.
ALTER TABLE workspaces ADD COLUMN time_zone text COLLATE "C" NOT NULL DEFAULT 'UTC';
