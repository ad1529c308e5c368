import assert from "node:assert/strict";
import type { DescService } from "@bufbuild/protobuf";
import { after, before, test } from "node:test";
import { Accounts, Alerts, connect, Contracts, Events, formatId, Markets, parseId, PurchaseStatus, Trading, TradepostError } from "tradepost";
import { startDemo, type Demo } from "./demo.js";
import { Proxy } from "./proxy.js";

let demo: Demo;

before(async () => {
  demo = await startDemo("--still");
});

after(() => demo.stop());

test("the workspace of a key need not be named", async () => {
  const { workspace } = await connect(demo.baseUrl, demo.readOnlyApiKey).accounts.getWorkspace();
  assert.equal(formatId(workspace?.id ?? new Uint8Array()), demo.workspaceId);
});

test("a list yields every record of all pages", async () => {
  const tradepost = demo.connect();
  const { counts } = await tradepost.contracts.countPurchases();
  const expected = counts.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const seen = new Set<string>();
  for await (const purchase of tradepost.contracts.purchases({ limit: 50 })) {
    seen.add(formatId(purchase.id ?? new Uint8Array()));
  }
  assert.ok(expected > 100, "more than two pages");
  assert.equal(seen.size, expected);
});

test("a list keeps its filters on every page", async () => {
  const tradepost = demo.connect();
  const { counts } = await tradepost.contracts.countPurchases();
  let settled = 0;
  for await (const purchase of tradepost.contracts.purchases({ status: PurchaseStatus.SETTLED, limit: 10 })) {
    assert.equal(purchase.status, PurchaseStatus.SETTLED);
    settled += 1;
  }
  assert.equal(settled, counts.find(({ status }) => status === PurchaseStatus.SETTLED)?.count);
});

test("every list with pages can be read", async () => {
  const { accounts, alerts, contracts, events, markets, trading } = demo.connect();
  const services: DescService[] = [Accounts, Alerts, Contracts, Events, Markets, Trading];
  // Creating an endpoint, an alert channel or an import needs a second factor, and `demo --still` has no snapshots and no conversations.
  const without = [
    "listAlertMessages",
    "listAlertRules",
    "listImportRows",
    "listMessages",
    "listSnapshotItems",
    "listWebhookDeliveries",
    "compareSnapshots",
  ];
  const isThere = (name: string) => !without.includes(name);
  const methods = services.flatMap((service) => service.methods).filter((method) => "nextCursor" in method.output.field);
  const lists = methods.filter(({ localName }) => isThere(localName));
  const functions = { ...accounts, ...alerts, ...contracts, ...events, ...markets, ...trading } as Record<string, unknown>;
  // These take more than a workspace.
  const requests: Record<string, object> = {
    listContractVersions: { contractId: (await contracts.listContracts()).contractIds[0] },
    listAssetIDLinks: { inventoryItemId: (await contracts.listInventoryItems()).inventoryItemIds[0] },
  };
  for (const { localName } of lists) {
    const name = localName.replace(/^list./, (start) => start.slice(-1).toLowerCase());
    const list = functions[name] as (request?: object) => AsyncIterable<object>;
    for await (const record of list(requests[localName])) {
      assert.ok("$typeName" in record, localName);
      break;
    }
  }
  assert.ok(lists.length > 15, `${lists.length} lists`);
});

test("an error has its code, reason and detail", async () => {
  await assert.rejects(demo.connect().contracts.getPurchase({ purchaseId: new Uint8Array(16) }), (error) => {
    assert.ok(error instanceof TradepostError);
    assert.deepEqual([error.code, error.reason, error.detail], ["not_found", "NOT_FOUND", "purchase not found"]);
    return true;
  });
});

test("a key without the right for a call is denied", async () => {
  const readOnly = connect(demo.baseUrl, demo.readOnlyApiKey);
  await assert.rejects(readOnly.contracts.createFilterSet({ name: "x" }), { code: "permission_denied", reason: "PERMISSION_DENIED" });
});

test("a workspace that is named goes before that of the key", async () => {
  const other = demo.connect({ workspaceId: demo.otherWorkspaceId });
  await assert.rejects(other.contracts.countPurchases(), { reason: "PERMISSION_DENIED" });
  const workspaceId = parseId(demo.otherWorkspaceId);
  await assert.rejects(demo.connect().contracts.countPurchases({ workspaceId }), { reason: "PERMISSION_DENIED" });
});

test("a write whose answer is lost is carried out once", async () => {
  const proxy = await Proxy.before(demo.baseUrl);
  const tradepost = connect(proxy.url, demo.apiKey, { workspaceId: demo.workspaceId, retry: { firstDelayMs: 0 } });
  proxy.answersToLose = 2;
  const { filterSet } = await tradepost.contracts.createFilterSet({ name: "Written once", rules: { weapons: ["AK-47"] } });
  assert.equal(proxy.answersToLose, 0);
  const named: string[] = [];
  for await (const found of tradepost.contracts.filterSets()) {
    if (found.name === "Written once") {
      named.push(formatId(found.id ?? new Uint8Array()));
    }
  }
  assert.deepEqual(named, [formatId(filterSet?.id ?? new Uint8Array())]);
  await proxy.down();
});

test("a server that is not there is an error with its address", async () => {
  const proxy = await Proxy.before(demo.baseUrl);
  await proxy.down();
  const tradepost = connect(proxy.url, demo.apiKey, { workspaceId: demo.workspaceId, retry: { firstDelayMs: 0 } });
  await assert.rejects(tradepost.contracts.countPurchases(), (error) => {
    assert.ok(error instanceof TradepostError);
    assert.deepEqual([error.code, error.reason], ["unavailable", undefined]);
    assert.match(error.detail, new RegExp(`^no answer from ${proxy.url}: .*ECONNREFUSED.*; start the server, or correct its address`));
    return true;
  });
});

test("what is not given comes from the variables", async () => {
  process.env["TRADEPOST_URL"] = demo.baseUrl;
  process.env["TRADEPOST_API_KEY"] = demo.apiKey;
  try {
    assert.ok((await connect().contracts.countPurchases()).counts.length > 0);
  } finally {
    delete process.env["TRADEPOST_URL"];
    delete process.env["TRADEPOST_API_KEY"];
  }
});

test("a client without a key is not made", () => {
  assert.throws(() => connect(demo.baseUrl), /TRADEPOST_API_KEY/);
});

test("a client of what is not the address of a server is not made", () => {
  for (const url of ["localhost:8080", "ws://localhost:8080", "http://", "http://localhost:99999", ""]) {
    assert.throws(() => connect(url, demo.apiKey), /is not the address of a server: .*TRADEPOST_URL/, url);
  }
});
