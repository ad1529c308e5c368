import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { count, decimal } from "../../core/format.ts";
import { place } from "../../core/place.ts";
import { useCall } from "../../core/queries.ts";
import { getProfitAndLoss } from "../../gen/contracts/v1/profit_and_loss_calls.ts";
import { ProfitAndLossGrouping, type ProfitAndLossRow as ProfitAndLoss } from "../../gen/contracts/v1/profit_and_loss_pb.ts";
import { Card, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";

const amount = (of: (r: ProfitAndLoss) => bigint | undefined) => (r: ProfitAndLoss) => decimal(of(r) ?? 0n);
const FILE = [
  { head: "Marketplace", text: (r: ProfitAndLoss) => r.key ?? "" },
  { head: "Final sales", text: (r: ProfitAndLoss) => String(r.soldCount ?? 0n) },
  { head: "Cost", text: amount((r) => r.costSoldCents) },
  { head: "Proceeds", text: amount((r) => r.proceedsCents) },
  { head: "Fees", text: amount((r) => (r.buyFeesCents ?? 0n) + (r.saleFeesCents ?? 0n)) },
  { head: "Realised", text: amount((r) => r.realisedCents) },
  { head: "Unrealised", text: amount((r) => r.unrealisedCents) },
];
export default function ByMarketplace({ from }: { from: Timestamp }) {
  const groupBy = ProfitAndLossGrouping.BUY_MARKETPLACE;
  const by = useCall(getProfitAndLoss, { from, timeZone: place.timeZone, groupBy }, { keep: true });
  return (
    <Card
      className="c12"
      title="By marketplace bought on"
      flush
      extra={by.data && <SaveRows name="by-marketplace" columns={FILE} rows={by.data.rows} />}
    >
      {by.isError ? (
        <div className="body">
          <Failed error={by.error} again={by.refetch} />
        </div>
      ) : !by.data ? (
        <div className="body">
          <Skeleton />
        </div>
      ) : by.data.rows.length === 0 ? (
        <Empty icon="market" title="Nothing was sold in this time." />
      ) : (
        <div className="scroll" tabIndex={0} role="region" aria-label="Profit by marketplace">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Marketplace</th>
                <th scope="col" className="end">
                  Final sales
                </th>
                <th scope="col" className="end">
                  Cost
                </th>
                <th scope="col" className="end">
                  Proceeds
                </th>
                <th scope="col" className="end">
                  Fees
                </th>
                <th scope="col" className="end">
                  Realised
                </th>
                <th scope="col" className="end">
                  Unrealised
                </th>
              </tr>
            </thead>
            <tbody>
              {by.data.rows.map((r) => (
                <tr key={r.key}>
                  <th scope="row">{r.key || "None"}</th>
                  <td className="num end">{count(r.soldCount)}</td>
                  <td className="end">
                    <Money cents={r.costSoldCents} />
                  </td>
                  <td className="end">
                    <Money cents={r.proceedsCents} />
                  </td>
                  <td className="end">
                    <Money cents={(r.buyFeesCents ?? 0n) + (r.saleFeesCents ?? 0n)} />
                  </td>
                  <td className="end">
                    <Money cents={r.realisedCents} signed />
                  </td>
                  <td className="end">
                    {(r.openCount ?? 0n) > 0n && r.unpricedCount === r.openCount ? (
                      <span className="muted">no price</span>
                    ) : (
                      <Money cents={r.unrealisedCents} signed />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
