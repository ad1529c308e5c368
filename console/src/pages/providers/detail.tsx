import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { percent, plainly, span, when, words } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { costOfOutage, downSince, isDown } from "../../core/outages.ts";
import { may, useCall } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import {
  deleteProvider,
  disableProvider,
  enableProvider,
  getProvider,
  getProviderHealth,
  listProviderDrivers,
  testProvider,
  updateProvider,
} from "../../gen/markets/v1/provider_calls.ts";
import { BreakerState, type Provider } from "../../gen/markets/v1/provider_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Facts, Head, Money } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { ProblemsOf } from "../problems/problems-of.tsx";
import { driverFields, pick, ProviderState } from "./list.tsx";
import { CAN, fee, KINDS, settingsOf } from "./words.ts";

const OLD = ["GetProvider", "GetProviders", "ListProviders", "GetProviderHealth", "ListTransitions"];
export default function ProviderDetail({ id = "" }: { id?: string }) {
  const providerId = read(id);
  const query = useCall(getProvider, { providerId });
  // No change of a record names it.
  const health = useQuery({
    queryKey: ["GetProviderHealth", id],
    enabled: may(getProviderHealth),
    refetchInterval: 10_000,
    queryFn: ({ signal }) => getProviderHealth({ providerId }, { signal }),
  });
  const p = query.data?.provider;
  if (query.isError)
    return (
      <>
        <Head title="Provider" back={["/providers", "Providers"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!p)
    return (
      <>
        <Head title="Provider" back={["/providers", "Providers"]} />
        <Skeleton lines={8} />
      </>
    );
  const h = health.data?.health ?? p.health;
  return (
    <>
      <Head
        title={p.name}
        back={["/providers", "Providers"]}
        note={
          <>
            <ProviderState p={p} /> {KINDS[p.kind ?? 0]}, driver {p.driver}
          </>
        }
      >
        <Actions p={p} />
      </Head>
      <div className="stack">
        {isDown({ ...p, health: h }) && (
          <Notice tone="bad">
            <b>It does not answer</b> {downSince(p)}. {costOfOutage(p)} The service asks again by itself. Test it to see which part fails;
            if it is to be away for long, disable it.
          </Notice>
        )}
        <ProblemsOf type={T.PROVIDER} id={providerId} brief={isDown({ ...p, health: h })} />
        {p.statusReason && <Notice>{plainly(p.statusReason)}</Notice>}
        <div className="split">
          <div className="stack">
            <Card title="Health">
              <Facts
                of={[
                  [
                    "Breaker",
                    h?.breakerState === BreakerState.OPEN
                      ? "open: no call is sent"
                      : h?.breakerState
                        ? "closed: calls are sent"
                        : "not known",
                  ],
                  ["Latency", h?.latencyMillis === undefined ? "not known" : `${h.latencyMillis} ms`],
                  ["Calls that fail, of the last 100", percent(h?.errorRateBps)],
                  ["Calls left", h?.remaining === undefined ? "not known" : String(h.remaining)],
                  ["Last answer", when(h?.lastSuccessAt ?? p.lastSuccessAt)],
                  ["Seen", when(h?.seenAt)],
                ]}
              />
            </Card>
            {h?.standing && (
              <Card title="Account of the server">
                <Facts
                  of={[
                    ["Balance", <Money cents={h.standing.balanceCents} />],
                    ["Own listings", String(h.standing.listings ?? 0)],
                    ["What they ask", <Money cents={h.standing.askedCents} />],
                    ["Open buy orders", String(h.standing.orders ?? 0)],
                    ["Read", when(h.standing.seenAt)],
                  ]}
                />
              </Card>
            )}
            <Card title="Fees">
              <Facts
                of={[
                  ["Buying", fee(p.feeSchedule?.buying)],
                  ["Selling", fee(p.feeSchedule?.selling)],
                  ...(p.feeSchedule?.overrides ?? []).map((o): [string, string] => [
                    o.marketHashName ?? "",
                    `buying ${fee(o.buying)}, selling ${fee(o.selling)}`,
                  ]),
                ]}
              />
            </Card>
            <History type={T.PROVIDER} id={providerId} />
          </div>
          <div className="stack">
            <Card title="Settings">
              <Facts
                of={[
                  ["Balance", <Money cents={p.balanceCents} />],
                  ["Currency", p.currency],
                  ["Does", p.capabilities.map((c) => CAN[c]).join(", ")],
                  ["Credentials", p.hasCredentials ? "stored, sealed" : "none"],
                  ...p.settings.map((s): [string, string] => [words(s.name), s.value ?? ""]),
                ]}
              />
            </Card>
            {p.rateLimits.length > 0 && (
              <Card title="Rate limits">
                <Facts of={p.rateLimits.map((r): [string, string] => [words(r.name), `${r.calls} in ${span(r.windowSeconds)}`])} />
              </Card>
            )}
            <Card title="Record">
              <Facts
                of={[
                  ["Added", when(p.createdAt)],
                  ["Changed", when(p.updatedAt)],
                  ["Version", String(p.version ?? "")],
                  ["Id", <span className="mono">{show(p.id)}</span>],
                ]}
              />
            </Card>
          </div>
        </div>
      </div>
    </>
  );
}
function Actions({ p }: { p: Provider }) {
  const [, go] = useLocation();
  const rest = { providerId: p.id!, expectedVersion: p.version };
  const drivers = useCall(listProviderDrivers, {}, { enabled: may(listProviderDrivers), staleTime: Infinity });
  const driver = p.driver ?? "";
  const fields = driverFields(
    drivers.data?.drivers.find((d) => d.name === driver),
    undefined,
    false,
  );
  return (
    <>
      <Action
        label="Test"
        call={testProvider}
        title={`Test ${p.name}`}
        confirm="Test now"
        text={<p>Calls the provider once with its credentials and shows what works.</p>}
        old={OLD}
        run={async () => {
          const a = await testProvider({ providerId: p.id! });
          return (
            <ul className="reasons">
              {a.checks.map((c) => (
                <li key={c.code} className={c.ok ? "" : "loss"}>
                  <Icon name={c.ok ? "check" : "close"} />
                  <span>
                    {words(c.code)}
                    <span className="vh">{c.ok ? ": works" : ": does not work"}</span>
                  </span>
                  <span className="muted">{plainly(c.detail)}</span>
                </li>
              ))}
            </ul>
          );
        }}
      />
      {fields.length > 0 && (
        <Action
          label="Edit"
          call={updateProvider}
          title={`Edit ${p.name}`}
          confirm="Save"
          done="Saved."
          old={OLD}
          wide
          text={<p>Credentials that you leave empty stay as they are.</p>}
          start={Object.fromEntries(p.settings.map((s) => [`s:${driver}:${s.name}`, s.value ?? ""]))}
          fields={fields}
          run={async (v) =>
            void (await updateProvider({
              ...rest,
              ...settingsOf(
                pick(v, "s", driver).map(({ name, value }) => ({ name, value })),
                p.settings,
              ),
              credentials: pick(v, "c", driver).map(({ name, secret }) => ({ name, secret })),
            }))
          }
        />
      )}
      {p.enabled ? (
        <Action
          label="Disable"
          call={disableProvider}
          title={`Disable ${p.name}?`}
          confirm="Disable"
          done="Disabled."
          old={OLD}
          text={<p>Nothing new is started there. What is open is followed to its end.</p>}
          fields={[{ name: "reason", label: "Reason", wide: true, max: 200 }]}
          run={async (v) => void (await disableProvider({ ...rest, ...(v.reason ? { reason: v.reason } : {}) }))}
        />
      ) : (
        <Action
          label="Enable"
          icon="play"
          kind="primary"
          call={enableProvider}
          title={`Enable ${p.name}?`}
          confirm="Enable"
          done="Enabled."
          old={OLD}
          run={async () => void (await enableProvider(rest))}
        />
      )}
      {!p.enabled && (
        <Action
          label="Delete"
          kind="danger"
          danger
          call={deleteProvider}
          title={`Delete ${p.name}?`}
          confirm="Delete the provider"
          done="Deleted."
          old={OLD}
          text={<p>Its credentials are deleted.</p>}
          run={async () => {
            await deleteProvider(rest);
            go("/providers");
          }}
        />
      )}
    </>
  );
}
