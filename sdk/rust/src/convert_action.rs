//! From protobuf to actions and back, and what is sent as an answer.

use crate::actions::Action;
use crate::cards::Card;
use crate::convert::{Read, card, newer, number, wire};
use crate::prompt::Prompt;
use crate::proto as pb;

pub(crate) fn action(message: &pb::Action) -> Read<Action> {
    use pb::action::Kind;
    let kind = message.kind.as_ref().ok_or_else(|| newer("an action of a new kind"))?;
    Ok(match kind {
        Kind::Draw(draw) => match draw.source() {
            pb::DrawSource::Pile => Action::DrawPile,
            pb::DrawSource::Discard => Action::DrawDiscard,
            pb::DrawSource::Unspecified => return Err(newer(format!("draw {}", draw.source))),
        },
        Kind::Play(play) => match play.target_team {
            Some(team) => Action::Attack(card(play.card)?, number(team)?),
            None => Action::Play(card(play.card)?),
        },
        Kind::Discard(discard) => Action::Discard(card(discard.card)?),
        Kind::CoupFourre(answer) => Action::CoupFourre(card(answer.card)?),
        Kind::Pass(_) => Action::Pass,
        Kind::Extend(_) => Action::Extend,
        Kind::Stop(_) => Action::Stop,
        Kind::Top(top) => Action::Top(card(top.card)?),
    })
}

/// An answer: a legal action by its place, another one as it is, for the referee to refuse.
pub(crate) fn answer(
    prompt_id: &str,
    prompt: &Prompt,
    action: Action,
    orders: &[Card],
) -> pb::Answer {
    let place = prompt.legal.iter().position(|&one| one == action);
    let choice = match place.and_then(|at| i32::try_from(at).ok()) {
        Some(at) => pb::answer::Choice::LegalIndex(at),
        None => pb::answer::Choice::Action(action_message(action)),
    };
    pb::Answer {
        prompt_id: prompt_id.to_owned(),
        choice: Some(choice),
        coup_fourre_on: orders.iter().map(|&one| wire(one)).collect(),
    }
}

/// The default is the answer to what cannot be understood.
pub(crate) fn default_answer(message: &pb::Prompt) -> pb::Answer {
    pb::Answer {
        prompt_id: message.prompt_id.clone(),
        choice: Some(pb::answer::Choice::LegalIndex(message.default_index)),
        coup_fourre_on: Vec::new(),
    }
}

fn action_message(action: Action) -> pb::Action {
    use pb::action::Kind;
    let draw = |source: pb::DrawSource| Kind::Draw(pb::Draw { source: source.into() });
    let kind = match action {
        Action::DrawPile => draw(pb::DrawSource::Pile),
        Action::DrawDiscard => draw(pb::DrawSource::Discard),
        Action::Play(card) => Kind::Play(pb::Play { card: wire(card), target_team: None }),
        Action::Attack(card, team) => {
            let target_team = Some(i32::try_from(team).unwrap_or(i32::MAX));
            Kind::Play(pb::Play { card: wire(card), target_team })
        }
        Action::Discard(card) => Kind::Discard(pb::Discard { card: wire(card) }),
        Action::CoupFourre(card) => Kind::CoupFourre(pb::CoupFourre { card: wire(card) }),
        Action::Pass => Kind::Pass(pb::Pass {}),
        Action::Extend => Kind::Extend(pb::Extend {}),
        Action::Stop => Kind::Stop(pb::Stop {}),
        Action::Top(card) => Kind::Top(pb::Top { card: wire(card) }),
    };
    pb::Action { kind: Some(kind) }
}
