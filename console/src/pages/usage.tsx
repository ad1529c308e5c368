import { useMemo, useState } from "react";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { count, dayLong, moment, ms, span, words } from "../core/format.ts";
import { show } from "../core/ids.ts";
import { may, useCall } from "../core/queries.ts";
import { listAPIKeys } from "../gen/accounts/v1/api_key_calls.ts";
import { getQuotas, getUsage, listKeyUsage } from "../gen/accounts/v1/usage_calls.ts";
import { UsageGranularity as U, UsageGroup, type RateQuota } from "../gen/accounts/v1/usage_pb.ts";
import { Card, figure, Head, Meter, Stat } from "../ui/card.tsx";
import { SaveRows } from "../ui/copy.tsx";
import { Segments } from "../ui/segments.tsx";
import { Empty, Failed, Loaded, Skeleton } from "../ui/state.tsx";
import { Table, type Column } from "../ui/table.tsx";

const SPANS = [
  { id: "1", name: "1 day" },
  { id: "7", name: "7 days" },
  { id: "30", name: "30 days" },
];
interface Row {
  name: string;
  requests: bigint;
  errors: bigint;
  limited: bigint;
}
/** Of the operations, those with the most calls. */
const SHOWN = 30;
const LIMITS = [
  { head: "Kind", text: (r: RateQuota) => words(r.name) },
  { head: "Calls", text: (r: RateQuota) => String(r.calls ?? "") },
  { head: "In seconds", text: (r: RateQuota) => String(r.windowSeconds ?? "") },
  { head: "At once", text: (r: RateQuota) => String(r.burst ?? "") },
];
const COLUMNS: Column<Row>[] = [
  { id: "name", head: "Of", phone: "title", cell: (r) => <span className="clip">{r.name}</span>, text: (r) => r.name },
  {
    id: "n",
    head: "Calls",
    width: "8rem",
    end: true,
    phone: "end",
    cell: (r) => <span className="num">{count(r.requests)}</span>,
    text: (r) => String(r.requests),
  },
  {
    id: "e",
    head: "Failed",
    width: "8rem",
    end: true,
    from: "md",
    cell: (r) => <span className={`num ${r.errors ? "loss" : "muted"}`}>{count(r.errors)}</span>,
    text: (r) => String(r.errors),
  },
  {
    id: "l",
    head: "Rate limited",
    width: "8rem",
    end: true,
    from: "md",
    cell: (r) => <span className={`num ${r.limited ? "warn" : "muted"}`}>{count(r.limited)}</span>,
    text: (r) => String(r.limited),
  },
  {
    id: "note",
    head: "Failed",
    phone: "note",
    phoneOnly: true,
    cell: (r) => (
      <span>
        {count(r.errors)} failed, {count(r.limited)} limited
      </span>
    ),
  },
];
export default function Usage() {
  const [days, setDays] = useState("7");
  const [from, to] = useMemo(
    () => [timestampFromDate(new Date(Date.now() - Number(days) * 86_400_000)), timestampFromDate(new Date())],
    [days],
  );
  const usage = useCall(getUsage, { from, to, granularity: days === "1" ? U.HOUR : U.DAY }, { keep: true });
  const byCall = useCall(
    getUsage,
    { from, to, granularity: days === "1" ? U.HOUR : U.DAY, groupBy: [UsageGroup.OPERATION] },
    { keep: true },
  );
  const byKey = useCall(listKeyUsage, { from, to }, { enabled: may(listKeyUsage), keep: true });
  const keys = useCall(listAPIKeys, {}, { enabled: may(listAPIKeys) });
  const quotas = useCall(getQuotas, {}, { enabled: may(getQuotas) });
  const points = usage.data?.points ?? [];
  const sum = (k: "requests" | "errors" | "rateLimited") => points.reduce((n, p) => n + (p[k] ?? 0n), 0n);
  const bars = useMemo(() => {
    // Times without a call are there too: the card has its height before the answer is.
    const step = days === "1" ? 3_600_000 : 86_400_000;
    const m = new Map<number, bigint>();
    for (let t = Math.floor(ms(from) / step) * step; t < ms(to); t += step) m.set(t, 0n);
    for (const p of points) m.set(ms(p.time), (m.get(ms(p.time)) ?? 0n) + (p.requests ?? 0n));
    return [...m].sort((a, b) => a[0] - b[0]);
  }, [points, from, to, days]);
  const most = bars.reduce((m, [, n]) => (n > m ? n : m), 1n);
  const calls = useMemo(() => {
    const m = new Map<string, Row>();
    for (const p of byCall.data?.points ?? []) {
      const name = p.operation?.split(/[./]/).pop() || "Other";
      const r = m.get(name) ?? { name, requests: 0n, errors: 0n, limited: 0n };
      m.set(name, {
        name,
        requests: r.requests + (p.requests ?? 0n),
        errors: r.errors + (p.errors ?? 0n),
        limited: r.limited + (p.rateLimited ?? 0n),
      });
    }
    return [...m.values()].sort((a, b) => Number(b.requests - a.requests));
  }, [byCall.data]);
  const names = new Map(keys.data?.apiKeys.map((k) => [show(k.id), k.name ?? ""]));
  const keyRows: Row[] = (byKey.data?.keys ?? []).map((k) => ({
    name: names.get(show(k.apiKeyId)) ?? (k.apiKeyId?.length ? `Key ${show(k.apiKeyId).slice(-6)}` : "People"),
    requests: k.requests ?? 0n,
    errors: k.errors ?? 0n,
    limited: k.rateLimited ?? 0n,
  }));
  const one = <Skeleton lines={1} />;
  return (
    <>
      <Head title="Usage" note="Calls of this workspace, by people and by programs.">
        <Segments label="Time" choices={SPANS} chosen={days} choose={setDays} />
      </Head>
      {usage.isError ? (
        <Failed error={usage.error} again={usage.refetch} />
      ) : (
        <div className="grid">
          <Stat name="Calls" value={usage.data ? count(sum("requests")) : one} note={`in ${SPANS.find((s) => s.id === days)?.name}`} />
          <Stat
            name="Failed"
            value={usage.data ? count(sum("errors")) : one}
            tone={sum("errors") ? "loss" : ""}
            note="answered with an error"
          />
          <Stat
            name="Rate limited"
            value={usage.data ? count(sum("rateLimited")) : one}
            tone={sum("rateLimited") ? "warn" : ""}
            note="had to wait"
          />
          <Stat
            name="API keys"
            value={figure(quotas, quotas.data && count(quotas.data.apiKeys?.used))}
            note={
              quotas.data
                ? `of ${count(quotas.data.apiKeys?.most)}; ${count(quotas.data.members?.used)} of ${count(quotas.data.members?.most)} members`
                : ""
            }
          />
          <Card className="c12" title={days === "1" ? "Calls by hour" : "Calls by day"}>
            {points.length === 0 && usage.data ? (
              <Empty icon="usage" title="No call was counted in this time." />
            ) : (
              <ul className="meters">
                {bars.map(([t, n]) => (
                  <li key={t}>
                    <span>
                      {days === "1"
                        ? moment(new Date(t), { hour: "2-digit", minute: "2-digit", day: "numeric", month: "short" })
                        : dayLong(new Date(t).getTime() / 1000)}
                    </span>
                    <Meter part={Number(n)} whole={Number(most)} label={`${n} calls`} />
                    <span className="num">{usage.data ? count(n) : "–"}</span>
                  </li>
                ))}
              </ul>
            )}
          </Card>
          <Card className="c6" title="By key" flush extra={<SaveRows name="usage-by-key" columns={COLUMNS} rows={keyRows} />}>
            {byKey.isError ? (
              <div className="body">
                <Failed error={byKey.error} again={byKey.refetch} />
              </div>
            ) : byKey.isPending ? (
              <div className="body">
                <Skeleton lines={10} />
              </div>
            ) : keyRows.length === 0 ? (
              <Empty icon="keys" title="No key was used." />
            ) : (
              <Table label="Calls by key" columns={COLUMNS} rows={keyRows} id={(r) => r.name} />
            )}
          </Card>
          <Card
            className="c6"
            title="By operation"
            note={calls.length > SHOWN ? `The ${SHOWN} with the most calls of ${count(calls.length)}; the file has all` : undefined}
            flush
            extra={<SaveRows name="usage-by-operation" columns={COLUMNS} rows={calls} />}
          >
            {byCall.isError ? (
              <div className="body">
                <Failed error={byCall.error} again={byCall.refetch} />
              </div>
            ) : byCall.isPending ? (
              <div className="body">
                <Skeleton lines={10} />
              </div>
            ) : calls.length === 0 ? (
              <Empty icon="usage" title="No call was counted." />
            ) : (
              <Table label="Calls by operation" columns={COLUMNS} rows={calls.slice(0, SHOWN)} id={(r) => r.name} />
            )}
          </Card>
          <Card
            className="c12"
            title="Rate limits"
            note="How many calls each kind may make"
            flush
            extra={<SaveRows name="rate-limits" columns={LIMITS} rows={quotas.data?.rates ?? []} />}
          >
            <Loaded query={quotas}>
              {(q) => (
                <div className="scroll">
                  <table className="rows">
                    <thead>
                      <tr>
                        <th scope="col">Kind</th>
                        <th scope="col" className="end">
                          Calls
                        </th>
                        <th scope="col" className="end">
                          In
                        </th>
                        <th scope="col" className="end">
                          At once
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {q.rates.map((r) => (
                        <tr key={r.name}>
                          <th scope="row">{words(r.name)}</th>
                          <td className="num end">{count(r.calls)}</td>
                          <td className="num end">{span(r.windowSeconds)}</td>
                          <td className="num end">{count(r.burst)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
            </Loaded>
          </Card>
        </div>
      )}
    </>
  );
}
