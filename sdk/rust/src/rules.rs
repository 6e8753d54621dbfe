//! The rules of a match, every option by its name.

use crate::cards::{CLASSIC_DECK, Counts, EXPRESS_DECK, SHORT_DECK};
use crate::words::words;

/// One set of rules. An option that the family does not have holds what changes nothing there.
/// `arena rules` says what each of them means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the options' own names
pub struct RuleSet {
    pub preset: String,
    pub family: Family,
    /// Kilometres that end a hand.
    pub target: i32,
    pub extension: bool,
    pub failed_extension_bonus: bool,
    /// How many 200 km cards a team may play in a hand; `None`: any number.
    pub max_200: Option<i32>,
    pub late_safety_restarts: bool,
    pub exhausted_safety_replays: bool,
    pub discard_visible: bool,
    pub forced_play: bool,
    pub reshuffle: bool,
    pub delayed_action_trigger: DelayedActionTrigger,
    pub four_safeties_bonus: i32,
    pub shutout_rule: ShutoutRule,
    pub match_points: i32,
    pub match_tie: MatchTie,
    pub max_hands: i32,
    pub deck_2p_reduction: bool,
    pub allow_individual_4: bool,
    pub first_dealer: Option<i32>,
    pub first_player: i32,
    pub safety_km: i32,
    pub coup_fourre_km: i32,
    pub bonus_overflow: BonusOverflow,
    pub express_safety_draw: ExpressSafetyDraw,
    pub express_exhausted_draw: ExpressExhaustedDraw,
    pub express_stall_rounds: i32,
    pub top_choice: bool,
    pub plateau_green_light_to_start: bool,
    pub plateau_exhaustion: PlateauExhaustion,
}

impl RuleSet {
    /// The cards that a hand for so many players is dealt from.
    pub fn deck(&self, players: usize) -> Counts {
        if self.family == Family::Express {
            EXPRESS_DECK
        } else if self.deck_2p_reduction && (players == 2 || players == 3) {
            SHORT_DECK
        } else {
            CLASSIC_DECK
        }
    }

    /// Whether a hand makes points; the other games have a winner only.
    pub fn is_scored(&self) -> bool {
        self.family == Family::Classic
    }
}

words! {
    /// Which of the three games is played.
    Family {
        /// Points, hand after hand.
        Classic = 1,
        /// Four cards, two piles to draw from, a single hand.
        Express = 2,
        /// A board with cars, a single hand.
        Plateau = 3,
    }
}

impl Family {
    /// Whether played cards stay on the table; in Plateau only tokens do.
    pub fn keeps_cards_on_table(self) -> bool {
        self != Family::Plateau
    }
}

words! {
    /// When a finish counts as a delayed action.
    DelayedActionTrigger {
        /// The draw pile is empty at the finish.
        PileEmpty = 1,
        /// It was empty when the turn began.
        EmptyAtTurnStart = 2,
    }
}

words! {
    /// Whose lack of distance cards makes a shutout.
    ShutoutRule {
        /// All opponents'.
        All = 1,
        /// Any opponent's.
        Any = 2,
        /// Any opponent's, and for every team.
        Dujardin = 3,
    }
}

words! {
    /// What a tie at the end of a game leads to.
    MatchTie {
        /// One hand more.
        ExtraHand = 1,
        /// A draw.
        Draw = 2,
    }
}

words! {
    /// What becomes of bonus kilometres that would pass the target.
    BonusOverflow {
        /// All of them are lost.
        Forfeit = 1,
        /// What passes the target is lost.
        Clamp = 2,
        /// They count.
        Allow = 3,
    }
}

words! {
    /// Where the card after a safety comes from.
    ExpressSafetyDraw {
        /// The draw pile.
        Pile = 1,
        /// Either pile.
        Choice = 2,
    }
}

words! {
    /// What a turn draws when the draw pile is empty.
    ExpressExhaustedDraw {
        /// Nothing.
        None = 1,
        /// The top card of the discard pile.
        Discard = 2,
        /// The discard pile becomes the draw pile.
        Reshuffle = 3,
    }
}

words! {
    /// What happens in Plateau when the draw pile is empty.
    PlateauExhaustion {
        /// One plays on without drawing.
        PlayOut = 1,
        /// The discard pile becomes the draw pile.
        Reshuffle = 2,
    }
}
