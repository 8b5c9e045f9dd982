internal import CNCurses
internal import Glibc
internal import PhoneScreen

/// The loop of the screen: it waits for keys, for what the broker says, and, while a time runs on the
/// screen, for the next second. Everything here is on one thread, which ncurses needs.
final class Screen {
    var phone: Phone
    private let terminal: Terminal
    private let inbox: Inbox
    private let session: Session
    private var shown: Picture?
    private var hasEnded = false

    init(_ phone: Phone, _ terminal: Terminal, _ inbox: Inbox, _ session: Session) {
        (self.phone, self.terminal, self.inbox, self.session) = (phone, terminal, inbox, session)
    }

    /// Runs until the user quits, or a signal asks for the end.
    func run() {
        while !hasEnded {
            draw()
            wait()
            receive()
            while let input = terminal.read(), !hasEnded { handle(input) }
        }
    }

    var clock: Clock {
        let now = LocalTime.nowMS
        return Clock(nowMS: now) { LocalTime.words($0, nowMS: now) }
    }

    func ring() {
        terminal.ring()
    }

    private func draw() {
        let picture = phone.draw(terminal.size, clock)
        guard picture != shown else { return }
        shown = picture
        terminal.show(picture)
    }

    private func wait() {
        var descriptors = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inbox.reading, events: Int16(POLLIN), revents: 0),
        ]
        let untilNextSecond = Int(1_000 - LocalTime.nowMS % 1_000)
        poll(&descriptors, phone.hasRunningTimes ? untilNextSecond : nil)
        // The terminal is gone: nobody can quit.
        let gone = Int16(POLLHUP | POLLERR | POLLNVAL)
        if descriptors[0].revents & gone != 0 { hasEnded = true }
    }

    /// Waits, and lets a change of the size end that. At all other times it is blocked, in all
    /// threads, so that none is missed between a look at the size and the wait.
    private func poll(_ descriptors: inout [pollfd], _ milliseconds: Int?) {
        var none = sigset_t()
        sigemptyset(&none)
        guard let milliseconds else {
            ppoll(&descriptors, nfds_t(descriptors.count), nil, &none)
            return
        }
        var time = timespec(
            tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
        ppoll(&descriptors, nfds_t(descriptors.count), &time, &none)
    }

    /// Blocks the signal of a changed size in this thread and those that it starts.
    static func blockResizing() {
        var resizing = sigset_t()
        sigemptyset(&resizing)
        sigaddset(&resizing, SIGWINCH)
        pthread_sigmask(SIG_BLOCK, &resizing, nil)
    }

    private func receive() {
        let (work, isEnd) = inbox.takeAll()
        for each in work { each(self) }
        hasEnded = hasEnded || isEnd
    }

    private func handle(_ input: Terminal.Input) {
        switch input {
        case .key(let key): perform(phone.press(key))
        case .click(let row, let column, let times):
            guard let target = shown?.target(row, column) else { break }
            for _ in 0..<times { perform(phone.click(target)) }
        case .wheel(let rows): phone.scroll(by: rows)
        case .resize: shown = nil
        }
    }

    private func perform(_ commands: [Command]) {
        for command in commands {
            switch command {
            case .quit: hasEnded = true
            case .answer(let answer):
                guard let question = phone.questions.first else { break }
                phone.remove(question)
                session.answer(question, answer)
            default: session.perform(command)
            }
        }
    }
}
