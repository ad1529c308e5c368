import { plainly } from "../../core/format.ts";
import {
  ImportFormat as F,
  ImportKind as K,
  ImportRowOutcome as O,
  ImportStatus as S,
  type Import,
  type ImportReason,
  type ImportRow,
} from "../../gen/trading/v1/import_pb.ts";

/** The calls whose answers are old after an import was made, applied or cancelled. */
export const IMPORTS = ["ListImports", "CountImports", "GetImport", "ListImportRows", "ListTransitions"];
export const ACCOUNTS = ["ListAccounts", "CountAccounts", "GetAccounts", "GetAccount", "GetAccountGroups", "ListAccountGroups"];
export const STATUS_ORDER = [S.CHECKED, S.APPLYING, S.APPLIED, S.CANCELLED, S.EXPIRED];
/** The calls whose answers are old after holdings, purchases or sales were applied. */
export const HOLDINGS = [
  "ListInventoryItems",
  "CountInventoryItems",
  "GetInventoryItems",
  "ListPurchases",
  "CountPurchases",
  "ListLedgerEntries",
];
export const isHoldings = (i: Import): boolean => i.kind === K.HOLDINGS;
export const isPurchases = (i: Import): boolean => i.kind === K.PURCHASES;
export const isSales = (i: Import): boolean => i.kind === K.SALES;
/** Whether its rows are of items, and not of accounts. */
export const isOfItems = (i: Import): boolean => isHoldings(i) || isPurchases(i) || isSales(i);
/** What the rows of an import are called: one, and several. */
export const thingsOf = (i: Import): readonly [one: string, several: string] =>
  isHoldings(i)
    ? ["holding", "holdings"]
    : isPurchases(i)
      ? ["purchase", "purchases"]
      : isSales(i)
        ? ["sale", "sales"]
        : ["account", "accounts"];
/** What the key of a row is called. */
export const keyName = (i: Import): string => (isPurchases(i) ? "Order" : isOfItems(i) ? "Asset id" : "Number");
export const isOpen = (i: Import): boolean => i.status === S.CHECKED || i.status === S.APPLYING;
export const nameOf = (i: Import): string => i.name || thingsOf(i)[1];

/** What a format is called, and what is to be chosen of it. */
export interface Format {
  name: string;
  what: string;
  /** Several files may be chosen, which the page puts together. */
  many: boolean;
  /** The files may be encrypted with a passphrase. */
  sealed: boolean;
}
const TABLE =
  "Names of the fields: platform_user_id, name, login_name, password, shared_secret, identity_secret, api_key, trade_token, revocation_code.";
const HOLDINGS_TABLE =
  "Names of the fields: account or platform_user_id, asset_id, market_hash_name, app_id, context_id, wear, paint_seed, phase, price or price_cents, fee or fee_cents, currency, marketplace, order_id, bought_at, protected_until.";
const PURCHASES_TABLE =
  "Names of the fields: marketplace, order_id or listing_id, account or platform_user_id, asset_id, market_hash_name, price or price_cents, fee or fee_cents, currency, bought_at; held, or of a sold item sold_at, sale_price or sale_price_cents, sale_fee or sale_fee_cents, sale_marketplace, sale_order_id; app_id, wear, paint_seed, phase.";
const SALES_TABLE =
  "Names of the fields: asset_id, sold_at, price or price_cents, fee or fee_cents, currency, marketplace, order_id, account or platform_user_id, app_id, market_hash_name.";
const FORMATS: Record<F, Format> = {
  [F.UNSPECIFIED]: { name: "Not known here", what: "", many: false, sealed: false },
  [F.MAFILE]: { name: "One .maFile", what: "The file of one account that is not encrypted.", many: false, sealed: false },
  [F.MAFILE_BUNDLE]: {
    name: "Folder of .maFile files",
    what: "All files of the folder with its manifest.json, as Steam Desktop Authenticator keeps it. They may be encrypted; at most 200 then.",
    many: true,
    sealed: true,
  },
  [F.STEAMGUARD_CLI]: {
    name: "steamguard-cli",
    what: "The .maFile files of one account or more, not encrypted.",
    many: true,
    sealed: false,
  },
  [F.ASF_DB]: {
    name: "ArchiSteamFarm",
    what: "Of each bot its .json and its .db, from the folder config.",
    many: true,
    sealed: false,
  },
  [F.WINAUTH]: { name: "WinAuth", what: "The text that WinAuth exports: lines that begin with otpauth://.", many: false, sealed: false },
  [F.JSON]: {
    name: "JSON",
    what: `An array of objects. ${TABLE}`,
    many: false,
    sealed: false,
  },
  [F.CSV]: {
    name: "CSV",
    what: `A line of headings, then one line for each account. ${TABLE}`,
    many: false,
    sealed: false,
  },
};
export const FORMAT_ORDER = [F.MAFILE_BUNDLE, F.MAFILE, F.STEAMGUARD_CLI, F.ASF_DB, F.WINAUTH, F.CSV, F.JSON];
/** Holdings, purchases and sales are written as tables alone. */
export const HOLDING_FORMATS = [F.CSV, F.JSON];
export const formatOf = (f: F | undefined): Format => FORMATS[f ?? F.UNSPECIFIED];
const TABLES: Partial<Record<K, string>> = { [K.HOLDINGS]: HOLDINGS_TABLE, [K.PURCHASES]: PURCHASES_TABLE, [K.SALES]: SALES_TABLE };
/** Whether accounts are imported, and not the rows of a table of items. */
export const isOfAccounts = (k: K): boolean => TABLES[k] === undefined;
/** The same for what is imported. */
export const formatFor = (k: K, f: F | undefined): Format => {
  const table = TABLES[k] ?? "";
  if (table && f === F.JSON) return { ...FORMATS[F.JSON], what: `An array of objects. ${table}` };
  if (table && f === F.CSV) return { ...FORMATS[F.CSV], what: `A line of headings, then one line for each item. ${table}` };
  return formatOf(f);
};

type Look = [word: string, tone: "" | "gain" | "loss" | "warn" | "info", shape?: "ring" | "square"];
const OUTCOMES: Record<O, Look> = {
  [O.UNSPECIFIED]: ["Not known here", ""],
  [O.WILL_CREATE]: ["Will be created", "info", "ring"],
  [O.WILL_UPDATE]: ["Will be updated", "info", "ring"],
  [O.SAME]: ["Nothing to do", "", "square"],
  [O.REFUSED]: ["Refused", "loss", "square"],
  [O.CREATED]: ["Created", "gain", "square"],
  [O.UPDATED]: ["Updated", "gain", "square"],
  [O.FAILED]: ["Failed", "loss", "square"],
};
export const outcomeLook = (o: O | undefined): Look => OUTCOMES[o ?? O.UNSPECIFIED];
/** The outcomes that rows of an import can have now. */
export const outcomesOf = (i: Import): readonly O[] =>
  i.status === S.CHECKED
    ? [O.WILL_CREATE, O.WILL_UPDATE, O.SAME, O.REFUSED]
    : i.status === S.APPLIED
      ? [O.CREATED, O.UPDATED, O.SAME, O.REFUSED, O.FAILED]
      : [O.WILL_CREATE, O.WILL_UPDATE, O.CREATED, O.UPDATED, O.SAME, O.REFUSED, O.FAILED];

/** Why a row is not applied: what is wrong, and what helps. */
const REASONS: Record<string, [what: string, next: string]> = {
  NUMBER_INVALID: [
    "Its number is missing, or is not that of a person's account.",
    "It has 17 digits and begins with 7656119. Look it up in the account's profile.",
  ],
  NUMBER_TWICE: ["An earlier row has the same number.", "Take one of the two out. Nothing is merged."],
  NAME_INVALID: ["Its name cannot be the name of an account.", "Give it another one, or name accounts after their number."],
  NAME_TAKEN: ["Another account, or an earlier row, has its name.", "Give it another one. The name of an account never changes."],
  SECRET_INVALID: ["One of its secrets is not of the right form.", "Export the file again: a secret is often cut when it is copied."],
  TOKEN_INVALID: ["Its trade token is not one.", "Take it from the end of the account's trade address."],
  FILE_INVALID: ["Its file cannot be read.", "Export it again, and look whether it is of the format that you chose."],
  FILE_ENCRYPTED: [
    "Its file is encrypted, and the passphrase does not open it.",
    "Import it again with the passphrase, and with the manifest.json of its folder.",
  ],
  ACCOUNT_ELSEWHERE: [
    "Another workspace of this installation has the account.",
    "An account works for one workspace. Remove it there first.",
  ],
  GROUP_FULL: ["The group that you chose has no room for it.", "Choose another group, or none."],
  ACCOUNT_UNKNOWN: ["No account of the workspace has its name or number.", "Import the account first, or correct the row."],
  ASSET_INVALID: ["Its asset id, game or inventory context is missing or wrong.", "Take them from the inventory of the account."],
  ASSET_TWICE: ["An earlier row has the same asset id.", "Take one of the two out."],
  ASSET_KNOWN: ["An item of the workspace has or had the asset id.", "Take the row out: the item is on record."],
  HOLDING_DIFFERS: ["The item was imported before with something else.", "Take the row out. What was imported is not changed."],
  FIELD_INVALID: ["Its name is missing, or one of its fields is wrong.", "Correct the field that is named."],
  PRICE_INVALID: ["Its price, fee or currency is wrong.", "Amounts are in the workspace's currency, such as 12.50."],
  ORDER_TAKEN: ["Another purchase, or an earlier row, has its order.", "Correct the order, or take the row out."],
  ITEM_UNKNOWN: ["No item of the workspace has or had its asset id.", "Import the item as a holding first, or correct the asset id."],
  ITEM_NOT_HELD: [
    "Its item is on sale here, has ended, or was locked when it was sold.",
    "Take the item off sale first, or correct the time of the sale.",
  ],
  PURCHASE_DIFFERS: ["The purchase was imported before with something else.", "Take the row out. What was imported is not changed."],
  SALE_MISSING: [
    "It says neither that the item is held nor how it was sold.",
    "Write yes under held, or give the sale. One that brought nothing has a price and a fee of 0.",
  ],
  SALE_DIFFERS: ["The sale was imported before with something else.", "Take the row out. What was imported is not changed."],
  TIME_INVALID: ["One of its times is wrong.", "Write a day such as 2026-05-31, or a time of UTC. It is not in the future."],
};
export function reasonOf(r: ImportReason): { what: string; next: string; detail: string } {
  const named = plainly(r.detail).replace(/\b[a-z]+(_[a-z0-9]+)+\b/g, (n) => FIELDS[n]?.toLowerCase() ?? n);
  const detail = named.replace(/^./, (c) => c.toUpperCase());
  const known = REASONS[r.code ?? ""];
  return known ? { what: known[0], next: known[1], detail } : { what: detail || plainly(r.code), next: "", detail: "" };
}

const FIELDS: Record<string, string> = {
  platform_user_id: "Number at the platform",
  name: "Name",
  login_name: "Login name",
  password: "Password",
  shared_secret: "Shared secret",
  identity_secret: "Identity secret",
  api_key: "API key",
  trade_token: "Trade token",
  revocation_code: "Revocation code",
  device_id: "Device of its authenticator",
  serial_number: "Serial number of its authenticator",
  uri: "Address of its authenticator",
  secret_1: "Further secret of its authenticator",
  account: "Account",
  asset_id: "Asset id",
  app_id: "Game",
  context_id: "Inventory context",
  market_hash_name: "Item",
  wear: "Float",
  paint_seed: "Paint seed",
  price_cents: "Price in cents",
  fee_cents: "Fee in cents",
  order_id: "Order",
  bought_at: "Bought",
  protected_until: "Reversible until",
  sold_at: "Sold",
  held: "Still held",
  listing_id: "Listing",
  sale_price: "Price of its sale",
  sale_price_cents: "Price of its sale in cents",
  sale_fee: "Fee of its sale",
  sale_fee_cents: "Fee of its sale in cents",
  sale_marketplace: "Marketplace of its sale",
  sale_order_id: "Order of its sale",
};
export const fieldName = (name: string | undefined): string =>
  FIELDS[name ?? ""] ?? (name ?? "").replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());
export const isGiven = (value: string | undefined): boolean => value !== undefined && value !== "" && value !== "missing";
const valueOf = (r: ImportRow, name: string): string => {
  const value = r.fields.find((f) => f.name === name)?.value;
  return isGiven(value) ? value! : "";
};
/** What a row is called: by its name, else by its number; "Row 3" of one of which neither was understood. */
export const rowName = (r: ImportRow): string => valueOf(r, "name") || valueOf(r, "market_hash_name") || r.key || `Row ${r.number ?? "–"}`;
/** An amount as it is written, with its unit where it is in cents. */
const amountOf = (r: ImportRow, name: string): string => {
  const cents = valueOf(r, `${name}_cents`);
  return valueOf(r, name) || (cents && `${cents} cents`);
};
/** The price of a holding, of a purchase with its sale, or of a sale; that the cost of a holding is unknown where none is. */
const costOf = (r: ImportRow): string => {
  const [price, sale] = [amountOf(r, "price"), amountOf(r, "sale_price")];
  if (sale) return `Bought for ${price}, sold for ${sale}`;
  if (valueOf(r, "sold_at")) return `Sold for ${price}`;
  return price ? `Bought for ${price}` : "Its cost is unknown";
};
const isHolding = (r: ImportRow): boolean => r.fields.some((f) => f.name === "asset_id" || f.name === "market_hash_name");
/** Why a row is not applied; of one that is, what was understood of it besides its name and number. */
export const remarkOf = (r: ImportRow): string =>
  r.reasons.length
    ? r.reasons.map((why) => reasonOf(why).what).join(" ")
    : isHolding(r)
      ? costOf(r)
      : r.fields
          .filter((f) => isGiven(f.value) && f.name !== "name" && f.name !== "platform_user_id")
          .map((f) => fieldName(f.name))
          .join(", ") || "No secret";
