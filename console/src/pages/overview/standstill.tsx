import { lazy, Suspense, type ReactNode } from "react";
import { Link } from "wouter";
import { several } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { costOfOutage, downSince, useOutages } from "../../core/outages.ts";
import { may, useCall } from "../../core/queries.ts";
import { trouble } from "../../core/trouble.ts";
import { countContracts } from "../../gen/contracts/v1/contract_calls.ts";
import { ContractStatus as C } from "../../gen/contracts/v1/contract_pb.ts";
import { countAccounts } from "../../gen/trading/v1/account_calls.ts";
import { AccountStatus as A } from "../../gen/trading/v1/account_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/state.tsx";

// Only before the first contract is active.
const FirstSteps = lazy(() => import("./first-steps.tsx"));

interface Count {
  status?: number | undefined;
  count?: number | undefined;
}
const of = (counts: readonly Count[] | undefined, status: number): number => counts?.find((c) => c.status === status)?.count ?? 0;
const sum = (counts: readonly Count[]): number => counts.reduce((n, c) => n + (c.count ?? 0), 0);
/** Whether no contract was ever active: a draft is the only one that can be deleted. */
const isNew = (counts: readonly Count[]): boolean => sum(counts) === of(counts, C.DRAFT);

/** What keeps the workspace from trading now: what happened, what it costs, and where to do something about it. */
export default function Standstill() {
  const outages = useOutages();
  const accounts = useCall(countAccounts, {}, { enabled: may(countAccounts) });
  const contracts = useCall(countContracts, {}, { enabled: may(countContracts) });
  const unread = [outages, accounts, contracts].filter((q) => q.isLoadingError);
  const signedOut = of(accounts.data?.counts, A.NEEDS_LOGIN);
  const banned = of(accounts.data?.counts, A.BANNED);
  const restricted = of(accounts.data?.counts, A.RESTRICTED);
  const degraded = of(accounts.data?.counts, A.DEGRADED);
  const stopped = of(contracts.data?.counts, C.SUSPENDED);
  const lines: [key: string, line: ReactNode][] = (outages.data ?? []).map((p) => [
    show(p.id),
    <>
      <b>{p.name} does not answer</b> {downSince(p)}. {costOfOutage(p)} The service asks again by itself.{" "}
      <Link href={`/providers/${show(p.id)}`}>Open the provider</Link>
    </>,
  ]);
  if (unread[0])
    lines.unshift([
      "unread",
      <>
        <b>Whether something keeps it from trading is not known.</b> {trouble(unread[0].error).text}{" "}
        <Button onPress={() => unread.forEach((q) => void q.refetch())}>Try again</Button>
      </>,
    ]);
  if (signedOut)
    lines.push([
      "signed-out",
      <>
        <b>{several(signedOut, "account is", "accounts are")} signed out.</b> Nothing is bought for {signedOut === 1 ? "it" : "them"}, and
        nothing is delivered. <Link href="/accounts?status=NEEDS_LOGIN">See which, and replace the secrets if they changed</Link>
      </>,
    ]);
  if (banned)
    lines.push([
      "banned",
      <>
        <b>{several(banned, "account is", "accounts are")} banned.</b> The items on {banned === 1 ? "it" : "them"} cannot be moved.{" "}
        <Link href="/accounts?status=BANNED">See which</Link>
      </>,
    ]);
  if (restricted)
    lines.push([
      "restricted",
      <>
        <b>The platform restricts {several(restricted, "account", "accounts")}.</b> {restricted === 1 ? "It buys" : "They buy"} nothing and{" "}
        {restricted === 1 ? "puts" : "put"} nothing on sale; what was begun goes on as far as the platform allows.{" "}
        <Link href="/accounts?status=RESTRICTED">See which, why, and until when</Link>
      </>,
    ]);
  if (degraded)
    lines.push([
      "degraded",
      <>
        <b>The platform limits the calls for {several(degraded, "account", "accounts")}.</b> {degraded === 1 ? "It gets" : "They get"} no
        new work; what was begun goes on. The service asks again by itself.{" "}
        <Link href="/accounts?status=DEGRADED">See which, and what to do if it lasts</Link>
      </>,
    ]);
  if (stopped)
    lines.push([
      "stopped",
      <>
        <b>The service stopped {several(stopped, "contract", "contracts")}.</b> {stopped === 1 ? "It buys" : "They buy"} nothing; what was
        bought goes on. <Link href="/contracts?status=SUSPENDED">See why, and resume what may go on</Link>
      </>,
    ]);
  return (
    <>
      {lines.length > 0 && (
        <div className="standstill">
          {lines.map(([key, line]) => (
            <Notice key={key}>{line}</Notice>
          ))}
        </div>
      )}
      {contracts.data && isNew(contracts.data.counts) && !accounts.isLoading && (
        <Suspense>
          <FirstSteps drafts={of(contracts.data.counts, C.DRAFT)} accounts={accounts.data && sum(accounts.data.counts)} />
        </Suspense>
      )}
    </>
  );
}
