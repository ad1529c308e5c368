//! The calls of the driver that change something, with what each is about and what shows that it was done.

use tradepost_adapters_steam::SteamPlatform;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId};
use tradepost_fakes::Fault;
use tradepost_ports::game_platform::{Confirmation, ConfirmationAnswer, GamePlatform, NewOffer, PlatformResult};

use crate::traders::Traders;

/// A kind of call that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    Send,
    Accept,
    Decline,
    Cancel,
    Allow,
    Deny,
    Renew,
}

impl Write {
    pub(crate) const ALL: [Self; 7] =
        [Self::Send, Self::Accept, Self::Decline, Self::Cancel, Self::Allow, Self::Deny, Self::Renew];

    pub(crate) const fn route(self) -> &'static str {
        match self {
            Self::Send => "POST /tradeoffer/new/send",
            Self::Accept => "POST /tradeoffer/{id}/accept",
            Self::Decline => "POST /tradeoffer/{id}/decline",
            Self::Cancel => "POST /tradeoffer/{id}/cancel",
            Self::Allow | Self::Deny => "GET /mobileconf/ajaxop",
            Self::Renew => "GET /IEconService/GetTradeOfferAccessToken/v1/",
        }
    }
}

/// A call that changes something, of the first of two accounts.
#[derive(Debug)]
pub(crate) enum Deed {
    Send(NewOffer),
    Accept(ExternalId),
    Decline(ExternalId),
    Cancel(ExternalId),
    Answer(Confirmation, ConfirmationAnswer),
    /// With the token that the account has before.
    Renew(ExternalId),
}

impl Traders {
    /// Two accounts that are signed in, whose identity secrets are stored, and that a person lets give items.
    pub(crate) async fn who_give() -> Self {
        let traders = Self::who_may_not_give().await;
        for account in [traders.ada(), traders.bob()] {
            traders.vault.let_give(account.user, true);
        }
        traders
    }

    /// The same before a person lets them.
    pub(crate) async fn who_may_not_give() -> Self {
        let traders = Self::new().await;
        for account in [traders.ada(), traders.bob()] {
            traders.share_identity_secret(account);
        }
        traders
    }

    /// Prepares what a call is about.
    pub(crate) async fn deed(&self, write: Write) -> Deed {
        let (ada, bob) = (self.ada(), self.bob());
        match write {
            Write::Send => Deed::Send(NewOffer {
                to: bob.clone(),
                give: vec![self.item_of(ada)],
                receive: Vec::new(),
                message: None,
            }),
            Write::Accept => Deed::Accept(self.offered(bob, ada).await.id),
            Write::Decline => Deed::Decline(self.offered(bob, ada).await.id),
            Write::Cancel => Deed::Cancel(self.offered(ada, bob).await.id),
            Write::Allow => Deed::Answer(self.confirmation().await, ConfirmationAnswer::Allow),
            Write::Deny => Deed::Answer(self.confirmation().await, ConfirmationAnswer::Deny),
            Write::Renew => Deed::Renew(self.world.trade_token(ada.user).await.unwrap()),
        }
    }

    /// A confirmation of a new offer of the first account, as the driver lists it.
    pub(crate) async fn confirmation(&self) -> Confirmation {
        let offer = self.waiting(self.ada(), self.bob()).await.id;
        let listed = self.platform.confirmations(self.ada().user).await.unwrap();
        listed.into_iter().find(|confirmation| confirmation.is_about_offer(&offer)).unwrap()
    }

    pub(crate) async fn make(&self, deed: &Deed) -> PlatformResult<()> {
        self.make_by(&self.platform, deed).await
    }

    /// Lets a fault happen to the next call of a route, and makes it.
    pub(crate) async fn make_with(&self, write: Write, deed: &Deed, fault: Fault) -> PlatformResult<()> {
        self.scene.facades.arm(write.route(), fault);
        self.make(deed).await
    }

    pub(crate) async fn make_by(&self, platform: &SteamPlatform, deed: &Deed) -> PlatformResult<()> {
        let user = self.ada().user;
        match deed {
            Deed::Send(new) => platform.send(user, new).await.map(drop),
            Deed::Accept(offer) => platform.accept(user, offer).await.map(drop),
            Deed::Decline(offer) => platform.decline(user, offer).await,
            Deed::Cancel(offer) => platform.cancel(user, offer).await,
            Deed::Answer(confirmation, answer) => platform.answer(user, confirmation, *answer).await,
            Deed::Renew(_) => platform.renew_trade_token(user).await.map(drop),
        }
    }

    /// Whether a call was made, by what the driver reads. The world itself says the same.
    pub(crate) async fn is_done(&self, deed: &Deed) -> bool {
        let user = self.ada().user;
        let shown = is_shown(&self.platform_by(&self.scene.services), user, deed).await;
        assert_eq!(shown, is_shown(&self.world, user, deed).await, "{deed:?}");
        shown
    }
}

async fn is_shown(platform: &dyn GamePlatform, user: PlatformUserId, deed: &Deed) -> bool {
    let status = async |id: &ExternalId| platform.offer(user, id).await.unwrap().status;
    match deed {
        Deed::Send(new) => {
            let all = platform.offers(user, Timestamp::MIN).await.unwrap();
            all.iter().any(|offer| offer.is_ours && offer.give.iter().map(|asset| &asset.asset_id).eq(&new.give))
        }
        Deed::Accept(offer) => status(offer).await == OfferStatus::Accepted,
        Deed::Decline(offer) => status(offer).await == OfferStatus::Declined,
        Deed::Cancel(offer) => status(offer).await == OfferStatus::Cancelled,
        Deed::Answer(confirmation, ConfirmationAnswer::Allow) => {
            status(&confirmation.creator).await == OfferStatus::Active
        }
        Deed::Answer(confirmation, ConfirmationAnswer::Deny) => {
            status(&confirmation.creator).await == OfferStatus::CancelledBySecondFactor
        }
        Deed::Renew(before) => platform.trade_token(user).await.unwrap() != *before,
    }
}
