//! From protobuf to the SDK's values: a prompt and all that is in it.
//!
//! Fields that are newer than this SDK are passed over; where a card, a stage or the like is newer,
//! or a number cannot be, the whole message is refused.

use std::time::{Duration, Instant};

use crate::cards::{Card, Counts};
use crate::convert_action::action;
use crate::prompt::Prompt;
use crate::proto as pb;
use crate::rules::RuleSet;
use crate::view::{Event, EventKind, Stage, Table, View, team_of};
use crate::words::word;

/// A message says something that this SDK has no word for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Newer(pub String);

impl std::fmt::Display for Newer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) type Read<T> = Result<T, Newer>;

pub(crate) fn prompt(message: &pb::Prompt, arrived: Instant) -> Read<Prompt> {
    let view = view(message.view.as_ref().ok_or_else(|| newer("a prompt without a view"))?)?;
    let kind: Stage = word(message.kind)?;
    if kind != view.stage || kind == Stage::Over {
        return Err(newer(format!("{kind:?} is asked")));
    }
    let legal = all(&message.legal_actions, action)?;
    let default = usize::try_from(message.default_index).ok().and_then(|at| legal.get(at).copied());
    Ok(Prompt {
        kind,
        view,
        default: default.ok_or_else(|| newer(format!("default {}", message.default_index)))?,
        legal,
        time_limit: duration(message.time_limit.as_ref()),
        bank_left: duration(message.bank_left.as_ref()),
        game: message.game_number,
        hand: message.hand_number,
        arrived,
    })
}

pub(crate) fn view(message: &pb::View) -> Read<View> {
    let view = View {
        seat: number(message.seat.ok_or_else(|| newer("a view without a seat"))?)?,
        stage: word(message.stage)?,
        asked: numbers(&message.asked_seats)?,
        cards: cards(&message.hand)?,
        sizes: message.hand_sizes.clone(),
        tables: all(&message.tables, table)?,
        draw_count: message.draw_count,
        discard_pile: discard_pile(message)?,
        discard_known_to: all(&message.discard_known_to_seats, |&seat| match seat {
            -1 => Ok(None),
            _ => number(seat).map(Some),
        })?,
        target: message.target_km,
        turn: number(message.turn_seat)?,
        attack: message.attack.map(card).transpose()?,
        attacked: message.attacked_team.map(number).transpose()?,
        known: all(&message.known_cards, |known| counts(&known.cards))?,
        history: events(&message.events)?,
        first_event: message.first_event,
        event_count: message.event_count,
        rules: rules(message.rule_set.as_ref())?,
        teams: teams(&message.teams)?,
        dealer: number(message.dealer_seat)?,
        scores: message.scores.clone(),
        stripes: message.stripe_sizes.clone(),
        draws_due: message.draws_due,
        resume: word(message.resume).ok(),
        extended_by: message.extended_by_team.map(number).transpose()?,
        ran_out: message.ran_out,
        dry_start: message.dry_start,
        idle_turns: message.idle_turns,
        circling_turns: message.circling_turns,
        fresh: message.fresh,
        reshuffles: message.reshuffle_count,
        end: message.end.map(word).transpose()?,
        winner: message.winner_team.map(number).transpose()?,
    };
    check(&view)?;
    Ok(view)
}

/// Bots look things up by seat and team: what is there must fit together.
fn check(view: &View) -> Read<()> {
    let seats = view.sizes.len();
    let seated = (0..seats).all(|seat| team_of(&view.teams, seat).is_some());
    let in_range = [view.seat, view.turn, view.dealer].iter().all(|&seat| seat < seats);
    let has_teams = [view.tables.len(), view.scores.len()] == [view.teams.len(); 2];
    let attacked = view.attacked.is_none_or(|team| team < view.teams.len());
    if seated && in_range && has_teams && attacked {
        return Ok(());
    }
    Err(newer(format!("{seats} hands, {} tables, teams {:?}", view.tables.len(), view.teams)))
}

fn table(message: &pb::Table) -> Read<Table> {
    Ok(Table {
        battle: cards(&message.battle_pile)?,
        speed: cards(&message.speed_pile)?,
        distance: cards(&message.distance_cards)?,
        safeties: cards(&message.safeties)?,
        coups_fourres: cards(&message.coups_fourres)?,
        km: message.km,
        bonus_km: message.bonus_km,
        started: message.started,
        moving: message.moving,
        limited: message.limited,
        accepts: cards(&message.accepted_cards)?,
        suffers: cards(&message.suffered_hazards)?,
    })
}

// -- numbers and cards --------------------------------------------------------------------------

pub(crate) fn newer(what: impl Into<String>) -> Newer {
    Newer(what.into())
}

fn all<T, U>(messages: &[T], read: impl Fn(&T) -> Read<U>) -> Read<Vec<U>> {
    messages.iter().map(read).collect()
}

/// A seat or a team.
pub(crate) fn number(number: i32) -> Read<usize> {
    usize::try_from(number).map_err(|_| newer(format!("a seat or team {number}")))
}

fn numbers(found: &[i32]) -> Read<Vec<usize>> {
    all(found, |&one| number(one))
}

pub(crate) fn teams(messages: &[pb::Team]) -> Read<Vec<Vec<usize>>> {
    all(messages, |team| numbers(&team.seats))
}

pub(crate) fn duration(message: Option<&prost_types::Duration>) -> Duration {
    message.map_or(Duration::ZERO, |one| Duration::try_from(*one).unwrap_or(Duration::ZERO))
}

/// On the wire a card's number is one higher, because 0 means unset there.
pub(crate) fn card(wire: i32) -> Read<Card> {
    let kind = wire
        .checked_sub(1)
        .and_then(|kind| usize::try_from(kind).ok())
        .and_then(|kind| Card::ALL.get(kind).copied());
    kind.ok_or_else(|| newer(format!("no card has the number {wire}")))
}

fn cards(wire: &[i32]) -> Read<Vec<Card>> {
    all(wire, |&one| card(one))
}

fn counts(wire: &[i32]) -> Read<Counts> {
    Ok(cards(wire)?.into_iter().collect())
}

fn visible(wire: i32) -> Read<Option<Card>> {
    if wire == pb::Card::Hidden as i32 { Ok(None) } else { card(wire).map(Some) }
}

pub(crate) fn wire(card: Card) -> i32 {
    card as i32 + 1
}

fn discard_pile(message: &pb::View) -> Read<Vec<Option<Card>>> {
    let knowers = &message.discard_known_to_seats;
    if !knowers.is_empty() && knowers.len() != message.discard_pile.len() {
        return Err(newer(format!("{} seats that know a discard", knowers.len())));
    }
    let pile = all(&message.discard_pile, |&one| visible(one))?;
    let open = |at: usize| knowers.get(at).is_none_or(|&seat| seat < 0);
    match pile.iter().enumerate().any(|(at, card)| card.is_none() && open(at)) {
        true => Err(newer("an open discard that is hidden")),
        false => Ok(pile),
    }
}

// -- events -------------------------------------------------------------------------------------

/// Events; those of a newer kind are left out.
pub(crate) fn events(messages: &[pb::Event]) -> Read<Vec<Event>> {
    messages.iter().filter_map(|message| event(message).transpose()).collect()
}

fn event(message: &pb::Event) -> Read<Option<Event>> {
    use pb::event::Kind;
    let Some(what) = &message.kind else { return Ok(None) };
    let mut team = None;
    let (kind, card) = match what {
        Kind::CardDrawn(one) => (EventKind::Drawn, visible(one.card)?),
        Kind::CardTaken(one) => (EventKind::Taken, taken(one.card)?),
        Kind::CardPlayed(one) => (EventKind::Played, visible(one.card)?),
        Kind::HazardLaid(one) => {
            team = Some(number(one.target_team)?);
            (EventKind::Laid, Some(card(one.card)?))
        }
        Kind::CardDiscarded(one) => (EventKind::Discarded, visible(one.card)?),
        Kind::CoupFourreDeclared(one) => (EventKind::CoupFourre, visible(one.card)?),
        Kind::HandExtended(_) => (EventKind::Extended, None),
        Kind::HandStopped(_) => (EventKind::Stopped, None),
        Kind::TopChosen(one) => (EventKind::Topped, visible(one.card)?),
        Kind::PileReshuffled(_) => (EventKind::Reshuffled, None),
    };
    Ok(Some(Event { kind, seat: number(message.seat)?, card, team }))
}

/// A card that lay face down may be left unset.
fn taken(wire: i32) -> Read<Option<Card>> {
    if wire == 0 { Ok(None) } else { visible(wire) }
}

// -- the rules ----------------------------------------------------------------------------------

pub(crate) fn rules(message: Option<&pb::RuleSet>) -> Read<RuleSet> {
    let message = message.ok_or_else(|| newer("no rules"))?;
    Ok(RuleSet {
        preset: message.preset.clone(),
        family: word(message.family)?,
        target: message.target,
        extension: message.extension,
        failed_extension_bonus: message.failed_extension_bonus,
        max_200: message.max_200,
        late_safety_restarts: message.late_safety_restarts,
        exhausted_safety_replays: message.exhausted_safety_replays,
        discard_visible: message.discard_visible,
        forced_play: message.forced_play,
        reshuffle: message.reshuffle,
        delayed_action_trigger: word(message.delayed_action_trigger)?,
        four_safeties_bonus: message.four_safeties_bonus,
        shutout_rule: word(message.shutout_rule)?,
        match_points: message.match_points,
        match_tie: word(message.match_tie)?,
        max_hands: message.max_hands,
        deck_2p_reduction: message.deck_2p_reduction,
        allow_individual_4: message.allow_individual_4,
        first_dealer: message.first_dealer,
        first_player: message.first_player,
        safety_km: message.safety_km,
        coup_fourre_km: message.coup_fourre_km,
        bonus_overflow: word(message.bonus_overflow)?,
        express_safety_draw: word(message.express_safety_draw)?,
        express_exhausted_draw: word(message.express_exhausted_draw)?,
        express_stall_rounds: message.express_stall_rounds,
        top_choice: message.top_choice,
        plateau_green_light_to_start: message.plateau_green_light_to_start,
        plateau_exhaustion: word(message.plateau_exhaustion)?,
    })
}
