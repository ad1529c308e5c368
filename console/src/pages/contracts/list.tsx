import { count, decimal, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { countContracts, createContract, getContracts, listContracts } from "../../gen/contracts/v1/contract_calls.ts";
import { ContractStatus as S, ContractType as K, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Head, Meter, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { StatusFacets, useStatus } from "../../ui/statuses.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { APPROVAL } from "./words.ts";

const kind = (c: Contract) => (c.type === K.SELLING ? "Sells" : "Buys");
const filled = (c: Contract) => c.progress?.filledQuantity ?? 0;
const COLUMNS: Column<Contract>[] = [
  { id: "name", head: "Contract", phone: "title", cell: (c) => <span className="clip">{c.name}</span>, text: (c) => c.name ?? "" },
  { id: "type", head: "Does", width: "5.5rem", from: "md", cell: kind, text: kind },
  {
    id: "status",
    head: "Status",
    width: "8rem",
    phone: "status",
    cell: (c) => <Status name={S[c.status ?? 0]} />,
    text: (c) => wordOf(S[c.status ?? 0]),
  },
  {
    id: "approval",
    head: "Approval",
    width: "7.5rem",
    from: "lg",
    cell: (c) => <span className="muted">{APPROVAL[c.approvalMode ?? 0]}</span>,
    text: (c) => APPROVAL[c.approvalMode ?? 0],
  },
  {
    id: "progress",
    head: "Filled",
    width: "10rem",
    from: "md",
    cell: (c) =>
      c.buying ? (
        <>
          <span className="num">
            {count(filled(c))} of {count(c.buying.targetQuantity)}
          </span>
          <Meter part={filled(c)} whole={c.buying.targetQuantity ?? 0} label={`${filled(c)} of ${c.buying.targetQuantity ?? 0}`} />
        </>
      ) : (
        <span className="num">{count(filled(c))} sold</span>
      ),
    text: (c) => String(filled(c)),
  },
  {
    id: "spent",
    head: "Spent",
    width: "8.25rem",
    end: true,
    phone: "end",
    cell: (c) => (c.buying ? <Money cents={c.progress?.spentCents} /> : <span className="muted">–</span>),
    text: (c) => decimal(c.progress?.spentCents ?? 0n),
  },
  {
    id: "budget",
    head: "Budget",
    width: "8.25rem",
    end: true,
    from: "lg",
    cell: (c) =>
      c.buying ? (
        <span className="muted">
          <Money cents={c.buying.budgetCents} />
        </span>
      ) : (
        <span className="muted">–</span>
      ),
    text: (c) => (c.buying ? decimal(c.buying.budgetCents ?? 0n) : ""),
  },
  {
    id: "at",
    head: "Changed",
    width: "11.5rem",
    end: true,
    from: "lg",
    cell: (c) => <span className="num muted">{when(c.updatedAt)}</span>,
    text: (c) => iso(c.updatedAt),
  },
  {
    id: "note",
    head: "Does",
    phone: "note",
    phoneOnly: true,
    cell: (c) => (
      <span>
        {kind(c)}, {count(filled(c))} filled
      </span>
    ),
  },
];
const ORDER = [S.ACTIVE, S.DRAFT, S.PAUSED, S.SUSPENDED, S.CLOSING, S.COMPLETED, S.CANCELLED, S.EXPIRED];

export default function Contracts() {
  const [status, choose] = useStatus<S>(S);
  const counts = useCall(countContracts, {});
  const records = useRecords<Contract>({
    name: "ListContracts",
    filter: status,
    subject: T.CONTRACT,
    list: async (cursor, signal) => {
      const a = await listContracts({ limit: 100, cursor, status }, { signal });
      return { ids: a.contractIds, next: a.nextCursor };
    },
    get: async (contractIds, signal) => (await getContracts({ contractIds }, { signal })).contracts,
  });
  const of = (s: S) => counts.data?.counts.find((c) => c.status === s)?.count ?? 0;
  const total = ORDER.reduce((n, s) => n + of(s), 0);
  return (
    <>
      <Head title="Contracts" note="Standing orders: what to buy or sell, within which limits.">
        <SaveRows name="contracts" columns={COLUMNS} of={records} />
        {may(createContract) && (
          <LinkButton href="/contracts/new" kind="primary">
            <Icon name="plus" /> New contract
          </LinkButton>
        )}
      </Head>
      <StatusFacets statuses={S} counts={counts.data?.counts} chosen={status} choose={choose} order={ORDER} />
      <Card flush>
        <RecordTable
          label="Contracts"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(c) => `/contracts/${show(c.id)}`}
          total={status ? of(status) : total}
          empty={
            <Empty icon="contracts" title={status ? "No contract has this status." : "There is no contract yet."}>
              <p>
                A contract buys or sells by itself, within limits that you set. Begin with a draft: it does nothing until you activate it.
              </p>
              {may(createContract) && <LinkButton href="/contracts/new">Write the first one</LinkButton>}
            </Empty>
          }
        />
      </Card>
    </>
  );
}
