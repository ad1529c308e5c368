import { Link } from "wouter";
import { when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getFriend } from "../../gen/trading/v1/friend_calls.ts";
import { FriendActionState as S, FriendRelation as R } from "../../gen/trading/v1/friend_pb.ts";
import { Card, Chip, Facts, Head } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { Actions } from "./actions.tsx";
import { askedOf, MEANS, nameOf } from "./words.ts";

const BACK: [string, string] = ["/friends", "Friends"];
export default function FriendDetail({ id = "" }: { id?: string }) {
  const friendId = read(id);
  const query = useCall(getFriend, { friendId });
  const f = query.data?.friend;
  const names = useSubjectNames(f ? [{ subjectType: T.ACCOUNT, subjectId: f.accountId }] : []);
  if (query.isError || !f)
    return (
      <>
        <Head title="Friend" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  const asked = askedOf(f);
  return (
    <>
      <Head
        title={nameOf(f)}
        back={BACK}
        mark={<Chip big name={nameOf(f)} />}
        note={
          <>
            <Status name={R[f.relation ?? 0]} /> {MEANS[f.relation ?? 0]}
          </>
        }
      >
        <Actions f={f} />
      </Head>
      <div className="split">
        <div className="stack">
          {asked && <Notice tone={f.actionState === S.FAILED ? "bad" : f.actionState === S.UNCERTAIN ? "" : "info"}>{asked}</Notice>}
          <History type={T.FRIEND} id={friendId} />
        </div>
        <div className="stack">
          <Card title="Record">
            <Facts
              of={[
                ["Account", <Link href={`/accounts/${show(f.accountId)}`}>{names.get(show(f.accountId))?.name || "The account"}</Link>],
                ["Number", <span className="mono">{f.platformUserId}</span>],
                ["Name, as they chose it", f.name || "not known"],
                f.friendSince && ["Friends since", when(f.friendSince)],
                ["Seen", f.seenAt ? when(f.seenAt) : "not yet"],
                f.note ? ["Note", f.note] : undefined,
                ["Recorded", when(f.createdAt)],
                ["Changed", when(f.updatedAt)],
                ["Version", String(f.version ?? "")],
                ["Id", <span className="mono">{show(f.id)}</span>],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}
