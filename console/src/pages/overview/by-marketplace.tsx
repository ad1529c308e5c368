import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { count } from "../../core/format.ts";
import { useCall } from "../../core/queries.ts";
import { getProfitAndLoss } from "../../gen/contracts/v1/profit_and_loss_calls.ts";
import { ProfitAndLossGrouping } from "../../gen/contracts/v1/profit_and_loss_pb.ts";
import { Card, Money } from "../../ui/card.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";

export function ByMarketplace({ from }: { from: Timestamp }) {
  const by = useCall(getProfitAndLoss, { from, groupBy: ProfitAndLossGrouping.BUY_MARKETPLACE }, { keep: true });
  return (
    <Card className="c12" title="By marketplace bought on" flush>
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
