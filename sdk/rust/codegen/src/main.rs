//! Writes into a folder what the SDK has from elsewhere in the checkout, as it lies in the SDK: the
//! stubs of the protocol, the recorded prompts of `testing`, and for tests the protocol's description.

use std::error::Error;
use std::fs;
use std::path::Path;

use prost::Message;

/// Nothing but what a bot needs.
const SERVICE: &str = "millearena/v1/match_service.proto";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder to write to")?;
    let (stubs, tests) =
        (Path::new(&folder).join("src/generated"), Path::new(&folder).join("tests"));
    fs::create_dir_all(&stubs)?;
    fs::create_dir_all(&tests)?;
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let files = protox::compile([SERVICE], [checkout.join("proto")])?;
    let mut plain = files.clone();
    plain.file.iter_mut().for_each(|file| file.source_code_info = None);
    fs::write(tests.join("descriptor.bin"), plain.encode_to_vec())?;
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .out_dir(&stubs)
        .compile_fds(files)?;
    let vectors = fs::read_to_string(checkout.join("sdk/vectors/prompts.json"))?;
    fs::write(stubs.join("recorded.bin"), recorded(&vectors)?)?;
    Ok(())
}

/// The prompts of the test vectors, each behind its length: what a PlayResponse is but for its tag.
fn recorded(vectors: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = Vec::new();
    for rest in vectors.split(r#""hex": ""#).skip(1) {
        let digits = rest.split('"').next().ok_or("a hex without an end")?;
        let tagless = digits.strip_prefix("12").ok_or("a message that is no prompt")?;
        for at in (0..tagless.len()).step_by(2) {
            bytes.push(u8::from_str_radix(&tagless[at..at + 2], 16)?);
        }
    }
    Ok(bytes)
}
