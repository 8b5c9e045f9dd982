internal import Glibc
internal import PhoneScreen

// What a person sees and drives all calls of all apps with, in a terminal.

/// Ends the program with a sentence on the standard error.
func fail(_ message: String) -> Never {
    let line = Array("callbroker-phone: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}

let names = ["LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "ESCDELAY"]
let environment = names.reduce(into: [String: String]()) { variables, name in
    variables[name] = getenv(name).map { String(cString: $0) }
}
let messages = ScreenTexts(
    environment: environment, folder: ProgramPath.current.flatMap(ScreenTexts.folder))

if CommandLine.arguments.count > 1 {
    switch CommandLine.arguments[1] {
    case "-h", "--help": print(Usage.text)
    case "--keys": print(Usage.keys)
    default: fail("unknown argument; see callbroker-phone --help")
    }
    exit(0)
}
guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
    fail("standard input and output are no terminal; run it in one, over ssh with: ssh -t HOST")
}
Signals.keepSettings()
guard let terminal = Terminal(environment: environment) else {
    fail("TERM names no terminal with a movable cursor; set it, for example: TERM=vt100")
}
let inbox = Inbox()
// Before there are other threads: the size of the terminal changes only where it is waited for.
Screen.blockResizing()
Signals.install(inbox)
let session = Session(inbox)
let screen = Screen(Phone(messages), terminal, inbox, session)
screen.phone.isConnecting = true
session.start()
screen.run()
terminal.close()
session.close()
