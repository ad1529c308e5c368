// @connectrpc/connect-node in its three protocols: one call that succeeds and one that fails, checked.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";

const { INTERFACE, BASE_URL, API_KEY, WORKSPACE_ID, PURCHASE_ID } = process.env;

const files = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(INTERFACE)));
const service = files.getService("contracts.v1.Contracts");
const baseUrl = BASE_URL;
const transports = {
  "Connect, JSON": createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  "Connect, binary": createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: true }),
  gRPC: createGrpcTransport({ baseUrl }),
  "gRPC-Web": createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
};

const workspaceId = base64Decode(WORKSPACE_ID);
const purchaseId = base64Decode(PURCHASE_ID);
const headers = { Authorization: `Bearer ${API_KEY}` };

for (const [protocol, transport] of Object.entries(transports)) {
  const client = createClient(service, transport);

  const { purchase } = await client.getPurchase({ workspaceId, purchaseId }, { headers });
  assert.deepEqual(purchase.id, purchaseId);

  const unknown = client.getPurchase({ workspaceId, purchaseId: new Uint8Array(16) }, { headers });
  await assert.rejects(unknown, (error) => {
    assert.equal(ConnectError.from(error).code, Code.NotFound);
    assert.equal(error.metadata.get("x-error-reason"), "NOT_FOUND");
    return true;
  });
  console.log(`connect-node, ${protocol}: a purchase, and not_found for an unknown one`);
}
process.exit(0);
