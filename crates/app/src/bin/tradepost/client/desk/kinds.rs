//! The sections of a desk file: which records they create, by which operations, and with which fields.

use tradepost::domain::contracts::contract::{ApprovalMode, BasisPoints, Contract, PriceStatistic};
use tradepost::domain::markets::listing::{Category, Exterior, Rarity};
use tradepost::domain::markets::provider::ProviderKind;
use tradepost::domain::money::Cents;
use tradepost::domain::trading::trading_account::AccountRole;

use super::fields::{Field, Form};

/// A section of the file.
pub(super) struct Kind {
    /// Its name in the file.
    pub(super) section: &'static str,
    /// One of its records, for readers.
    pub(super) noun: &'static str,
    pub(super) about: &'static str,
    /// The fields that distinguish its records.
    pub(super) identity: &'static [&'static str],
    pub(super) fields: &'static [Field],
    pub(super) calls: Calls,
}

/// The operations of a kind of record, and the fields of their messages.
pub(super) struct Calls {
    pub(super) service: &'static str,
    pub(super) list: &'static str,
    /// The operation that returns records by their ids, and the field with the ids; absent where the list has the records.
    pub(super) get: Option<(&'static str, &'static str)>,
    /// The records in an answer with many, and the record in an answer with one.
    pub(super) many: &'static str,
    pub(super) one: &'static str,
    /// The record in a request about it.
    pub(super) id: &'static str,
    pub(super) create: &'static str,
    pub(super) update: &'static str,
}

/// The sections in the order in which their records are written: one that is named precedes those that name it.
pub(super) const KINDS: [&Kind; 7] =
    [&POOLS, &FILTER_SETS, &PROVIDERS, &ACCOUNTS, &ASSIGNMENTS, &PRICE_OVERRIDES, &CONTRACTS];

/// The section of this name.
pub(super) fn kind(section: &str) -> Option<&'static Kind> {
    KINDS.into_iter().find(|kind| kind.section == section)
}

const NAME: Form = Form::Text { most: 64 };
const COUNT: Form = Form::Whole { least: 0, most: i32::MAX as i64 };
const BPS: Form = Form::Whole { least: 0, most: BasisPoints::MAX.get() as i64 };
const AMOUNT: Form = Form::Amount { least: 0 };
const PRICE: Form = Form::Amount { least: Cents::ONE.get() };

fn lower(names: impl Iterator<Item = &'static str>) -> Vec<String> {
    names.map(str::to_ascii_lowercase).collect()
}

const fn list(of: &'static Form, most: usize) -> Form {
    Form::List { of, least: 0, most }
}

const fn name() -> Field {
    Field::new("name", "name", NAME, "Name, 1 to 64 characters; it identifies the record").required()
}

static POOLS: Kind = Kind {
    section: "pools",
    noun: "pool",
    about: "Capital with limits, from which contracts buy. A file never moves money: `AdjustPoolFunds` does",
    identity: &["name"],
    fields: &[
        name(),
        Field::new("limits", "limits", Form::Table(POOL_LIMITS), "The limits of the pool").required(),
        Field::new("state", "", Form::Choice { prefix: "", names: pool_states }, "Whether contracts buy from it")
            .status(),
    ],
    calls: Calls {
        service: "contracts.v1.Contracts",
        list: "ListPools",
        get: Some(("GetPools", "poolIds")),
        many: "pools",
        one: "pool",
        id: "poolId",
        create: "CreatePool",
        update: "UpdatePool",
    },
};

fn pool_states() -> Vec<String> {
    lower(["ACTIVE", "PAUSED"].into_iter())
}

const POOL_LIMITS: &[Field] = &[
    Field::new("budget", "budgetCents", PRICE, "The most capital that may be in the pool").required(),
    Field::new("max_per_purchase", "maxPerPurchaseCents", PRICE, "The most that one purchase may cost"),
    Field::new(
        "max_exposure_per_item",
        "maxExposurePerItemCents",
        PRICE,
        "The most at stake in items of one market name",
    ),
    Field::new("daily_limit", "dailyLimitCents", PRICE, "The most that purchases of one day of UTC may cost together"),
];

static FILTER_SETS: Kind = Kind {
    section: "filter_sets",
    noun: "filter set",
    about: "Named rules for the items that a contract matches",
    identity: &["name"],
    fields: &[
        name(),
        Field::new("rules", "rules", Form::Table(RULES), "The rules; an item must meet every one that is set")
            .required(),
    ],
    calls: Calls {
        service: "contracts.v1.Contracts",
        list: "ListFilterSets",
        get: Some(("GetFilterSets", "filterSetIds")),
        many: "filterSets",
        one: "filterSet",
        id: "filterSetId",
        create: "CreateFilterSet",
        update: "UpdateFilterSet",
    },
};

const LONG_NAME: Form = Form::Text { most: 256 };
const RARITY: Form = Form::Choice { prefix: "RARITY_", names: || lower(Rarity::ALL.iter().map(|name| name.as_str())) };
const EXTERIOR: Form =
    Form::Choice { prefix: "EXTERIOR_", names: || lower(Exterior::ALL.iter().map(|name| name.as_str())) };
const CATEGORY: Form =
    Form::Choice { prefix: "ITEM_CATEGORY_", names: || lower(Category::ALL.iter().map(|name| name.as_str())) };

const NAMES_OF_ITEMS: Field =
    Field::new("market_hash_names", "marketHashNames", list(&LONG_NAME, 500), "Whole market names, one of them");
const PARTS_OF_NAMES: Field = Field::new(
    "name_contains",
    "nameContains",
    list(&NAME, 50),
    "Parts of market names, 2 to 64 characters, one of them",
);
const WEAPONS: Field = Field::new("weapons", "weapons", list(&NAME, 500), "Weapons, such as AK-47, one of them");
const RARITIES: Field = Field::new("rarities", "rarities", list(&RARITY, 500), "Rarities, one of them");
const EXTERIORS: Field = Field::new("exteriors", "exteriors", list(&EXTERIOR, 500), "Exteriors, one of them");
const CATEGORIES: Field = Field::new("categories", "categories", list(&CATEGORY, 500), "Categories, one of them");
const PHASES: Field = Field::new("phases", "phases", list(&NAME, 500), "Phases, such as Phase 2, one of them");
const SEEDS: Field = Field::new("paint_seeds", "paintSeeds", list(&COUNT, 500), "Pattern seeds, one of them");
const INDEXES: Field = Field::new("paint_indexes", "paintIndexes", list(&COUNT, 500), "Finish numbers, one of them");
const STICKERS: Field = Field::new("stickers", "stickers", list(&Form::Table(STICKER), 50), "Stickers, one of them");
const CHARMS: Field = Field::new("charms", "charms", list(&LONG_NAME, 500), "Names of charms, one of them");

const RULES: &[Field] = &[
    NAMES_OF_ITEMS,
    PARTS_OF_NAMES,
    WEAPONS,
    RARITIES,
    EXTERIORS,
    CATEGORIES,
    PHASES,
    Field::new("float_min", "floatMin", Form::Decimal, "The least float value"),
    Field::new("float_max", "floatMax", Form::Decimal, "The highest float value"),
    SEEDS,
    INDEXES,
    STICKERS,
    CHARMS,
    Field::new("price_min", "priceMinCents", AMOUNT, "The lowest price, without fee"),
    Field::new("price_max", "priceMaxCents", AMOUNT, "The highest price, without fee"),
    Field::new("trade_lock_max_days", "tradeLockMaxDays", COUNT, "The longest trade lock, in days"),
    Field::new("exclude", "exclude", Form::Table(EXCLUSIONS), "Values that skip an item, before all other rules"),
];

const EXCLUSIONS: &[Field] = &[
    NAMES_OF_ITEMS,
    PARTS_OF_NAMES,
    WEAPONS,
    RARITIES,
    EXTERIORS,
    CATEGORIES,
    PHASES,
    SEEDS,
    INDEXES,
    STICKERS,
    CHARMS,
];

const STICKER: &[Field] = &[
    Field::new("name", "name", LONG_NAME, "The name of the sticker").required(),
    Field::new("min_count", "minCount", Form::Whole { least: 1, most: 5 }, "The least number of them").or("1"),
    Field::new("max_wear", "maxWear", Form::Decimal, "The most wear of each of them"),
];

pub(super) static PROVIDERS: Kind = Kind {
    section: "providers",
    noun: "provider",
    about: "Marketplaces, price sources and game platforms",
    identity: &["kind", "name"],
    fields: &[
        name(),
        Field::new(
            "kind",
            "kind",
            Form::Choice { prefix: "PROVIDER_KIND_", names: provider_kinds },
            "What it provides",
        )
        .required(),
        Field::new("driver", "driver", NAME, "The driver: one that `ListProviderDrivers` returns").required().fixed(),
        Field::new("currency", "currency", Form::Text { most: 3 }, "The currency of its prices: three capital letters")
            .required()
            .fixed(),
        Field::new("settings", "settings", Form::Entries, "The settings of its driver, by name")
            .cleared_by("noSettings"),
        Field::new("credentials", "credentials", Form::Secrets, CREDENTIALS).kept(),
        Field::new("enabled", "", Form::Flag, "Whether anything new is started there").status(),
    ],
    calls: Calls {
        service: "markets.v1.Markets",
        list: "ListProviders",
        get: Some(("GetProviders", "providerIds")),
        many: "providers",
        one: "provider",
        id: "providerId",
        create: "CreateProvider",
        update: "UpdateProvider",
    },
};

const CREDENTIALS: &str =
    "Where to read its credentials, by name: { env = \"VARIABLE\" } or { file = \"PATH\" }. Sent while it has none";

fn provider_kinds() -> Vec<String> {
    lower(ProviderKind::ALL.iter().map(|kind| kind.as_str()))
}

static ACCOUNTS: Kind = Kind {
    section: "accounts",
    noun: "trading account",
    about: "Accounts of a game platform that trade for the workspace",
    identity: &["name"],
    fields: &[
        name(),
        Field::new("platform", "platform", NAME, "The game platform, such as steam").required().fixed(),
        Field::new("platform_user_id", "platformUserId", Form::Digits, "Its number on the platform").required().fixed(),
        Field::new("trade_token", "tradeToken", Form::Text { most: 128 }, "The token of its trade URL").kept(),
        Field::new("capabilities", "capabilities", Form::List { of: &CAPABILITY, least: 1, most: 3 }, "What it may do")
            .or("[\"buy\",\"sell\",\"store\"]"),
        Field::new("limits", "limits", Form::Table(ACCOUNT_LIMITS), "The limits of the account"),
        Field::new("giving_limits", "givingLimits", Form::Table(GIVING_LIMITS), GIVING).kept(),
        Field::new("secrets", "secrets", Form::Secrets, SECRETS).kept(),
        Field::new("enabled", "", Form::Flag, "Whether it gets work").status(),
    ],
    calls: Calls {
        service: "trading.v1.Trading",
        list: "ListAccounts",
        get: Some(("GetAccounts", "accountIds")),
        many: "accounts",
        one: "account",
        id: "accountId",
        create: "CreateAccount",
        update: "UpdateAccount",
    },
};

const SECRETS: &str = "Where to read what it signs in with: login_name, password, shared_secret, identity_secret, api_key, each \
                       { env = \"VARIABLE\" } or { file = \"PATH\" }. Sent while it has none";

const ACCOUNT_LIMITS: &[Field] = &[
    Field::new("max_inventory", "maxInventory", COUNT, "The most items in its inventory").or("1000"),
    Field::new("max_open_purchases", "maxOpenPurchases", COUNT, "The most purchases open at a time"),
    Field::new("min_balance", "minBalanceCents", AMOUNT, "The balance below which it buys nothing"),
];

const GIVING: &str = "The most that it gives, by value: both limits, of which the one that the table lacks is removed";
const GIVING_LIMITS: &[Field] = &[
    Field::new("max_give_per_hour", "maxGiveCentsPerHour", AMOUNT, "The most within an hour"),
    Field::new("max_give_per_day", "maxGiveCentsPerDay", AMOUNT, "The most within 24 h"),
];

const ASSIGNED_ROLE: Form = Form::Choice { prefix: "ASSIGNMENT_ROLE_", names: account_roles };
const CAPABILITY: Form = Form::Choice { prefix: "ACCOUNT_CAPABILITY_", names: account_roles };

fn account_roles() -> Vec<String> {
    lower(AccountRole::ALL.iter().map(|role| role.as_str()))
}

static ASSIGNMENTS: Kind = Kind {
    section: "assignments",
    noun: "assignment",
    about: "Which trading accounts work for which pool",
    identity: &["pool", "account"],
    fields: &[
        Field::new("pool", "poolId", Form::Reference("pools"), "The name of the pool").required(),
        Field::new("account", "accountId", Form::Reference("accounts"), "The name of the trading account").required(),
        Field::new(
            "roles",
            "roles",
            Form::List { of: &ASSIGNED_ROLE, least: 1, most: 3 },
            "What the account does for the pool",
        )
        .required(),
        Field::new("priority", "priority", COUNT, "Lower numbers come first").or("0"),
        Field::new("limits", "limits", Form::Table(ASSIGNMENT_LIMITS), "The limits of the account in the pool"),
    ],
    calls: Calls {
        service: "contracts.v1.Contracts",
        list: "ListAssignments",
        get: Some(("GetAssignments", "assignmentIds")),
        many: "assignments",
        one: "assignment",
        id: "assignmentId",
        create: "CreateAssignment",
        update: "UpdateAssignment",
    },
};

const ASSIGNMENT_LIMITS: &[Field] = &[
    Field::new("max_open_purchases", "maxOpenPurchases", COUNT, "The most purchases open at a time"),
    Field::new("max_items", "maxItems", COUNT, "The most items that it holds"),
];

static PRICE_OVERRIDES: Kind = Kind {
    section: "price_overrides",
    noun: "price override",
    about: "Values of items that replace those of every price source until they expire",
    identity: &["market_hash_name", "phase", "app_id"],
    fields: &[
        Field::new("market_hash_name", "marketHashName", LONG_NAME, "The market name of the item").required(),
        Field::new("phase", "phase", NAME, "The phase, for items that have one"),
        Field::new("app_id", "appId", Form::Whole { least: 1, most: i32::MAX as i64 }, "The number of the game")
            .or("730"),
        Field::new("price", "priceCents", PRICE, "The value").required(),
        Field::new("expires_at", "expiresAt", Form::Moment, "When the price sources count again").required(),
        Field::new("reason", "reason", Form::Text { most: 200 }, "Why, 1 to 200 characters").required(),
    ],
    calls: Calls {
        service: "markets.v1.Markets",
        list: "ListPriceOverrides",
        get: None,
        many: "priceOverrides",
        one: "priceOverride",
        id: "",
        create: "SetPriceOverride",
        update: "SetPriceOverride",
    },
};

pub(super) static CONTRACTS: Kind = Kind {
    section: "contracts",
    noun: "contract",
    about: "Standing orders to buy or to sell. Each has either `buying` or `selling`",
    identity: &["name"],
    fields: &[
        name(),
        Field::new(
            "approval",
            "approvalMode",
            Form::Choice { prefix: "APPROVAL_MODE_", names: approval_modes },
            APPROVAL,
        )
        .required(),
        Field::new("filter_set", "filterSetId", Form::Reference("filter_sets"), "The filter set that items must meet"),
        Field::new("pool", "poolId", Form::Reference("pools"), "The pool whose money it uses"),
        Field::new("marketplaces", "marketplaces", list(&NAME, Contract::MAX_MARKETPLACES), MARKETPLACES)
            .cleared_by("everyMarketplace"),
        Field::new("starts_at", "startsAt", Form::Moment, "From when on it acts; without it from its activation")
            .cleared_by("startsAtActivation"),
        Field::new("ends_at", "endsAt", Form::Moment, "Until when it acts; without it until it is full or cancelled")
            .cleared_by("neverEnds"),
        Field::new("buying", "buying", Form::Table(BUYING), "The limits of a contract that buys"),
        Field::new("selling", "selling", Form::Table(SELLING), "The limits of a contract that sells"),
        Field::new("price_reference", "priceReference", Form::Table(PRICE_REFERENCE), PRICE_OF_ITEMS)
            .cleared_by("noPriceReference"),
        Field::new("state", "", Form::Choice { prefix: "", names: contract_states }, CONTRACT_STATE).status(),
    ],
    calls: Calls {
        service: "contracts.v1.Contracts",
        list: "ListContracts",
        get: Some(("GetContracts", "contractIds")),
        many: "contracts",
        one: "contract",
        id: "contractId",
        create: "CreateContract",
        update: "UpdateContract",
    },
};

const APPROVAL: &str = "Whether it acts by itself, asks before each action, or only records its decisions";
const MARKETPLACES: &str = "The marketplaces that it acts on; without it all of them";
const PRICE_OF_ITEMS: &str = "Where it takes an item's value from; without it the pricing rules of the workspace";
const CONTRACT_STATE: &str =
    "Its status; a contract is created as a draft. Without it in the file the status is not changed";

fn approval_modes() -> Vec<String> {
    lower(ApprovalMode::ALL.iter().map(|mode| mode.as_str()))
}

fn contract_states() -> Vec<String> {
    lower(["DRAFT", "ACTIVE", "PAUSED"].into_iter())
}

const PRICE_REFERENCE: &[Field] = &[
    Field::new(
        "sources",
        "sources",
        list(&NAME, Contract::MAX_PRICE_SOURCES),
        "The price sources; without it all of them",
    ),
    Field::new(
        "statistic",
        "statistic",
        Form::Choice { prefix: "PRICE_STATISTIC_", names: statistics },
        "The price that counts",
    )
    .required(),
    Field::new("max_age_seconds", "maxAgeSeconds", COUNT, "The oldest price that counts, in seconds").required(),
    Field::new("min_confidence_bps", "minConfidenceBps", BPS, "The least confidence that counts, in basis points")
        .or("0"),
];

fn statistics() -> Vec<String> {
    lower(PriceStatistic::ALL.iter().map(|statistic| statistic.as_str()))
}

const BUYING: &[Field] = &[
    Field::new("target_quantity", "targetQuantity", COUNT, "How many items to buy in all").required(),
    Field::new("max_buy_price", "maxBuyPriceCents", AMOUNT, "The most that one item may cost, fee included").required(),
    Field::new("budget", "budgetCents", AMOUNT, "The most to spend in all").required(),
    Field::new("daily_budget", "dailyBudgetCents", AMOUNT, "The most to spend within a day"),
    Field::new("min_discount_bps", "minDiscountBps", BPS, "How far below its value an item must be, in basis points"),
    Field::new(
        "min_expected_margin_bps",
        "minExpectedMarginBps",
        BPS,
        "The least margin expected after fees, in basis points",
    ),
    Field::new("max_per_item_name", "maxPerItemName", COUNT, "The most items of one market name"),
    Field::new("max_open_purchases", "maxOpenPurchases", COUNT, "The most purchases open at a time"),
    Field::new("cooldown_seconds", "cooldownSeconds", COUNT, "The least time between two purchases, in seconds"),
    Field::new("max_trade_lock_days", "maxTradeLockDays", COUNT, "The longest trade lock of an item, in days"),
    Field::new(
        "min_liquidity_score",
        "minLiquidityScore",
        Form::Whole { least: 0, most: 100 },
        "The least liquidity, 0 to 100",
    ),
    Field::new(
        "min_seller_success_bps",
        "minSellerSuccessBps",
        BPS,
        "The least share of trades that the seller completed",
    ),
    Field::new("max_daily_loss", "maxDailyLossCents", AMOUNT, "The loss on a day of UTC that suspends the contract"),
];

const SELLING: &[Field] = &[
    Field::new("floor_price", "floorPriceCents", AMOUNT, "The least price").required(),
    Field::new("min_margin_bps", "minMarginBps", BPS, "The least margin over cost after fees, in basis points"),
    Field::new("undercut", "undercutCents", AMOUNT, "How far to stay below the lowest offer; excludes undercut_bps"),
    Field::new("undercut_bps", "undercutBps", BPS, "The same in basis points of the offer; excludes undercut"),
    Field::new("ceiling_price", "ceilingPriceCents", AMOUNT, "The highest price"),
    Field::new(
        "reprice_interval_seconds",
        "repriceIntervalSeconds",
        COUNT,
        "The least time between two prices, in seconds",
    ),
    Field::new("max_listings", "maxListings", COUNT, "The most items listed at a time"),
    Field::new(
        "max_below_value_bps",
        "maxBelowValueBps",
        BPS,
        "How far below the value to list at most; without it 5000",
    ),
    Field::new(
        "max_above_value_bps",
        "maxAboveValueBps",
        BPS,
        "How far above the value to list at most; without it 5000",
    ),
];
