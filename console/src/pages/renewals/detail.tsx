import { Link } from "wouter";
import { count, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getRenewal } from "../../gen/trading/v1/renewal_calls.ts";
import { RenewalStatus as S } from "../../gen/trading/v1/renewal_pb.ts";
import { Card, Facts, Head } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { Actions } from "./actions.tsx";
import { isOpen, kindOf, meaningOf } from "./words.ts";

const BACK: [string, string] = ["/renewals", "Renewals"];
export default function RenewalDetail({ id = "" }: { id?: string }) {
  const renewalId = read(id);
  const query = useCall(getRenewal, { renewalId });
  const r = query.data?.renewal;
  const names = useSubjectNames(r ? [{ subjectType: T.ACCOUNT, subjectId: r.accountId }] : []);
  if (query.isError || !r)
    return (
      <>
        <Head title="Renewal" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  const account = names.get(show(r.accountId))?.name;
  return (
    <>
      <Head
        title={`${kindOf(r)} of ${account || "an account"}`}
        back={BACK}
        note={
          <>
            <Status name={S[r.status ?? 0]} /> {meaningOf(r)}
          </>
        }
      >
        <Actions r={r} />
      </Head>
      <div className="split">
        <div className="stack">
          <History type={T.RENEWAL} id={renewalId} />
        </div>
        <div className="stack">
          <Card title="Record">
            <Facts
              of={[
                ["Account", <Link href={`/accounts/${show(r.accountId)}`}>{account || "The account"}</Link>],
                ["Token", kindOf(r)],
                isOpen(r) && ["Due", when(r.dueAt)],
                ["Token ends", when(r.expiresAt)],
                ["Tried", `${count(r.attempts ?? 0)} of 30 times`],
                ["Asked for by a person", r.isRequested ? "yes" : "no"],
                ["Scheduled", when(r.createdAt)],
                ["Changed", when(r.updatedAt)],
                ["Version", String(r.version ?? "")],
                ["Id", <span className="mono">{show(r.id)}</span>],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}
