import { money, percent } from "../../core/format.ts";
import { read } from "../../core/ids.ts";
import { useContractNames } from "../../core/names.ts";
import { may } from "../../core/queries.ts";
import { ContractType, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { listContracts } from "../../gen/contracts/v1/contract_calls.ts";
import { evaluateContract } from "../../gen/contracts/v1/evaluation_calls.ts";
import { EvaluationDecision as D, type Evaluation } from "../../gen/contracts/v1/evaluation_pb.ts";
import type { InventoryItem } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Facts, Money } from "../../ui/card.tsx";
import { Status } from "../../ui/status.tsx";
import { Reasons } from "../contracts/reasons.tsx";

const sells = (c: Contract) => c.type === ContractType.SELLING;
/** What a selling contract would do with the item now, rule by rule. Nothing is done. */
export function AskContract({ item, places }: { item: InventoryItem; places: readonly string[] }) {
  const names = useContractNames(may(listContracts));
  const contracts = [...(names.data ?? [])].filter(([, c]) => sells(c));
  if (contracts.length === 0) return null;
  return (
    <Action
      label="Ask a contract"
      call={evaluateContract}
      title="What would a contract do with it?"
      confirm="Ask"
      text={<p>The contract evaluates its rules with the current prices. Nothing is done, and nothing is kept.</p>}
      start={{ contract: contracts[0]![0], market: item.saleMarketplace || places[0] || "" }}
      fields={[
        {
          name: "contract",
          label: "Contract",
          kind: "select",
          wide: true,
          options: contracts.map(([id, c]) => [id, c.name ?? ""] as const),
        },
        places.length
          ? { name: "market", label: "Marketplace", kind: "select", wide: true, options: places.map((n) => [n, n] as const) }
          : { name: "market", label: "Marketplace", required: true, wide: true, max: 64 },
      ]}
      old={["ListEvaluations"]}
      run={async (v) => {
        const { evaluation } = await evaluateContract({
          contractId: read(v.contract!),
          marketplace: v.market!.trim(),
          inventoryItemId: item.id!,
        });
        return <Answer e={evaluation} name={names.data?.get(v.contract!)?.name ?? ""} />;
      }}
    />
  );
}
const Answer = ({ e, name }: { e: Evaluation | undefined; name: string }) => (
  <div className="stack">
    <Facts
      of={[
        [name, <Status name={D[e?.decision ?? 0]} />],
        e?.askingPriceCents !== undefined && ["It would ask", <Money cents={e.askingPriceCents} />],
        e?.fairValueCents !== undefined && ["Value", `${money(e.fairValueCents)}, confidence ${percent(e.confidenceBps)}`],
        e?.expectedNetCents !== undefined && ["Expected after fees", <Money cents={e.expectedNetCents} />],
        e?.expectedMarginBps !== undefined && ["Margin", percent(e.expectedMarginBps)],
      ]}
    />
    <Reasons of={e} />
  </div>
);
