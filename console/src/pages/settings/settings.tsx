import { useState } from "react";
import { useSearchParams } from "wouter";
import { look, setLook, type Density, type Theme } from "../../core/look.ts";
import { Card, Head } from "../../ui/card.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Profile } from "./profile.tsx";
import { Security } from "./security.tsx";
import { Sessions } from "./sessions.tsx";
import { WorkspaceSettings } from "./workspace.tsx";

const VIEWS = [
  { id: "you", name: "You" },
  { id: "security", name: "Signing in" },
  { id: "sessions", name: "Sessions" },
  { id: "workspace", name: "Workspace" },
  { id: "look", name: "Look" },
];
export default function Settings() {
  const [search, setSearch] = useSearchParams();
  const view = search.get("view") ?? "you";
  return (
    <>
      <Head title="Settings" note="You, how you sign in, and the workspace." />
      <div className="tools">
        <Segments label="Settings" choices={VIEWS} chosen={view} choose={(v) => setSearch(v === "you" ? {} : { view: v })} />
      </div>
      <div className="stack narrowed">
        {view === "security" ? (
          <Security />
        ) : view === "sessions" ? (
          <Sessions />
        ) : view === "workspace" ? (
          <WorkspaceSettings />
        ) : view === "look" ? (
          <LookSettings />
        ) : (
          <Profile />
        )}
      </div>
    </>
  );
}
function LookSettings() {
  const [now, setNow] = useState(look);
  const change = (c: Partial<typeof now>) => {
    setLook(c);
    setNow(look());
  };
  return (
    <Card title="Look" note="Kept in this browser">
      <div className="stack">
        <div>
          <h3>Theme</h3>
          <p className="muted">The system's follows the day and night of your device.</p>
          <br />
          <Segments
            label="Theme"
            choices={[
              { id: "system", name: "As the system" },
              { id: "light", name: "Light" },
              { id: "dark", name: "Dark" },
            ]}
            chosen={now.theme}
            choose={(t) => change({ theme: t as Theme })}
          />
        </div>
        <div>
          <h3>Density</h3>
          <p className="muted">How close the rows of tables are.</p>
          <br />
          <Segments
            label="Density"
            choices={[
              { id: "comfortable", name: "Comfortable" },
              { id: "compact", name: "Compact" },
            ]}
            chosen={now.density}
            choose={(d) => change({ density: d as Density })}
          />
        </div>
      </div>
    </Card>
  );
}
