import { useMemo } from "react";
import { ago, decimal, iso } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { createProvider, getProviders, listProviderDrivers, listProviders } from "../../gen/markets/v1/provider_calls.ts";
import { BreakerState, ProviderKind as K, type Provider, type ProviderDriver } from "../../gen/markets/v1/provider_pb.ts";
import { place } from "../../core/place.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Head, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import type { Spec, Values } from "../../ui/field.tsx";
import { Empty } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { CAN, KINDS } from "./words.ts";

export const ProviderState = ({ p }: { p: Provider }) =>
  !p.enabled ? (
    <Badge shape="square">Disabled</Badge>
  ) : p.health?.breakerState === BreakerState.OPEN ? (
    <Badge tone="loss">Cut off</Badge>
  ) : p.health?.lastSuccessAt || p.lastSuccessAt ? (
    <Badge tone="gain">Answers</Badge>
  ) : (
    <Badge shape="ring">Never asked</Badge>
  );
const COLUMNS: Column<Provider>[] = [
  { id: "name", head: "Provider", phone: "title", cell: (p) => <span className="clip">{p.name}</span>, text: (p) => p.name ?? "" },
  {
    id: "state",
    head: "State",
    width: "8.5rem",
    phone: "status",
    cell: (p) => <ProviderState p={p} />,
    text: (p) => (p.enabled ? "enabled" : "disabled"),
  },
  { id: "kind", head: "Kind", width: "9rem", from: "md", cell: (p) => KINDS[p.kind ?? 0], text: (p) => KINDS[p.kind ?? 0] },
  {
    id: "can",
    head: "Does",
    from: "lg",
    cell: (p) => <span className="clip muted">{p.capabilities.map((c) => CAN[c]).join(", ")}</span>,
    text: (p) => p.capabilities.map((c) => CAN[c]).join(", "),
  },
  {
    id: "latency",
    head: "Latency",
    width: "7rem",
    end: true,
    from: "md",
    cell: (p) => <span className="num">{p.health?.latencyMillis === undefined ? "–" : `${p.health.latencyMillis} ms`}</span>,
    text: (p) => String(p.health?.latencyMillis ?? ""),
  },
  {
    id: "balance",
    head: "Balance",
    width: "8.25rem",
    end: true,
    phone: "end",
    cell: (p) => <Money cents={p.balanceCents} />,
    text: (p) => (p.balanceCents === undefined ? "" : decimal(p.balanceCents)),
  },
  {
    id: "seen",
    head: "Last answer",
    width: "8rem",
    end: true,
    from: "md",
    cell: (p) => <span className="muted">{ago(p.lastSuccessAt ?? p.health?.lastSuccessAt, marketNow())}</span>,
    text: (p) => iso(p.lastSuccessAt ?? p.health?.lastSuccessAt),
  },
  { id: "note", head: "Kind", phone: "note", phoneOnly: true, cell: (p) => <span>{KINDS[p.kind ?? 0]}</span> },
];
export default function Providers() {
  const drivers = useCall(listProviderDrivers, {}, { enabled: may(listProviderDrivers), staleTime: Infinity });
  const records = useRecords<Provider>({
    name: "ListProviders",
    filter: "all",
    subject: T.PROVIDER,
    list: async (cursor, signal) => {
      const a = await listProviders({ limit: 100, cursor }, { signal });
      return { ids: a.providerIds, next: a.nextCursor };
    },
    get: async (providerIds, signal) => (await getProviders({ providerIds }, { signal })).providers,
  });
  return (
    <>
      <Head title="Providers" note="Marketplaces, price sources and game platforms that the workspace uses.">
        <SaveRows name="providers" columns={COLUMNS} of={records} />
        {drivers.data && <Add drivers={drivers.data.drivers} />}
      </Head>
      <Card flush>
        <RecordTable
          label="Providers"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(p) => `/providers/${show(p.id)}`}
          empty={
            <Empty icon="providers" title="There is no provider yet.">
              <p>A provider is what the workspace sets up of a marketplace: credentials, settings, fees.</p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
/** The fields of a driver: its settings and credentials, as it names them. */
export const driverFields = (d: ProviderDriver | undefined, when?: (v: Values) => boolean, creating = true): Spec[] => [
  ...(d?.settings ?? []).map((f): Spec => ({
    name: `s:${d!.name}:${f.name}`,
    label: f.name ?? "",
    required: (f.required ?? false) && creating,
    wide: true,
    ...(f.description ? { hint: f.description } : {}),
    ...(when ? { when } : {}),
  })),
  ...(d?.credentials ?? []).map((f): Spec => ({
    name: `c:${d!.name}:${f.name}`,
    label: f.name ?? "",
    kind: "password",
    autoComplete: "new-password",
    required: (f.required ?? false) && creating,
    wide: true,
    ...(f.description ? { hint: f.description } : {}),
    ...(when ? { when } : {}),
  })),
];
export const pick = (v: Values, kind: "s" | "c", driver: string) =>
  Object.entries(v)
    .filter(([k, x]) => k.startsWith(`${kind}:${driver}:`) && x)
    .map(([k, x]) => ({ name: k.slice(driver.length + 3), value: x, secret: x }));
function Add({ drivers }: { drivers: readonly ProviderDriver[] }) {
  const kinds = useMemo(
    () => drivers.flatMap((d) => d.kinds.map((k) => [`${d.name}|${k.kind}`, `${d.name}: ${KINDS[k.kind ?? 0].toLowerCase()}`] as const)),
    [drivers],
  );
  return (
    <Action
      label="Add a provider"
      icon="plus"
      kind="primary"
      call={createProvider}
      title="Add a provider"
      confirm="Add the provider"
      done="Added. It is in use from now on."
      old={["ListProviders", "GetProviders"]}
      wide
      start={{ driver: kinds[0]?.[0] ?? "", currency: place.currency }}
      fields={[
        { name: "driver", label: "Driver", kind: "select", wide: true, options: kinds },
        { name: "name", label: "Name", required: true, max: 64 },
        { name: "currency", label: "Its currency", required: true, max: 3 },
        ...drivers.flatMap((d) => driverFields(d, (v) => v.driver?.startsWith(`${d.name}|`) ?? false)),
      ]}
      run={async (v) => {
        const [driver = "", kind] = v.driver!.split("|");
        await createProvider({
          kind: Number(kind) as K,
          driver,
          name: v.name!.trim(),
          currency: v.currency!.trim().toUpperCase(),
          settings: pick(v, "s", driver).map(({ name, value }) => ({ name, value })),
          credentials: pick(v, "c", driver).map(({ name, secret }) => ({ name, secret })),
        });
      }}
    />
  );
}
