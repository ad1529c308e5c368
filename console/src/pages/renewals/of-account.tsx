import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { getRenewals, listRenewals } from "../../gen/trading/v1/renewal_calls.ts";
import { RenewalStatus as S, type Renewal } from "../../gen/trading/v1/renewal_pb.ts";
import { Loaded } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { Actions, RenewNow } from "./actions.tsx";
import { isOpen, KIND_ORDER, KINDS, timesOf } from "./words.ts";

/** The newest renewals of an account, one of each kind. */
export const useRenewalsOf = (accountId: Uint8Array) =>
  useQuery<Renewal[]>({
    queryKey: ["GetRenewal", `newest of ${show(accountId)}`],
    enabled: may(listRenewals),
    queryFn: async ({ signal }) => {
      const found = await Promise.all(KIND_ORDER.map((kind) => listRenewals({ accountId, kind, limit: 1 }, { signal })));
      const renewalIds = found.flatMap((a) => a.renewalIds);
      return renewalIds.length ? (await getRenewals({ renewalIds }, { signal })).renewals : [];
    },
  });
/** The open renewals of an account. Each kind has at most one, and it is the newest of its kind. */
export function RenewalsOf({ accountId, isSignedIn }: { accountId: Uint8Array; isSignedIn: boolean }) {
  const query = useRenewalsOf(accountId);
  return (
    <Loaded query={query} lines={2}>
      {(all) => {
        const rows = KIND_ORDER.map((kind) => [kind, all.find((r) => r.kind === kind && isOpen(r))] as const);
        const shown = rows.filter(([, r]) => r || isSignedIn);
        return shown.length === 0 ? null : (
          <ul className="doings" aria-label="Renewals">
            {shown.map(([kind, r]) => (
              <li key={kind}>
                <div>
                  <b>
                    {r ? (
                      <Link href={`/renewals/${show(r.id)}`} className="textlink">
                        {KINDS[kind]}
                      </Link>
                    ) : (
                      KINDS[kind]
                    )}
                  </b>{" "}
                  {r && <Status name={S[r.status ?? 0]} />}
                  <p className="muted">{r ? `Renewal ${timesOf(r)}` : "No renewal is open: the token ends at its time."}</p>
                </div>
                <div className="row">{r ? <Actions r={r} /> : <RenewNow accountId={accountId} kind={kind} />}</div>
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}
