internal import CNCurses
internal import Glibc

/// The signals that end the program. The terminal is as before afterwards, also after a crash.
enum Signals {
    private typealias Handler = @convention(c) @Sendable (Int32) -> Void

    /// The byte that a handler writes into the pipe of the loop.
    static let end: UInt8 = 1

    /// What the handlers use: they may not allocate, and the loop may be interrupted anywhere.
    nonisolated(unsafe) private static var pipe: Int32 = -1
    nonisolated(unsafe) private static var settings = termios()
    nonisolated(unsafe) private static var restoring: UnsafeMutablePointer<CChar>?
    nonisolated(unsafe) private static var restoringLength = 0

    /// Keeps the settings of the terminal; before ncurses changes them.
    static func keepSettings() {
        tcgetattr(STDIN_FILENO, &settings)
    }

    /// Installs the handlers; once ncurses knows the terminal.
    static func install(_ inbox: Inbox) {
        pipe = inbox.writing
        let strings = [
            "\u{1B}[?1006l\u{1B}[?1000l", capability(callbroker_plain_text()),
            capability(callbroker_show_cursor()), capability(callbroker_leave_screen()),
        ]
        // A terminal without a mouse, such as a vt100, is not told to turn it off.
        let text = (hasMouse ? strings : Array(strings.dropFirst())).joined()
        restoring = strdup(text)
        restoringLength = text.utf8.count
        for number in [SIGTERM, SIGHUP, SIGINT] { handle(number, askForEnd) }
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
            handle(number, crash)
        }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Indicates whether the terminal reports clicks.
    static var hasMouse: Bool {
        var name = Array("kmous".utf8CString)
        guard let text = tigetstr(&name) else { return false }
        return Int(bitPattern: text) > 0
    }

    private static func capability(_ text: UnsafePointer<CChar>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }

    private static func handle(_ number: Int32, _ handler: @escaping Handler) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        sigaction(number, &action, nil)
    }

    private static let askForEnd: Handler = { _ in
        let before = errno
        var byte = end
        _ = write(pipe, &byte, 1)
        errno = before
    }

    private static let crash: Handler = { number in
        if let restoring { _ = write(STDOUT_FILENO, restoring, restoringLength) }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        signal(number, SIG_DFL)
        raise(number)
    }
}
