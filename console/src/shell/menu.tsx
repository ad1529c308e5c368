import type { RefObject } from "react";
import { useLocation } from "wouter";
import { Header } from "react-aria-components/Header";
import { Menu, MenuItem, MenuSection, Separator } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { flipTheme } from "../core/look.ts";
import { count } from "../core/format.ts";
import { show } from "../core/ids.ts";
import { useInvitations } from "../core/invitations.ts";
import { unlessTyped } from "../core/leaving.ts";
import { place, rememberWorkspace } from "../core/place.ts";
import type { Workspace } from "../gen/accounts/v1/workspace_pb.ts";

/** The menu of the person: loaded when it is opened, since nothing of it is needed before. */
export default function UserMenu({
  workspaces,
  again,
  leave,
  close,
  of,
}: {
  workspaces: Workspace[];
  again: () => void;
  leave: () => void;
  close: () => void;
  of: RefObject<HTMLElement | null>;
}) {
  const [, go] = useLocation();
  const invitations = useInvitations();
  const act = (key: string) => {
    close();
    if (key === "theme") flipTheme();
    else if (key === "settings" || key === "invitations") go(`/${key}`);
    else if (key === "out") unlessTyped(leave);
    else
      unlessTyped(() => {
        rememberWorkspace(key);
        go("/");
        again();
      });
  };
  return (
    <Popover
      className="popover"
      aria-label="You and the workspace"
      placement="bottom end"
      triggerRef={of}
      isOpen
      onOpenChange={(o) => {
        if (!o) close();
      }}
    >
      <Menu className="menu" aria-label="You and the workspace" autoFocus="first" onAction={(k) => act(String(k))}>
        <MenuSection>
          <Header className="who">
            <b>{place.person || "You"}</b>
            <br />
            {place.email}
          </Header>
          <MenuItem id="settings">Settings</MenuItem>
          <MenuItem id="invitations" textValue="Invitations">
            Invitations {invitations > 0 && <span className="count hot">{count(invitations)}</span>}
          </MenuItem>
          <MenuItem id="theme">Change between light and dark</MenuItem>
        </MenuSection>
        {workspaces.length > 1 && (
          <MenuSection>
            <Header>Workspace</Header>
            {workspaces.map((w) => (
              <MenuItem key={show(w.id)} id={show(w.id)}>
                {w.name}
                {show(w.id) === show(place.workspaceId) ? " · this one" : ""}
              </MenuItem>
            ))}
          </MenuSection>
        )}
        <Separator />
        <MenuItem id="out">Sign out</MenuItem>
      </Menu>
    </Popover>
  );
}
