//! Each fuzz target for a moment: well-formed input of its kind, changed at random.

use tradepost_fuzz::{authorization, cursor, email, import, message, openid, passkey, password, token};

const INPUTS: usize = 3_000;

/// Well-formed input of every kind; what is right for one target is junk for the others.
const SEEDS: [&[u8]; 19] = [
    b"tpk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd1tEW6Y",
    b"Bearer tps_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd000000",
    b"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB",
    "J\u{f6}rg.M+tag@b\u{fc}cher.example.com".as_bytes(),
    br#"{"id":"AAAA","rawId":"AAAA","type":"public-key","extensions":{},"response":{"attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg","clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0","transports":["internal"]}}"#,
    br#"{"workspaceId":"AAAAAAAAAAAAAAAAAAAAAA==","name":"a","approvalMode":"APPROVAL_MODE_AUTOMATIC","buying":{"maxBuyPriceCents":"100","budgetCents":"1000"},"startsAt":"2026-01-02T03:04:05.123456Z"}"#,
    b"openid.ns=http%3A%2F%2Fspecs.openid.net%2Fauth%2F2.0&openid.mode=id_res&openid.op_endpoint=http%3A%2F%2F127.0.0.1%3A9%2Fopenid%2Flogin&openid.signed=signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle&openid.response_nonce=2026-01-01T00%3A00%3A00Zabc",
    b"$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5$5",
    b"4@8({[<369!1|0$5+7%24@8({[<369!1|0$5+7%24@8({[<369!1|0$5+7%24@8({[<369!1|0$5+7%24@8({[<369!1|0$5+7%24@8({[<369!1|0$5+7%2",
    br#"{"shared_secret":"AQIDBAUGBwgJCgsMDQ4PEBESExQ=","account_name":"lantern","Session":{"SteamID":76561198000000001}}"#,
    br#"{"manifest.json":{"entries":[{"filename":"1.maFile","steamid":7}]},"1.maFile":"{}","a.db":{"BackingMobileAuthenticator":{}},"a.json":{}}"#,
    b"otpauth://totp/Steam:lantern?secret=AEBAGBAFAYDQQCIKBMGA2DQPCAIREEYU&issuer=Steam&data=%7B%22steamid%22%3A7%7D",
    br#"[{"platform_user_id":"76561198000000001","name":"harbour","password":"copper"}]"#,
    b"steamid,name,password\n76561198000000001,harbour,copper\n",
    br#"[{"marketplace":"csfloat","order_id":"A-1","account":"harbour","asset_id":7,"market_hash_name":"Glove Case","price":12.5,"bought_at":"2025-01-31","held":false,"sold_at":"2025-03-01","sale_price":"15.00","sale_fee_cents":75}]"#,
    b"marketplace,listing_id,account,asset_id,market_hash_name,price,fee,bought_at,held\ncsfloat,L-1,harbour,7,Glove Case,12.50,0.25,2025-01-31,yes\n",
    b"copper lantern under seven bridges\nada\nlovelace\nExample Trading",
    b"\x00\x00\x00\x00\x05\x0a\x03abc",
    b"\x0a\x10\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x12\x01a\x18\x01",
];

/// Makes a test of each target.
macro_rules! withstands {
    ($($target:ident: $name:ident;)+) => {$(
        #[test]
        fn $name() {
            each_changed_input($target);
        }
    )+};
}

withstands! {
    token: no_changed_token_passes_for_one;
    authorization: no_changed_header_opens_the_door;
    cursor: no_changed_cursor_is_followed;
    email: every_address_that_passes_reads_itself_again;
    openid: no_changed_assertion_proves_an_identity;
    password: every_changed_password_is_estimated_in_time;
    passkey: no_changed_answer_of_an_authenticator_is_believed;
    message: no_changed_message_is_the_servers_fault;
    import: every_changed_import_is_read_or_refused;
}

fn each_changed_input(target: fn(&[u8])) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for number in 0..INPUTS {
        let mut input = SEEDS[number % SEEDS.len()].to_vec();
        for _ in 0..=random.below(4) {
            random.change(&mut input);
        }
        target(&input);
    }
}

/// The same inputs in every run (xorshift64, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    /// Replaces, inserts, removes or repeats bytes.
    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len().max(1)).min(input.len());
        let byte = self.below(256) as u8;
        match self.below(4) {
            0 if at < input.len() => input[at] = byte,
            1 if at < input.len() => drop(input.drain(at..(at + 8).min(input.len()))),
            2 => input.extend_from_within(at..),
            _ => input.insert(at, byte),
        }
    }
}
