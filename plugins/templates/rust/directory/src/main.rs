//! @TITLE@: a directory: it names callers by a list of numbers.

use callbroker::{json, Client, Error, Options};

const NAMES: [(&str, &str); 1] = [("+15550123", "Example Ltd")];

fn main() -> Result<(), Error> {
    let options = Options {
        identity: "@IDENTITY@".into(),
        roles: vec!["directory".into()],
        ..Options::default()
    };
    let client = Client::new("@NAME@", options);
    // A ringing call shows the name.
    client.handle("directory.lookup", |call| {
        let number = call.params["remote"]["value"].as_str();
        let known = NAMES.iter().find(|(known, _)| Some(*known) == number);
        Ok(known.map_or(json!({}), |(_, name)| json!({ "display_name": name })))
    });
    client.run()
}
