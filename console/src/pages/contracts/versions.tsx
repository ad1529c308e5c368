import { useEffect, useRef, type ReactNode } from "react";
import { Link } from "wouter";
import { useQuery } from "@tanstack/react-query";
import { count, iso, several, when } from "../../core/format.ts";
import { show, uuid } from "../../core/ids.ts";
import { useUserNames } from "../../core/members.ts";
import { may, refresh, useCall, useRecords } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { packsOf, someAtOnce } from "../../core/whole.ts";
import { listAPIKeys } from "../../gen/accounts/v1/api_key_calls.ts";
import type { Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { getContractVersions, listContractVersions } from "../../gen/contracts/v1/contract_version_calls.ts";
import type { ContractVersion } from "../../gen/contracts/v1/contract_version_pb.ts";
import { getFilterSets } from "../../gen/contracts/v1/filter_set_calls.ts";
import { TransitionActorKind as K, TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Failed, NoRights, Skeleton } from "../../ui/state.tsx";
import { changesOf, setOf, termsOf, WHAT, type Term, type Terms } from "./terms.ts";

type V = ContractVersion;
const PAGE = 30;
/** More terms than these are folded. */
const LONG = 6;
const BY: Record<K, string> = { [K.UNSPECIFIED]: "", [K.USER]: "person", [K.KEY]: "API key", [K.SYSTEM]: "tradepost" };
const fileOf = (c: Contract) => [
  { head: "From version", text: (v: V) => String(v.fromVersion ?? "") },
  { head: "At", text: (v: V) => iso(v.createdAt) },
  { head: "By", text: (v: V) => BY[v.actor?.kind ?? 0] },
  { head: "Actor", text: (v: V) => (v.actor?.id?.length ? uuid(v.actor.id) : "") },
  ...termsOf(c).map((t) => ({ head: t.name, text: t.file })),
];

/** The versions of the contract's terms, the newest first. Each is compared with the one before it. */
export function Versions({ c }: { c: Contract }) {
  const contractId = c.id!;
  const list = useRecords<V>({
    name: "ListContractVersions",
    filter: show(contractId),
    enabled: may(listContractVersions),
    steps: { of: T.CONTRACT, id: contractId },
    list: async (cursor, signal) => {
      // The one behind the page shows what the last one changed.
      const a = await listContractVersions({ contractId, limit: PAGE + 1, cursor }, { signal });
      return { ids: a.contractVersionIds, next: a.nextCursor };
    },
    get: async (contractVersionIds, signal) => (await getContractVersions({ contractVersionIds }, { signal })).contractVersions,
  });
  const { rows, query, complete } = list;
  useChanged(c, rows[0]);
  const names = useNames(rows);
  const shown = complete ? rows : rows.slice(0, -1);
  if (!may(listContractVersions))
    return (
      <Card title="Versions">
        <NoRights what="the versions of a contract" />
      </Card>
    );
  return (
    <Card
      title="Versions"
      note="Each change of the terms, the newest first"
      extra={<SaveRows name={`versions-${c.name ?? ""}`} columns={fileOf(c)} of={list} />}
    >
      {rows.length > 0 ? (
        <ol className="steps versions" aria-label="Versions">
          {shown.map((v, n) => (
            <Version key={show(v.id)} v={v} before={rows[n + 1]} isOnly={rows.length === 1} names={names} />
          ))}
        </ol>
      ) : query.isPending ? (
        <Skeleton lines={6} />
      ) : query.isError ? null : (
        <p className="muted">No version of its terms is recorded.</p>
      )}
      {query.isError && <Failed error={query.error} again={query.refetch} />}
      {!complete && rows.length > 0 && (
        <p className="row">
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
          <span className="muted">{count(shown.length)} shown</span>
        </p>
      )}
    </Card>
  );
}

function Version({ v, before, isOnly, names }: { v: V; before: V | undefined; isOnly: boolean; names: Names }) {
  const changes = before ? changesOf(before, v) : [];
  // The upgrade that brought versions kept one of each contract, and does not know its author.
  const isOwn = v.actor?.kind === K.SYSTEM;
  const isLate = !before && isOwn && (v.fromVersion ?? 0n) > 1n;
  return (
    <li>
      <span>
        {isLate ? (
          <>
            <b>Kept at an upgrade.</b> Earlier terms are not known.
          </>
        ) : !before && isOwn ? (
          <b>The first terms</b>
        ) : (
          <>
            <b>{names.who(v)}</b> {before ? `changed ${several(changes.length, "term", "terms")}` : "wrote the contract"}
          </>
        )}
      </span>
      <time>{when(v.createdAt)}</time>
      {before ? (
        <Pairs
          of={changes}
          value={(t) => (
            <>
              <span className="muted">
                <span className="vh">from </span>
                <Value t={t} of={before} names={names} />
              </span>{" "}
              <span aria-hidden="true">→</span>
              <span className="vh">to</span>{" "}
              <b>
                <Value t={t} of={v} names={names} />
              </b>
            </>
          )}
        />
      ) : (
        <>
          {isOnly && <p>{isLate ? "The terms were not changed since." : "The terms were never changed."}</p>}
          <First v={v} names={names} isOpen={isOnly} />
        </>
      )}
      <small>From version {count(v.fromVersion)} of the contract</small>
    </li>
  );
}
/** All terms that were set at first. */
function First({ v, names, isOpen }: { v: V; names: Names; isOpen: boolean }) {
  const terms = setOf(v);
  const pairs = <Pairs of={terms} value={(t) => <Value t={t} of={v} names={names} />} />;
  return terms.length <= LONG ? (
    pairs
  ) : (
    <details open={isOpen}>
      <summary>{several(terms.length, "term", "terms")}</summary>
      {pairs}
    </details>
  );
}
const Pairs = ({ of, value }: { of: readonly Term[]; value: (t: Term) => ReactNode }) => (
  <dl className="terms">
    {of.map((t) => (
      <div key={t.name}>
        <dt>{t.name}</dt>
        <dd>{value(t)}</dd>
      </div>
    ))}
  </dl>
);
/** A value in words; a filter set and a pool by name. */
function Value({ t, of, names }: { t: Term; of: Terms; names: Names }) {
  const id = t.id?.(of);
  return id && t.page ? (
    <Link href={`${t.page}/${show(id)}`} className="textlink">
      {names.of(id) ?? t.text(of)}
    </Link>
  ) : (
    <>{t.text(of) ?? t.none}</>
  );
}

/** The names in the versions: of people, of API keys, of filter sets and of pools. */
interface Names {
  who: (v: V) => string;
  of: (id: Uint8Array) => string | undefined;
}
const distinct = (ids: (Uint8Array | undefined)[]) => [
  ...new Map(ids.flatMap((id) => (id?.length ? [[show(id), id] as const] : []))).values(),
];
function useNames(rows: readonly V[]): Names {
  const actors = (kind: K) => distinct(rows.map((v) => (v.actor?.kind === kind ? v.actor.id : undefined)));
  const people = useUserNames(actors(K.USER));
  const keys = useCall(listAPIKeys, {}, { enabled: actors(K.KEY).length > 0 && may(listAPIKeys) });
  const filters = distinct(rows.map((v) => WHAT.filter.id?.(v)));
  const sets = useQuery({
    queryKey: ["GetFilterSets", filters.map(show).sort().join()],
    enabled: filters.length > 0 && may(getFilterSets),
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const found = await someAtOnce(
        packsOf(filters),
        async (filterSetIds) => (await getFilterSets({ filterSetIds }, { signal })).filterSets,
      );
      return new Map(found.flat().map((f) => [show(f.id), f.name]));
    },
  });
  const pools = useSubjectNames(distinct(rows.map((v) => WHAT.pool.id?.(v))).map((subjectId) => ({ subjectType: T.POOL, subjectId })));
  const keyOf = (id: Uint8Array | undefined) => keys.data?.apiKeys.find((k) => show(k.id) === show(id))?.name;
  return {
    who: ({ actor }) =>
      actor?.kind === K.SYSTEM
        ? "tradepost"
        : actor?.kind === K.KEY
          ? `API key ${keyOf(actor.id) ?? show(actor.id).slice(-8)}`
          : (people.data?.get(show(actor?.id)) ?? "A person"),
    of: (id) => sets.data?.get(show(id)) ?? pools.get(show(id))?.name,
  };
}
/** The feed does not name a change of terms alone: where the contract has other terms than its newest version, the list is asked for again. */
function useChanged(c: Contract, newest: V | undefined) {
  const asked = useRef<bigint>(undefined);
  useEffect(() => {
    if (!newest || (newest.fromVersion ?? 0n) >= (c.version ?? 0n) || asked.current === c.version) return;
    if (changesOf(newest, c).length === 0) return;
    asked.current = c.version;
    void refresh("ListContractVersions");
  }, [c, newest]);
}
