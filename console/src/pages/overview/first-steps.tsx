import { Link } from "wouter";
import { several } from "../../core/format.ts";
import { useCapital } from "../../core/money.ts";
import { useProviders } from "../../core/outages.ts";
import { may, useCall } from "../../core/queries.ts";
import { countFilterSets } from "../../gen/contracts/v1/filter_set_calls.ts";
import { countPools, getCapital } from "../../gen/contracts/v1/pool_calls.ts";
import { ProviderKind as K } from "../../gen/markets/v1/provider_pb.ts";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Badge } from "../../ui/status.tsx";

const C = "contracts.v1.Contracts";
interface Step {
  name: string;
  href: string;
  /** The operation that the step calls. */
  needs: readonly [service: string, method: string];
  done: boolean;
  text: string;
}
/** A value needs two sources. */
const NEEDED = [
  [K.MARKETPLACE, 1, "a marketplace"],
  [K.GAME_PLATFORM, 1, "a game platform"],
  [K.PRICE_SOURCE, 2, "two price sources"],
] as const;

/** The steps of a new workspace to its first trade, each with a mark once it is done. `accounts` is undefined without the right to count them. */
export default function FirstSteps({ drafts, accounts }: { drafts: number; accounts: number | undefined }) {
  const providers = useProviders();
  const capital = useCapital(may(getCapital));
  const pools = useCall(countPools, {}, { enabled: !may(getCapital) && may(countPools) });
  const filters = useCall(countFilterSets, {}, { enabled: may(countFilterSets) });
  if ([providers, capital, pools, filters].some((q) => q.isLoading || q.isLoadingError)) return null;

  const enabled = (kind: K) => providers.data?.filter((p) => p.enabled && p.kind === kind).length ?? 0;
  const lacking = NEEDED.filter(([kind, least]) => enabled(kind) < least).map(([, , name]) => name);
  const isBegun = NEEDED.some(([kind]) => enabled(kind) > 0);
  const poolCount = capital.data?.capital?.poolCount ?? pools.data?.counts.reduce((n, c) => n + (c.count ?? 0), 0) ?? 0;
  const isFunded = (capital.data?.capital?.capitalCents ?? 0n) > 0n;
  const filterCount = filters.data?.count ?? 0;
  const all: Step[] = [
    {
      name: "Connect a marketplace",
      href: "/providers",
      needs: ["markets.v1.Markets", "CreateProvider"],
      done: providers.data !== undefined && lacking.length === 0,
      text:
        lacking.length === 0
          ? `${several(providers.data?.length ?? 0, "provider is", "providers are")} connected.`
          : `Trading needs a marketplace, a game platform and two price sources.${isBegun ? ` Missing: ${lacking.join(", ")}.` : ""}`,
    },
    {
      name: "Add a trading account",
      href: "/accounts",
      needs: ["trading.v1.Trading", "CreateAccount"],
      done: (accounts ?? 0) > 0,
      text: accounts
        ? `${several(accounts, "account is", "accounts are")} added.`
        : "The account at the game platform that receives the items.",
    },
    {
      name: "Create a pool and fund it",
      href: "/pools",
      needs: [C, "CreatePool"],
      done: poolCount > 0 && (isFunded || !may(getCapital)),
      text: !poolCount
        ? "The money that contracts may spend, and the accounts that work for it."
        : isFunded || !may(getCapital)
          ? `${several(poolCount, "pool is", "pools are")} ready.`
          : "The pool is empty. Open it and record what you deposited at the marketplace.",
    },
    {
      name: "Write a filter set",
      href: filterCount ? "/filters" : "/filters/new",
      needs: [C, "CreateFilterSet"],
      done: filterCount > 0,
      text: filterCount
        ? `${several(filterCount, "filter set is", "filter sets are")} written.`
        : "Which items a contract buys or sells. A contract without one takes every item.",
    },
    {
      name: "Write a contract and activate it",
      href: drafts ? "/contracts?status=DRAFT" : "/contracts/new",
      needs: [C, "ActivateContract"],
      done: false,
      text: drafts
        ? `${several(drafts, "draft is", "drafts are")} written. Trading begins when you activate one.`
        : "What to buy or sell, and within which limits. Trading begins when you activate it.",
    },
  ];
  const steps = all.filter(({ needs: [service, method] }) => may({ service, method }));
  const done = steps.filter((s) => s.done).length;
  if (done === steps.length) return null;
  const next = steps.find((s) => !s.done);
  return (
    <div className="standstill">
      <Card
        title="First steps"
        note={
          providers.data && !enabled(K.MARKETPLACE)
            ? "Nothing trades yet: connect a marketplace."
            : `Nothing trades yet. ${done} of ${several(steps.length, "step is", "steps are")} done.`
        }
      >
        <ol className="chain" aria-label="First steps">
          {steps.map((s, n) => (
            <li key={s.name} {...(s === next ? { "aria-current": "step" as const } : {})}>
              <span className="node">{s.done ? <Icon name="check" /> : n + 1}</span>
              <div>
                <div className="title">
                  <Link href={s.href} className="textlink">
                    {s.name}
                  </Link>
                  {s.done && <Badge tone="gain">Done</Badge>}
                </div>
                <p className="muted">{s.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
    </div>
  );
}
