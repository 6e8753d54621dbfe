//! From protobuf to the SDK's values: what a bot is told besides prompts (see `convert`).

use crate::convert::{Newer, Read, duration, events, number, rules, teams};
use crate::convert_action::action;
use crate::proto as pb;
use crate::values::{
    FaultBudget, HandResult, Knowledge, MatchResult, Outcome, Rejection, RejectionReason,
    ScoreKind, TimeControl, Welcome, WindowMode,
};
use crate::view::team_of;
use crate::words::word;

pub(crate) fn welcome(message: &pb::Welcome) -> Read<Welcome> {
    let time = message.time_control.unwrap_or_default();
    let faults = message.fault_budget.unwrap_or_default();
    let knowledge = message.knowledge.unwrap_or_default();
    let (seat, teams) = (number(message.seat)?, teams(&message.teams)?);
    if team_of(&teams, seat).is_none() {
        return Err(Newer(format!("seat {seat} is in none of the teams {teams:?}")));
    }
    Ok(Welcome {
        seat,
        teams,
        rules: rules(message.rule_set.as_ref())?,
        time: TimeControl {
            start_up: duration(time.start_up.as_ref()),
            turn: duration(time.turn.as_ref()),
            bank: duration(time.bank.as_ref()),
            response_window: duration(time.response_window.as_ref()),
        },
        window_mode: word(message.window_mode).unwrap_or(WindowMode::Unknown),
        faults: FaultBudget {
            max_strikes: faults.max_strikes,
            messages_per_prompt: faults.messages_per_prompt,
            surplus_messages: faults.surplus_messages,
            note_bytes: faults.note_bytes,
        },
        knowledge: Knowledge {
            discards_face_down: knowledge.discards_face_down,
            striped_draw: knowledge.striped_draw,
            frozen_between_prompts: knowledge.frozen_between_prompts,
        },
        game: message.game_number,
        games: message.game_count,
    })
}

pub(crate) fn rejection(message: &pb::Rejection) -> Rejection {
    Rejection {
        reason: word(message.reason).unwrap_or(RejectionReason::Unknown),
        detail: message.detail.clone(),
        played: message.played.as_ref().and_then(|played| action(played).ok()),
        strikes: message.strikes,
    }
}

pub(crate) fn hand_result(message: &pb::HandOver) -> Read<HandResult> {
    let teams = &message.results;
    let has_points = teams.iter().any(|team| !team.items.is_empty());
    let scored = if has_points { teams.as_slice() } else { &[] };
    Ok(HandResult {
        game: message.game_number,
        hand: message.hand_number,
        end: word(message.end).ok(),
        winner: message.winner_team.map(number).transpose()?,
        km: teams.iter().map(|team| team.km).collect(),
        points: scored.iter().map(|team| team.points).collect(),
        sheets: scored.iter().map(sheet).collect(),
        scores: message.scores.clone(),
        game_over: message.game_over,
        game_winner: message.game_winner_team.map(number).transpose()?,
        events: events(&message.events)?,
    })
}

/// A score sheet; a line that is newer is only in the sum.
fn sheet(team: &pb::TeamResult) -> Vec<(ScoreKind, i32)> {
    let line = |item: &pb::ScoreItem| Some((word(item.kind).ok()?, item.points));
    team.items.iter().filter_map(line).collect()
}

pub(crate) fn match_result(message: &pb::MatchOver) -> MatchResult {
    MatchResult {
        games: message.game_count,
        won: message.games_won,
        drawn: message.games_drawn,
        outcome: word(message.outcome).unwrap_or(Outcome::Unknown),
        detail: message.detail.clone(),
    }
}
