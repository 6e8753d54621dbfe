//! The wire: a thread of its own that connects, reads what comes and writes what is sent.
//!
//! A bot may be held still at any moment for as long as others think, while clocks go on. So there
//! is no deadline and no keepalive here, and waiting for a referee is counted in pieces.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedReceiver;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint, Uri};
use tonic::{Code, Request, Status};

use crate::proto as pb;
use crate::stream::Mail;
use pb::match_service_client::MatchServiceClient;

const PATIENCE: u32 = 30; // seconds until a referee that cannot be reached is given up
const PIECES: u32 = 10; // of a second

/// Where the referee is, and what is shown to it.
pub(crate) struct Referee {
    pub endpoint: Endpoint,
    pub token: Option<MetadataValue<Ascii>>,
}

/// Read an address: `unix:PATH` or `HOST:PORT`.
pub(crate) fn endpoint(address: &str) -> Option<Endpoint> {
    let target = if address.strip_prefix("unix:").is_some_and(|path| !path.is_empty()) {
        address.to_owned()
    } else {
        let (host, port) = address.rsplit_once(':')?;
        port.parse::<u16>().ok().filter(|_| !host.is_empty())?;
        format!("http://{address}")
    };
    // The authority is a made-up name: a socket's path is none, and some servers look at it.
    Some(Endpoint::from_shared(target).ok()?.origin(Uri::from_static("http://localhost")))
}

/// Live as long as the stream does; what comes goes to `mail`, its end last.
pub(crate) fn live(
    referee: Referee,
    requests: UnboundedReceiver<pb::PlayRequest>,
    mail: &Sender<Mail>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let end = match runtime {
        Ok(runtime) => runtime.block_on(talk(referee, requests, mail)),
        Err(error) => Err(format!("no runtime for the connection: {error}")),
    };
    let _ = mail.send(Mail::End(end));
}

async fn talk(
    referee: Referee,
    requests: UnboundedReceiver<pb::PlayRequest>,
    mail: &Sender<Mail>,
) -> Result<(), String> {
    let mut client = MatchServiceClient::new(connect(&referee.endpoint).await?);
    let mut request = Request::new(UnboundedReceiverStream::new(requests));
    if let Some(token) = referee.token {
        request.metadata_mut().insert("arena-token", token);
    }
    let mut messages = client.play(request).await.map_err(refused)?.into_inner();
    while let Some(message) = messages.message().await.map_err(refused)? {
        if mail.send(Mail::Message(Box::new(message), Instant::now())).is_err() {
            break;
        }
    }
    Ok(())
}

async fn connect(endpoint: &Endpoint) -> Result<Channel, String> {
    for _ in 0..PATIENCE * PIECES {
        if let Ok(channel) = endpoint.connect().await {
            return Ok(channel);
        }
        tokio::time::sleep(Duration::from_secs(1) / PIECES).await;
    }
    Err(format!("nobody has answered for {PATIENCE} s"))
}

fn refused(status: Status) -> String {
    format!("{}: {}", name(status.code()), status.message())
}

/// The name of a code as the protocol writes it.
fn name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}
