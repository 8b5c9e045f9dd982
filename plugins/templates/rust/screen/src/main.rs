//! @TITLE@: a screen: it shows incoming calls as lines of its log.

use callbroker::{Error, Options, Screen, Watched};

fn main() -> Result<(), Error> {
    let watched = Watched { topics: vec!["call.*".into()], ..Watched::default() };
    let options = Options { identity: "@IDENTITY@".into(), ..Options::default() };
    let screen = Screen::new("@NAME@", watched, options);
    // Its manifest claims the screen. Buttons request screen.answer, screen.end, ...
    screen.present(|call| {
        eprintln!("{:.8} rings", call.params["call"].as_str().unwrap_or(""));
        Ok(true) // false: another may show it
    });
    screen.on_dismiss(|call| eprintln!("{call:.8} is gone"));
    screen.run()
}
