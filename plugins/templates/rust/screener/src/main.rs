//! @TITLE@: a screener: it blocks callers without a number.

use callbroker::{json, Client, Error, Options};

fn main() -> Result<(), Error> {
    let options = Options {
        identity: "@IDENTITY@".into(),
        roles: vec!["screener".into()],
        ..Options::default()
    };
    let client = Client::new("@NAME@", options);
    // Every call waits for the verdict before it rings.
    client.handle("screener.check", |call| {
        let has_number = call.params["remote"].is_object();
        // or allow, silence
        Ok(json!({"verdict": if has_number { "continue" } else { "block" }}))
    });
    client.run()
}
