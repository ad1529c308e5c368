import { money } from "../../core/format.ts";
import type { Capital } from "../../core/money.ts";
import { Empty } from "../../ui/state.tsx";

const PARTS: [key: keyof Capital, name: string, cls: string][] = [
  ["available", "Free to spend", "k1"],
  ["reserved", "Reserved for purchases", "k2"],
  ["transit", "Paid, not delivered", "k3"],
  ["refund", "Refunds due", "k4"],
  ["inventory", "Items held", "k5"],
  ["delivered", "Delivered to buyers", "k6"],
  ["receivable", "Sales to be paid out", "k7"],
];
const abs = (n: bigint) => (n < 0n ? -n : n);

/** What was paid for items that belong to no pool: in none of the other amounts. */
const Unpooled = ({ cents }: { cents: bigint }) =>
  cents === 0n ? null : (
    <p className="muted">
      Besides, <b className="num">{money(cents)}</b> was paid for items that were bought without a pool and are not sold. It is in none of
      these amounts.
    </p>
  );

/** What the capital is in: a strip whose parts are as wide as their amounts, and the amounts. */
export function CapitalParts({ capital, unpooled = 0n }: { capital: Capital; unpooled?: bigint | undefined }) {
  const whole = PARTS.reduce((s, [k]) => s + abs(capital[k]), 0n);
  if (whole === 0n)
    return (
      <div className="capital">
        <Empty icon="pools" title="No pool holds money yet.">
          <p>A pool is money that contracts spend. Add one, and put funds into it.</p>
        </Empty>
        <Unpooled cents={unpooled} />
      </div>
    );
  return (
    <div className="capital">
      <div className="strip" aria-hidden="true">
        {PARTS.filter(([k]) => capital[k] !== 0n).map(([k, , cls]) => (
          <i
            key={k}
            className={cls}
            ref={(e) => {
              if (e) e.style.flex = String(Number((abs(capital[k]) * 10_000n) / whole));
            }}
          />
        ))}
      </div>
      <ul>
        {PARTS.map(([k, name, cls]) => (
          <li key={k}>
            <span className={cls}>{name}</span>
            <b className={`num ${capital[k] < 0n ? "loss" : ""}`}>{money(capital[k])}</b>
          </li>
        ))}
      </ul>
      <Unpooled cents={unpooled} />
    </div>
  );
}
