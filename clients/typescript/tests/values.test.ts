import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCents, formatId, parseCents, parseId } from "tradepost";

test("cents are written with two decimals and read back", () => {
  const amounts: [bigint, string][] = [
    [0n, "0.00"],
    [5n, "0.05"],
    [-5n, "-0.05"],
    [1234n, "12.34"],
    [-120000n, "-1200.00"],
    [9007199254740993n, "90071992547409.93"],
    [2n ** 63n - 1n, "92233720368547758.07"],
  ];
  for (const [cents, text] of amounts) {
    assert.equal(formatCents(cents), text);
    assert.equal(parseCents(text), cents);
  }
});

test("an amount may leave decimals out", () => {
  assert.equal(parseCents("12"), 1200n);
  assert.equal(parseCents("12.3"), 1230n);
  assert.equal(parseCents("-0.5"), -50n);
});

test("a text that is not an amount of cents is rejected", () => {
  for (const text of ["", "1.234", "1,50", ".5", "1.", "+1", "1e3", " 1", "NaN", "92233720368547758.08"]) {
    assert.throws(() => parseCents(text), RangeError, text);
  }
});

test("ids are written in base64 and read back", () => {
  const id = parseId("AZt22qgAcACAEbxSuwXyyQ==");
  assert.equal(id.length, 16);
  assert.equal(formatId(id), "AZt22qgAcACAEbxSuwXyyQ==");
});

test("a text that is not an id is rejected", () => {
  for (const text of ["", "AAAA", "not base64!"]) {
    assert.throws(() => parseId(text), RangeError, text);
  }
});
