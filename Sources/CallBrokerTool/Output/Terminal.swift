internal import BrokerSocket
internal import CallProtocol

#if canImport(Glibc)
    internal import Glibc
#endif

/// Standard input and output.
enum Terminal {
    static let isOutput = isatty(STDOUT_FILENO) == 1

    static var isErrorOutput: Bool {
        isatty(STDERR_FILENO) == 1
    }

    /// Asks the user; true if standard input is no terminal.
    static func confirm(_ question: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else { return true }
        StandardError.write(Messages.promptNoDefault(question: question))
        let answer = Swift.readLine()?.lowercased() ?? ""
        return Messages.promptYesWords.split(separator: " ").contains(answer[...])
    }

    static var isInput: Bool {
        isatty(STDIN_FILENO) == 1
    }

    /// True if standard input has a line, or its end.
    static var hasInput: Bool {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Reads a line without blanks around it; nil at the end of the input.
    static func readLine() -> String? {
        Swift.readLine()?.trimmed
    }

    /// Reads a line that the terminal does not show.
    static func readSecret() -> String? {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
        defer { StandardError.write("\n") }
        return readLine()
    }

    /// The size of the terminal that gets standard output, in cells; nil if there is none, or it
    /// does not know its size.
    static let size: (columns: Int, rows: Int)? = {
        var size = winsize()
        guard isOutput, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
            size.ws_row > 0
        else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }()

    /// The length at which lines on a screen are cut; JUnit and JSON have them whole.
    private static let columns = 2_000

    static func cut(_ line: String) -> String {
        let shown = String(line.unicodeScalars.prefix(columns)).printable
        let isCut = line.unicodeScalars.count > columns
        return shown + (isCut ? "... (\(line.utf8.count) bytes)" : "")
    }

    /// Reads standard input, up to `bytesMax` bytes.
    static func readInput(bytesMax: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
            if count <= 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > bytesMax { return nil }
        }
    }

    /// Reads a whole file; standard input for nil and `-`.
    static func read(_ file: String?, bytesMax: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try readPieces(file, bytesMax: bytesMax) { bytes += $0 }
        return bytes
    }

    /// Reads a file in pieces.
    static func readPieces(
        _ file: String?, bytesMax: Int, _ take: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        let isInput = file == nil || file == "-"
        let name = isInput ? Messages.fileStandardInput : file ?? ""
        var count = 0
        do {
            try HostFile.readPieces(of: isInput ? nil : name) { piece in
                count += piece.count
                if count > bytesMax { throw tooLong(name, bytesMax) }
                try take(piece)
            }
        } catch let error as SocketError {
            throw ToolFailure(.usage, "\(error)")
        }
    }

    private static func tooLong(_ name: String, _ bytesMax: Int) -> ToolFailure {
        ToolFailure(.usage, Messages.fileTooLong(file: name, bytes: "\(bytesMax)"))
    }
}

/// Standard output, written without buffering, so that a pipe gets each line at once. A terminal
/// gets `TerminalText`, a pipe the bytes as they are.
enum StandardOutput {
    static func write(_ text: String) {
        write(Array(text.utf8))
    }

    static func line(_ text: String) {
        write(Array(text.utf8) + [UInt8(ascii: "\n")])
    }

    /// Writes a line with a word in a color of the terminal.
    static func line(_ start: String, _ word: String, inColor number: Int, _ end: String) {
        let parts = [start, word, end].map { TerminalText.safe($0) }
        emit(Array("\(parts[0])\u{1B}[\(number)m\(parts[1])\u{1B}[0m\(parts[2])\n".utf8))
    }

    static func write(_ bytes: [UInt8]) {
        emit(Terminal.isOutput ? TerminalText.safe(bytes) : bytes)
    }

    private static func emit(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // The reader has closed the pipe, so no output is needed any more.
                exit(ToolFailure.Code.errorReply.rawValue)
            }
        }
    }
}

extension String {
    /// The text without blanks around it.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
