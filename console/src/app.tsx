import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { focusManager, QueryClientProvider } from "@tanstack/react-query";
import { Code, ConnectError } from "@connectrpc/connect";
import { Router } from "wouter";
import { setZone, zoneOfDays } from "./core/format.ts";
import { show } from "./core/ids.ts";
import { aroundNav } from "./core/leaving.ts";
import { forgetNamedWorkspace, lastWorkspace, namedWorkspace, place, rememberWorkspace } from "./core/place.ts";
import { queries } from "./core/queries.ts";
import { session } from "./core/session.ts";
import { forgetCalls, hooks } from "./core/transport.ts";
import { getEffectivePermissions } from "./gen/accounts/v1/permission_calls.ts";
import { signOut } from "./gen/accounts/v1/session_calls.ts";
import { getCurrentUser } from "./gen/accounts/v1/user_calls.ts";
import { listWorkspaces } from "./gen/accounts/v1/workspace_calls.ts";
import type { Workspace } from "./gen/accounts/v1/workspace_pb.ts";
import { Shell } from "./shell/shell.tsx";
import { Failed } from "./ui/state.tsx";
import { Mark } from "./ui/icon.tsx";

const SignIn = lazy(() => import("./shell/signin.tsx"));
const SignInAgain = lazy(() => import("./shell/signin-again.tsx"));
const FirstWorkspace = lazy(() => import("./shell/first-workspace.tsx"));
const ByLink = lazy(() => import("./shell/by-link.tsx"));
const SecondFactor = lazy(() => import("./shell/second-factor.tsx"));

export default function App() {
  return (
    <QueryClientProvider client={queries}>
      <Router aroundNav={aroundNav}>
        <Gate />
      </Router>
    </QueryClientProvider>
  );
}

type State =
  { at: "asking" | "out" | "no-workspace" } | { at: "in"; workspaces: Workspace[]; over?: boolean } | { at: "failed"; error: unknown };
const who = async () => {
  const a = await getCurrentUser({});
  place.email = a.user?.email ?? "";
  place.person = a.user?.displayName ?? "";
  place.userId = a.user?.id ?? new Uint8Array();
  setZone(a.user?.timezone);
};
/** Takes what the person may do in the workspace, and says whether it is something else than before. */
async function readRights(): Promise<boolean> {
  const { operations, role } = await getEffectivePermissions({});
  const before = place.operations;
  // The server writes "contracts.v1.Contracts.GetPool"; the paths of calls have a stroke before the method.
  place.operations = new Set(operations.map((o) => o.replace(/\.(?=[^./]*$)/, "/")));
  place.role = role ?? 0;
  return before.size !== place.operations.size || [...before].some((o) => !place.operations.has(o));
}
/** Enters a workspace: what it is called, its currency, and what the person may do there. */
export async function enterWorkspace(w: Workspace): Promise<void> {
  place.workspaceId = w.id!;
  place.name = w.name ?? "";
  place.currency = w.baseCurrency || "USD";
  place.timeZone = zoneOfDays(w.timeZone);
  rememberWorkspace(show(w.id));
  await readRights();
}

const LINKS = /^\/(setup|reset-password|email)\b/;

/** Asks who is signed in. With no session the door is shown at the same address, so that one arrives where one wanted to go. */
function Gate() {
  const [state, setState] = useState<State>({ at: "asking" });
  // After the link of a first password: what the door says, and that a second factor is offered behind it.
  const [note, setNote] = useState("");
  const [isNew, setNew] = useState(false);
  // Whose pages are shown, in which workspace, and the calls that wait for this person to sign in again.
  const shown = useRef<{ person: string; workspace: string }>(undefined);
  const waiting = useRef<((again: boolean) => void)[]>([]);
  const goOn = useCallback((again: boolean) => {
    focusManager.setFocused(undefined);
    for (const answer of waiting.current.splice(0)) answer(again);
    if (again) {
      void queries.invalidateQueries({ predicate: (q) => q.state.status === "error" });
      return;
    }
    shown.current = undefined;
    queries.clear();
    forgetCalls();
  }, []);
  const leave = useCallback(() => {
    session.ended();
    goOn(false);
    setState({ at: "out" });
  }, [goOn]);
  const enter = useCallback(async () => {
    try {
      place.workspaceId = new Uint8Array();
      await who();
      const { workspaces } = await listWorkspaces({});
      const usable = workspaces.filter((w) => !w.deletedAt);
      const before = shown.current;
      // The link of an alert names its workspace.
      const named = namedWorkspace();
      const find = (id: string) => usable.find((x) => show(x.id) === id);
      const w = find(before?.workspace ?? named ?? "") ?? find(lastWorkspace()) ?? usable[0];
      if (!w) {
        goOn(false);
        setState({ at: "no-workspace" });
        return;
      }
      await enterWorkspace(w);
      const now = { person: show(place.userId), workspace: show(w.id) };
      goOn(before?.person === now.person && before.workspace === now.workspace);
      shown.current = now;
      if (named) forgetNamedWorkspace();
      setState({ at: "in", workspaces: usable });
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unauthenticated) leave();
      // Over the page the door says it, and asks again.
      else if (shown.current) throw error;
      else setState({ at: "failed", error });
    }
  }, [goOn, leave]);
  useEffect(() => {
    hooks.signedOut = () => {
      session.ended();
      if (!shown.current) {
        leave();
        return Promise.resolve(false);
      }
      // Nothing of the hidden page is asked again by itself, neither from time to time nor at its focus.
      focusManager.setFocused(false);
      setState((s) => (s.at === "in" ? { ...s, over: true } : s));
      return new Promise((answer) => waiting.current.push(answer));
    };
    // A server that cannot be reached has signed no one out.
    hooks.stillSignedIn = () =>
      who().then(
        // Another person who signed in in another tab does not go on with what this one began.
        () => !shown.current || shown.current.person === show(place.userId),
        (e: unknown) => ConnectError.from(e).code !== Code.Unauthenticated,
      );
    let asked = 0;
    hooks.rights = () => {
      // Of many calls that are refused at once the first one asks.
      if (!shown.current || Date.now() - asked < 5000) return;
      asked = Date.now();
      readRights().then(
        (isChanged) => isChanged && setState((s) => ({ ...s })),
        // The membership has ended: another workspace is entered, or none.
        (e: unknown) => void (ConnectError.from(e).code === Code.PermissionDenied && enter().catch(() => {})),
      );
    };
    if (session.mayBe()) void enter();
    else setState({ at: "out" });
  }, [enter, leave]);
  if (LINKS.test(location.pathname))
    return (
      <Suspense>
        <ByLink
          done={({ signedIn, note }) => {
            setNew(location.pathname.startsWith("/setup"));
            setNote(note);
            history.replaceState(null, "", "/");
            if (signedIn) void enter();
            else leave();
          }}
        />
      </Suspense>
    );
  switch (state.at) {
    case "asking":
      return (
        <div className="boot" role="status" aria-label="Loading">
          <Mark />
        </div>
      );
    case "failed":
      return (
        <main className="boot">
          <div className="panel">
            <Failed error={state.error} again={enter} />
          </div>
        </main>
      );
    case "out":
      return (
        <Suspense>
          <SignIn note={note} done={() => void enter()} />
        </Suspense>
      );
    case "no-workspace":
      return (
        <Suspense>
          <FirstWorkspace done={() => void enter()} />
        </Suspense>
      );
    case "in":
      if (isNew)
        return (
          <Suspense>
            <SecondFactor done={() => setNew(false)} />
          </Suspense>
        );
      return (
        <>
          <Shell
            key={shown.current ? shown.current.person + shown.current.workspace : ""}
            workspaces={state.workspaces}
            over={state.over ?? false}
            again={() => {
              // The pages of the workspace that is left do not ask anything more.
              setState({ at: "asking" });
              goOn(false);
              void enter();
            }}
            leave={() => void signOut({}).finally(leave)}
          />
          {state.over && (
            <Suspense>
              <SignInAgain done={enter} />
            </Suspense>
          )}
        </>
      );
  }
}
