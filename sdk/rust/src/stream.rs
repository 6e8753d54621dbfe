//! A bot's stream: carry prompts to the player and its answers back.
//!
//! After a thought that took too long the SDK first takes in what has come meanwhile, and sees which
//! prompts are closed already. It goes on with the one that is open, so one slip costs one decision.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use crate::convert;
use crate::convert_action;
use crate::convert_match;
use crate::failures::Ended;
use crate::notes::{self, Notes};
use crate::player::Player;
use crate::proto as pb;
use pb::play_request::Message as Said;
use pb::play_response::Message as Told;

/// Without a message for so long, nothing more is on its way.
const QUIET: Duration = Duration::from_millis(5);

/// What comes from the thread that reads.
pub(crate) enum Mail {
    /// A message, and when it came.
    Message(Box<pb::PlayResponse>, Instant),
    /// The end of the stream, and why if it was an error.
    End(Result<(), String>),
}

/// The messages that have come.
pub(crate) struct Inbox {
    mail: Receiver<Mail>,
    ahead: VecDeque<Mail>,
}

impl Inbox {
    pub fn new(mail: Receiver<Mail>) -> Self {
        Self { mail, ahead: VecDeque::new() }
    }

    fn next(&mut self) -> Mail {
        let first = self.ahead.pop_front();
        first.or_else(|| self.mail.recv().ok()).unwrap_or(Mail::End(Ok(())))
    }

    /// Take in what has come, until nothing does for a moment or the stream has ended. To be called
    /// after a thought that was longer than its prompt allows: before such a one the next prompt
    /// cannot have come.
    fn read_ahead(&mut self) {
        while !matches!(self.ahead.back(), Some(Mail::End(_))) {
            let Ok(mail) = self.mail.recv_timeout(QUIET) else { return };
            self.ahead.push_back(mail);
        }
    }

    /// Whether what has been read ahead closes a prompt. A rejection names its prompt; everything
    /// else is sent only when the receiver's last prompt is closed.
    fn closes(&self, prompt_id: &str) -> bool {
        self.told().any(|told| match told {
            Told::Rejection(rejection) => rejection.prompt_id == prompt_id,
            _ => true,
        })
    }

    /// Whether what has been read ahead ends the match or the stream.
    fn is_over(&self) -> bool {
        matches!(self.ahead.back(), Some(Mail::End(_)))
            || matches!(self.told().last(), Some(Told::MatchOver(_)))
    }

    fn told(&self) -> impl Iterator<Item = &Told> {
        self.ahead.iter().filter_map(|mail| match mail {
            Mail::Message(message, _) => message.message.as_ref(),
            Mail::End(_) => None,
        })
    }
}

/// What is said on one stream. `send` sends a message, if anybody is still there to get it.
pub(crate) struct Conversation<'a, 'b> {
    pub player: &'a mut Player<'b>,
    pub inbox: Inbox,
    pub send: &'a mut dyn FnMut(pb::PlayRequest),
}

impl Conversation<'_, '_> {
    /// Answer prompts until the match is over.
    pub fn run(&mut self) -> Result<(), Ended> {
        loop {
            let (message, came) = match self.inbox.next() {
                Mail::Message(message, came) => (message, came),
                Mail::End(Err(why)) => return Err(Ended::NoReferee(why)),
                Mail::End(Ok(())) => {
                    let why = "the referee ended the stream before the match was over";
                    return Err(Ended::NoReferee(why.to_owned()));
                }
            };
            match message.message {
                Some(Told::Prompt(prompt)) => self.take_prompt(&prompt, came)?,
                Some(Told::MatchOver(over)) => {
                    return self.player.match_over(&convert_match::match_result(&over));
                }
                news => self.take_news(news)?,
            }
        }
    }

    /// Answer a prompt, unless it is closed.
    fn take_prompt(&mut self, message: &pb::Prompt, came: Instant) -> Result<(), Ended> {
        let limit = convert::duration(message.time_limit.as_ref());
        if came.elapsed() >= limit {
            self.inbox.read_ahead(); // hooks took too long
        }
        let mut prompt = match convert::prompt(message, came) {
            Ok(prompt) => prompt,
            Err(newer) => {
                self.player.passed_over(format!("prompt: {newer}"));
                self.say(Said::Answer(convert_action::default_answer(message)));
                return Ok(());
            }
        };
        if self.inbox.closes(&message.prompt_id) {
            return self.player.skip(&mut prompt);
        }
        let action = self.player.answer(&mut prompt)?;
        let orders = self.player.orders(&prompt)?;
        let answer = convert_action::answer(&message.prompt_id, &prompt, action, &orders);
        if came.elapsed() >= limit {
            self.inbox.read_ahead();
        }
        // A late answer is sent too, for the referee to count, but not after the end.
        if prompt.has_choice() && !self.inbox.closes(&message.prompt_id) {
            for text in notes::with(Notes::take).unwrap_or_default() {
                self.say(Said::Note(pb::Note { text }));
            }
        }
        if !self.inbox.is_over() {
            self.say(Said::Answer(answer));
        }
        Ok(())
    }

    fn take_news(&mut self, told: Option<Told>) -> Result<(), Ended> {
        let newer = match told {
            Some(Told::Welcome(message)) => match convert_match::welcome(&message) {
                Ok(welcome) => return self.player.welcome(&welcome),
                Err(newer) => format!("welcome: {newer}"),
            },
            Some(Told::Rejection(message)) => {
                return self.player.rejected(&convert_match::rejection(&message));
            }
            Some(Told::HandOver(message)) => match convert_match::hand_result(&message) {
                Ok(result) => return self.player.hand_over(&result),
                Err(newer) => format!("hand_over: {newer}"),
            },
            _ => "a message of a new kind".to_owned(),
        };
        self.player.passed_over(newer);
        Ok(())
    }

    fn say(&mut self, message: Said) {
        (self.send)(pb::PlayRequest { message: Some(message) });
    }
}
