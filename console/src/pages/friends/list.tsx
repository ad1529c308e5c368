import { useAccountChoices } from "../../core/accounts.ts";
import { iso, several, when } from "../../core/format.ts";
import { read, short, show } from "../../core/ids.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { listConversations } from "../../gen/trading/v1/chat_calls.ts";
import { countFriends, getFriends, listFriends } from "../../gen/trading/v1/friend_calls.ts";
import { FriendRelation as R, type Friend } from "../../gen/trading/v1/friend_pb.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Head, Named } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterChoice, numbersOf, useFilters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { AccountActions } from "./actions.tsx";
import { BULK } from "./bulk.tsx";
import { askedOf, nameOf, RELATION_ORDER } from "./words.ts";

const columns = (accountOf: (f: Friend) => string): Column<Friend>[] => [
  { id: "name", head: "Friend", phone: "title", cell: (f) => <Named name={nameOf(f)} />, text: nameOf },
  {
    id: "relation",
    head: "Relation",
    width: "10.5rem",
    phone: "status",
    cell: (f) => <Status name={R[f.relation ?? 0]} />,
    text: (f) => wordOf(R[f.relation ?? 0]),
  },
  {
    id: "number",
    head: "Number",
    width: "11.5rem",
    from: "md",
    cell: (f) => <span className="mono muted clip">{f.platformUserId}</span>,
    text: (f) => f.platformUserId ?? "",
  },
  {
    id: "account",
    head: "Account",
    width: "8rem",
    from: "md",
    cell: (f) => <span className="clip muted">{accountOf(f)}</span>,
    text: accountOf,
  },
  {
    id: "asked",
    head: "Asked for",
    width: "17rem",
    from: "lg",
    cell: (f) => <span className="clip">{askedOf(f) || "–"}</span>,
    text: askedOf,
  },
  {
    id: "theirs",
    head: "Note",
    width: "12rem",
    from: "xl",
    cell: (f) => <span className="clip muted">{f.note || "–"}</span>,
    text: (f) => f.note ?? "",
  },
  { id: "since", head: "Friends since", phoneOnly: true, cell: () => null, text: (f) => iso(f.friendSince) },
  {
    id: "seen",
    head: "Seen",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (f) => <span className="num muted">{when(f.seenAt)}</span>,
    text: (f) => iso(f.seenAt),
  },
  {
    id: "note",
    head: "Account",
    phone: "note",
    phoneOnly: true,
    cell: (f) => (
      <span className="clip">
        {accountOf(f)}, {f.platformUserId}
      </span>
    ),
  },
];
const FILTERS = ["relation", "account"];
/** Whom the accounts are related to at the platform, and who asks for it. */
export default function Friends() {
  const filters = useFilters(FILTERS);
  const { accounts } = useAccountChoices();
  const [relation = R.UNSPECIFIED] = numbersOf<R>(R, filters.of("relation"));
  const account = filters.of("account");
  const accountId = read(account);
  const counts = useCall(countFriends, {});
  const records = useRecords<Friend>({
    name: "ListFriends",
    filter: [account, relation],
    subject: T.FRIEND,
    list: async (cursor, signal) => {
      const a = await listFriends({ limit: 100, cursor, accountId, relation }, { signal });
      return { ids: a.friendIds, next: a.nextCursor };
    },
    get: async (friendIds, signal) => (await getFriends({ friendIds }, { signal })).friends,
  });
  const names = useSubjectNames(records.rows.map((f) => ({ subjectType: T.ACCOUNT, subjectId: f.accountId })));
  const shown = columns((f) => names.get(show(f.accountId))?.name ?? short(f.accountId));
  // The server counts all of a workspace: for one account the numbers would be of other rows.
  const known = account ? undefined : counts.data?.counts;
  const of = (r: R) => known?.find((c) => c.relation === r)?.count ?? 0;
  const total = RELATION_ORDER.reduce((n, r) => n + of(r), 0);
  const asking = counts.data?.counts.find((c) => c.relation === R.THEY_ASKED)?.count ?? 0;
  return (
    <>
      <Head
        title="Friends"
        note={
          asking
            ? `${several(asking, "account asks", "accounts ask")} for friendship.`
            : "Whom the accounts are related to at the platform. What it shows replaces what is recorded."
        }
      >
        <SaveRows name="friends" columns={shown} of={records} />
        {may(listConversations) && <LinkButton href={account ? `/chats?account=${account}` : "/chats"}>Chats</LinkButton>}
        <AccountActions accounts={accounts} chosen={account} />
      </Head>
      <div className="tools">
        <FilterChoice label="Account" name="account" filters={filters} choices={[["", "any"], ...accounts]} />
        <ClearFilters filters={filters} />
      </div>
      <Facets
        label="Relation"
        chosen={String(relation)}
        choose={(r) => filters.set("relation", Number(r) ? R[Number(r)]! : "")}
        choices={[
          { id: "0", name: "All", count: known && total },
          ...RELATION_ORDER.map((r) => ({ id: String(r), name: wordOf(R[r]), count: known && of(r) })),
        ]}
      />
      <Card flush>
        <RecordTable
          label="Friends"
          columns={shown}
          records={records}
          bulk={BULK}
          href={(f) => `/friends/${show(f.id)}`}
          total={!known ? -1 : relation ? of(relation) : total}
          empty={
            <Empty icon="members" title={filters.any ? "No one is like that." : "No one is related to the accounts yet."}>
              <p>
                {filters.any
                  ? "Choose other filters, or none."
                  : "The engine reads the list of each account every 15 minutes. Partners of trades who ask for friendship appear here."}
              </p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
