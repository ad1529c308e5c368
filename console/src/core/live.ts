import { useSyncExternalStore } from "react";
import { Code, ConnectError } from "@connectrpc/connect";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { TransitionSchema, TransitionSubjectType as T, type Transition } from "../gen/contracts/v1/transition_pb.ts";
import { watchTransitions } from "../gen/contracts/v1/transition_calls.ts";
import { ms } from "./format.ts";
import { show } from "./ids.ts";
import { place } from "./place.ts";
import { reasonOf } from "./trouble.ts";

/** Which answers a change of a record makes old. Lists are not among them: see addPatcher. */
export const OLD: Partial<Record<T, string[]>> = {
  [T.PURCHASE]: [
    "CountPurchases",
    "GetPurchase",
    "GetProfitAndLoss",
    "GetProfitAndLossSeries",
    "GetEquitySeries",
    "GetPoolBalance",
    "GetCapital",
  ],
  [T.INVENTORY_ITEM]: [
    "CountInventoryItems",
    "GetInventoryItem",
    "ListAssetIDLinks",
    "GetItemProfitAndLoss",
    "GetProfitAndLoss",
    "GetProfitAndLossSeries",
    "GetEquitySeries",
  ],
  [T.CONTRACT]: ["CountContracts", "GetContract", "GetContracts"],
  [T.REMEDIATION]: ["CountRemediations", "GetRemediation"],
  [T.INTENT]: ["CountIntents", "GetIntent"],
  [T.ACCOUNT]: ["CountAccounts", "GetAccount", "GetAccountReadiness"],
  [T.POOL]: ["CountPools", "GetPool", "GetPools", "GetPoolBalance", "GetCapital", "GetEquitySeries"],
  [T.PROVIDER]: ["GetProvider", "GetProviders"],
  [T.IMPORT]: ["CountImports", "GetImport", "ListImportRows"],
  [T.INVENTORY_CHANGE]: ["CountInventoryChanges", "GetInventoryChange"],
  [T.ACCOUNT_SESSION]: ["CountAccountSessions", "GetAccountSession"],
  [T.RENEWAL]: ["CountRenewals", "GetRenewal"],
  [T.FRIEND]: ["CountFriends", "GetFriend"],
  [T.CONFIRMATION]: ["CountConfirmations", "GetConfirmation"],
  [T.TRADE_OFFER]: ["CountTradeOffers", "GetTradeOffer", "GetTrade"],
  [T.MEMBERSHIP]: ["CountMemberships", "GetQuotas"],
  // Keys are not listed by pages.
  [T.API_KEY]: ["ListAPIKeys", "GetQuotas"],
  // A conversation has no step of its own: a message changes what is unread, and comes first in its list.
  [T.CHAT_MESSAGE]: ["CountConversations", "GetConversation", "ListConversations", "ListMessages"],
};

export type State = "starting" | "live" | "lost" | "off";
let state: State = "starting";
let recent: readonly Transition[] = [];
let changed: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
const publish = () => listeners.forEach((l) => l());
const subscribe = (l: () => void) => {
  listeners.add(l);
  return () => void listeners.delete(l);
};
export const useLive = (): State => useSyncExternalStore(subscribe, () => state);
export const useRecent = (): readonly Transition[] => useSyncExternalStore(subscribe, () => recent);
export const useChanged = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => changed);

// The clock of the market: the time there when it was read, and how many seconds pass there in one of ours.
let clock = { there: 0, here: 0, speed: 1 };
/** The time where the trading happens: a simulated market has a clock of its own. */
export const marketNow = (): number => (clock.there ? clock.there + (Date.now() - clock.here) * clock.speed : Date.now());
/** Takes the clock of a simulated market; without one the time is ours. */
export const setClock = (simulated: { now?: Timestamp | undefined; speed?: number | undefined } | undefined): void => {
  clock = { there: ms(simulated?.now), here: Date.now(), speed: simulated?.speed ?? 0 };
  publish();
};
/** For what depends on the clock: a page is there before the server has said what time it is where the trading happens. */
export const useClock = (): unknown => useSyncExternalStore(subscribe, () => clock);

type Patcher = (changed: ReadonlyMap<string, Uint8Array>) => Promise<void>;
const patchers = new Map<number, Set<Patcher>>();
/** A list that is shown asks again for those of its records that changed, and for nothing else. */
export function addPatcher(subject: number, patch: Patcher): () => void {
  const set = patchers.get(subject) ?? new Set();
  patchers.set(subject, set.add(patch));
  return () => void set.delete(patch);
}

// At most once in 2 s: a busy market changes more in a second than a person reads, and the lists of a workspace are limited.
const EVERY = 2000;
let waiting: Transition[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let invalidate: (methods: ReadonlySet<string>) => void = () => {};
export const onOld = (then: (methods: ReadonlySet<string>) => void): void => void (invalidate = then);

function flush() {
  timer = undefined;
  const news = waiting;
  waiting = [];
  recent = [...news].reverse().concat(recent).slice(0, 60);
  // More than a person can follow is not flashed: a table that flickers all over says nothing.
  changed = new Set(news.length > 5 ? [] : news.map((t) => show(t.subjectId)));
  publish();
  invalidate(new Set(news.flatMap((t) => OLD[t.subjectType ?? T.UNSPECIFIED] ?? [])));
  for (const [subject, set] of patchers) {
    const ids = new Map(news.filter((t) => t.subjectType === subject && t.subjectId).map((t) => [show(t.subjectId), t.subjectId!]));
    // A list that could not be patched stays as it is; the next change or the next visit asks again.
    if (ids.size) for (const patch of set) patch(ids).catch(() => {});
  }
}
function take(transitions: readonly Transition[]) {
  // Two tabs may report the same one: where a tab takes over, and where each watches for itself.
  const known = new Set([...waiting, ...recent].map((t) => show(t.id)));
  const news = transitions.filter((t) => !known.has(show(t.id)));
  if (news.length === 0) return;
  waiting.push(...news);
  timer ??= setTimeout(flush, EVERY);
}
const set = (s: State) => {
  if (s === state) return;
  // What failed while the server was away, and what changed that the log does not name, is asked for again.
  if (state === "lost" && s === "live") invalidate(new Set(["*"]));
  state = s;
  publish();
};

let restart = new AbortController();
/** Ends the call that waits: it was sent with a session that a step-up has replaced. */
export const restartWatch = (): void => {
  restart.abort();
  restart = new AbortController();
};

/** What every tab knows of the feed, so that any can go on where the leading one ended. */
interface Seen {
  /** The last change that was seen, empty where there was none to begin with; undefined where nothing was heard of it. */
  after: Uint8Array | undefined;
}
const EMPTY = new Uint8Array();
/** Where the next call begins. Behind nothing is at the beginning: every change is news where there was none before. */
const begin = (after: Uint8Array | undefined) => {
  if (!after) return { fromEnd: true };
  return { ...(after.length ? { afterTransitionId: after } : {}), waitSeconds: 25, limit: 200 };
};

async function lead(channel: BroadcastChannel, at: Seen, stop: AbortSignal) {
  let wait = 1000;
  // What is shown came by a leading tab that left no place, or from before a place that the server no longer has.
  let isBehind = state === "live";
  while (!stop.aborted) {
    const again = restart.signal;
    try {
      const a = await watchTransitions(begin(at.after), { signal: AbortSignal.any([stop, again]), timeoutMs: 29_000 });
      if (!at.after && isBehind) invalidate(new Set(["*"]));
      at.after = a.lastTransitionId ?? EMPTY;
      wait = 1000;
      set("live");
      take(a.transitions);
      channel.postMessage({ state: "live", after: at.after, changes: a.transitions.map((t) => toBinary(TransitionSchema, t)) });
    } catch (e) {
      if (stop.aborted) return;
      if (again.aborted) continue;
      if (reasonOf(e) === "WATCH_EXPIRED") {
        at.after = undefined;
        isBehind = true;
        continue;
      }
      const code = ConnectError.from(e).code;
      if (code === Code.Unauthenticated || code === Code.PermissionDenied) {
        // No one waits for changes: nothing is shown that would only say that it connects.
        set("off");
        channel.postMessage({ state: "off" });
        return;
      }
      set("lost");
      channel.postMessage({ state: "lost" });
      await new Promise((r) => setTimeout(r, wait));
      wait = Math.min(wait * 2, 30_000);
    }
  }
}

/** One tab watches for all: over HTTP/1.1 a browser has six connections to a server, and each waiting call holds one. */
export function watch(stop: AbortSignal): void {
  // By workspace: two tabs may work in two of them.
  const name = `tradepost-live-${show(place.workspaceId)}`;
  const channel = new BroadcastChannel(name);
  const at: Seen = { after: undefined };
  channel.onmessage = ({ data }: MessageEvent<{ state?: State; after?: Uint8Array; changes?: Uint8Array[]; ask?: true }>) => {
    if (data.ask) {
      channel.postMessage({ state, after: at.after });
      return;
    }
    if (data.state) set(data.state);
    // Any tab answers one that asks, also one that has not heard of the latest changes: only what comes with changes moves the place.
    if (data.after && (data.changes || !at.after)) at.after = data.after;
    if (data.changes) take(data.changes.map((b) => fromBinary(TransitionSchema, b)));
  };
  channel.postMessage({ ask: true });
  stop.addEventListener("abort", () => {
    channel.close();
    recent = [];
    waiting = [];
    set("starting");
  });
  // Where the context is not secure there are no locks: every tab watches for itself.
  if (navigator.locks) navigator.locks.request(name, { signal: stop }, () => lead(channel, at, stop)).catch(() => {});
  else void lead(channel, at, stop);
}
