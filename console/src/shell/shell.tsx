import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { setLook, look } from "../core/look.ts";
import { onOld, setClock, useClock, useLive, watch } from "../core/live.ts";
import { place } from "../core/place.ts";
import { useServerInfo } from "../core/server.ts";
import { may, refresh, useCall } from "../core/queries.ts";
import { hooks } from "../core/transport.ts";
import type { Workspace } from "../gen/accounts/v1/workspace_pb.ts";
import { watchTransitions } from "../gen/contracts/v1/transition_calls.ts";
import { getWorkspace, setTradingHalt } from "../gen/accounts/v1/workspace_calls.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Icon, Mark } from "../ui/icon.tsx";
import { Toasts } from "../ui/toast.tsx";
import { Halt, HaltNotice } from "./halt.tsx";
import { ALL, allowed, isAt, PLACES } from "./places.ts";
import { Pages } from "./routes.tsx";
import { AskedHost } from "./asked.tsx";
import { useKeys } from "./use-keys.ts";

const Counter = lazy(() => import("./counter.tsx"));
const UserMenu = lazy(() => import("./menu.tsx"));
const CommandBar = lazy(() => import("./command.tsx"));
const CopyAs = lazy(() => import("./copy-as.tsx"));
const Invited = lazy(() => import("./invited.tsx"));
const StopEverything = lazy(() => import("./stop/window.tsx"));
const AllPages = lazy(() => import("./all-pages.tsx"));
const LIVE = { starting: "Connecting", live: "Live", lost: "Reconnecting", off: "" };

interface Props {
  workspaces: Workspace[];
  /** Whether the door is over the page. */
  over: boolean;
  again: () => void;
  leave: () => void;
}
export function Shell({ workspaces, over, again, leave }: Props) {
  const [path] = useLocation();
  const live = useLive();
  const info = useServerInfo();
  const main = useRef<HTMLElement>(null);
  const person = useRef<HTMLSpanElement>(null);
  const first = useRef(true);
  const [open, setOpen] = useState<"commands" | "code" | "pages" | "menu" | "stop" | "">("");
  useKeys(setOpen);
  const workspace = useCall(getWorkspace, { workspaceId: place.workspaceId }, { staleTime: 60_000 });
  const market = workspace.data?.simulatedClock;
  useEffect(() => setClock(market), [market]);
  // What a page says of times was said before by another clock.
  useClock();
  useEffect(() => {
    if (over) return;
    setLook(look());
    const stop = new AbortController();
    onOld((methods) => {
      // Of one who may read them: also the own membership may be meant.
      if (methods.has("CountMemberships")) hooks.rights();
      void refresh(...(methods.has("*") ? [] : methods));
    });
    if (may(watchTransitions)) watch(stop.signal);
    return () => stop.abort();
  }, [over]);
  // The last one: a page that is reached from another one has a name of its own.
  const here = ALL.findLast((p) => isAt(path, p));
  const name = here?.name ?? "tradepost";
  // Focus goes to the page after going somewhere: a page that came in place of another one is then read by a screen reader.
  useEffect(() => {
    document.title = `${name} · tradepost`;
    scrollTo({ top: 0 });
    document.querySelector(".rail [aria-current]")?.scrollIntoView({ block: "nearest" });
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [path, name]);
  const link = (p: (typeof ALL)[number]) => (
    <Link key={p.path} href={p.path} title={p.name} {...(isAt(path, p) ? { "aria-current": "page" as const } : {})}>
      <Icon name={p.icon} /> <span>{p.name}</span>
      {p.counted && (
        <Suspense>
          <Counter of={p.counted} />
        </Suspense>
      )}
    </Link>
  );
  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(e) => {
          e.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the page
      </a>
      <div className="shell">
        <header className="rail">
          <Link href="/" className="brand">
            <Mark /> tradepost
          </Link>
          {PLACES.map(([title, places]) => {
            const seen = places.filter((p) => allowed(p.needs));
            return seen.length ? (
              <nav className="nav" key={title} aria-label={title}>
                <h2>{title}</h2>
                {seen.map(link)}
              </nav>
            ) : null;
          })}
        </header>
        <div className="bar" role="region" aria-label="State and settings">
          <div className="crumbs">
            <Link href="/" className="brand small" aria-label="Overview">
              <Mark />
            </Link>
            <span className="clip">{workspace.data?.workspace?.name ?? place.name}</span>
            {info.isDemo && <span className="badge demo">Demo</span>}
          </div>
          <button className="finder" type="button" onClick={() => setOpen("commands")}>
            <Icon name="search" /> <span>Search or go to…</span> <kbd>Ctrl K</kbd>
          </button>
          <span className="grow" />
          <Suspense>
            <Invited />
          </Suspense>
          {may(watchTransitions) && live !== "off" && (
            <span className="live" data-state={live} role="status">
              <i aria-hidden="true" />
              <span>{LIVE[live]}</span>
            </span>
          )}
          <Halt workspace={workspace.data?.workspace} />
          {may(setTradingHalt) && (
            <Button kind="halt" title="Stop everything" onPress={() => setOpen("stop")}>
              <Icon name="cease" /> <span className="roomy">Stop everything</span>
            </Button>
          )}
          <span className="wide-only">
            <IconButton icon="code" label="Copy the calls of this page" onPress={() => setOpen("code")} />
          </span>
          <span ref={person}>
            <IconButton icon="accounts" label="You and the workspace" aria-haspopup="menu" onPress={() => setOpen("menu")} />
          </span>
        </div>
        <main id="main" ref={main} tabIndex={-1}>
          <HaltNotice workspace={workspace.data?.workspace} />
          <Pages />
        </main>
        <nav className="tabs" aria-label="Pages">
          {["/", "/problems", "/purchases", "/items"].map((to) => link(ALL.find((p) => p.path === to)!))}
          <button type="button" onClick={() => setOpen("pages")}>
            <Icon name="more" /> <span>More</span>
          </button>
        </nav>
      </div>
      <AskedHost />
      <Toasts />
      <Suspense>
        {open === "commands" && <CommandBar close={() => setOpen("")} />}
        {open === "menu" && <UserMenu of={person} workspaces={workspaces} again={again} leave={leave} close={() => setOpen("")} />}
        {open === "stop" && <StopEverything halted={Boolean(workspace.data?.workspace?.tradingHalt)} close={() => setOpen("")} />}
        {open === "code" && <CopyAs close={() => setOpen("")} />}
        {open === "pages" && <AllPages close={() => setOpen("")} code={() => setOpen("code")} />}
      </Suspense>
    </>
  );
}
