/** Amounts are whole cents as `bigint`: no amount passes through a floating-point number. */

const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;
const LARGEST = 2n ** 63n - 1n;

/** Returns an amount with two decimals: `-1234n` is `"-12.34"`. */
export function formatCents(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Returns the cents of an amount with at most two decimals: `"12.3"` is `1230n`.
 *
 * @throws RangeError for any other text, and beyond 64 bits.
 */
export function parseCents(amount: string): bigint {
  const [, sign, whole, decimals = ""] = AMOUNT.exec(amount) ?? [];
  if (whole === undefined) {
    throw new RangeError(`not an amount with at most two decimals: "${amount}"`);
  }
  const cents = BigInt(whole) * 100n + BigInt(decimals.padEnd(2, "0"));
  if (cents > LARGEST) {
    throw new RangeError(`beyond 64 bits: "${amount}"`);
  }
  return sign === "-" ? -cents : cents;
}
