// usage: node server.mjs PORT DATABASE_URL STATEMENT
// GetPurchase as people write it on Node: a Connect server, better-sqlite3 or pg. No authentication, no limits, no log.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

const [port, url, statement] = process.argv.slice(2);

const described = readFileSync(new URL("node_modules/contracts.fds.bin", import.meta.url));
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, described));
const contracts = registry.getService("contracts.v1.Contracts");

const find = url.startsWith("sqlite://") ? await onSqlite() : await onPostgres();

async function onSqlite() {
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(url.slice("sqlite://".length), { readonly: true });
  database.pragma("mmap_size = 1073741824");
  database.pragma("temp_store = memory");
  // SQLite knows $1 as a name; better-sqlite3 binds names, and values by position only to question marks.
  const query = database.prepare(statement.replace("$1", "?").replace("$2", "?")).safeIntegers();
  return async (workspace, purchase) => query.get(workspace, purchase);
}

async function onPostgres() {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  return async (workspace, purchase) => {
    const values = [uuid(workspace), uuid(purchase)];
    const { rows } = await pool.query({ name: "get_purchase", text: statement, values });
    return rows[0];
  };
}

function uuid(bytes) {
  return Buffer.from(bytes).toString("hex");
}

// An id as bytes: better-sqlite3 gives a Buffer, pg the text of a uuid.
function id(value) {
  return typeof value === "string" ? Buffer.from(value.replaceAll("-", ""), "hex") : value;
}

function timestamp(micros) {
  const at = BigInt(micros);
  return { seconds: at / 1000000n, nanos: Number(at % 1000000n) * 1000 };
}

// What is not on record is absent from the answer.
function known(value, form) {
  return value === null ? undefined : form(value);
}

async function getPurchase({ workspaceId, purchaseId }) {
  const row = await find(workspaceId, purchaseId);
  if (!row) throw new ConnectError("no such purchase", Code.NotFound);
  return {
    purchase: {
      id: id(row.id),
      workspaceId: id(row.workspace_id),
      contractId: id(row.contract_id),
      marketHashName: row.market_hash_name,
      status: Number(row.status),
      version: BigInt(row.version),
      listingPriceCents: BigInt(row.listing_price_cents),
      maxBuyPriceCents: BigInt(row.max_buy_price_cents),
      platformFeeCents: BigInt(row.platform_fee_cents),
      expectedFeeCents: BigInt(row.platform_fee_cents),
      listingId: row.listing_id,
      listingAssetId: row.listing_asset_id,
      marketplace: row.marketplace,
      accountName: row.account_name,
      createdAt: timestamp(row.created_at),
      updatedAt: timestamp(row.updated_at),
      intentId: known(row.intent_id, id),
      providerOrderId: known(row.order_id, String),
      executedPriceCents: known(row.executed_price_cents, BigInt),
      tradeOfferId: known(row.trade_offer_id, String),
      tradeId: known(row.trade_id, String),
      heldUntil: known(row.held_until, timestamp),
      protectedUntil: known(row.protected_until, timestamp),
      failureCode: known(row.failure_code, Number),
      refundedCents: known(Number(row.refunded_cents) || null, BigInt),
    },
  };
}

const routes = (router) => router.service(contracts, { getPurchase });
createServer(connectNodeAdapter({ routes })).listen(Number(port), "127.0.0.1");
