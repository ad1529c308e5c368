-- A deleted workspace can be restored for 30 days. That it is deleted stands in its live memberships as well: rights are decided
-- by those, and a write that relied on one before is refused.
ALTER TABLE workspaces ADD COLUMN deleted_at bigint;
CREATE INDEX workspaces_deleted ON workspaces (deleted_at) WHERE deleted_at IS NOT NULL;
ALTER TABLE memberships ADD COLUMN workspace_deleted boolean NOT NULL DEFAULT false;
