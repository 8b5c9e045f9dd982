internal import BrokerSocket

#if canImport(Glibc)
    internal import Glibc
#endif

/// Standard input and output.
enum Terminal {
    static var isOutput: Bool {
        isatty(STDOUT_FILENO) == 1
    }

    static var isErrorOutput: Bool {
        isatty(STDERR_FILENO) == 1
    }

    /// What is longer is cut on a screen; JUnit and JSON have it whole.
    private static let columns = 2_000

    /// No escape sequence of somebody else's reaches the terminal.
    static func cut(_ line: String) -> String {
        let shown = line.unicodeScalars.prefix(columns).map {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : String($0)
        }
        let isCut = line.unicodeScalars.count > columns
        return shown.joined() + (isCut ? "... (\(line.utf8.count) bytes)" : "")
    }

    /// Everything on standard input, up to `bytesMax` bytes.
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

    /// A whole file; standard input if none is named, or -.
    static func read(_ file: String?, bytesMax: Int) throws -> [UInt8] {
        guard let file, file != "-" else {
            guard let bytes = readInput(bytesMax: bytesMax) else {
                throw tooLong("standard input", bytesMax)
            }
            return bytes
        }
        var bytes: [UInt8] = []
        do {
            try HostFile.readPieces(of: file) { piece in
                bytes += piece
                if bytes.count > bytesMax { throw tooLong(file, bytesMax) }
            }
        } catch let error as SocketError {
            throw ToolFailure(code: .usage, message: "callbroker: \(error)")
        }
        return bytes
    }

    private static func tooLong(_ name: String, _ bytesMax: Int) -> ToolFailure {
        ToolFailure(
            code: .usage, message: "callbroker: \(name) holds more than \(bytesMax) bytes")
    }
}

/// Standard output, written at once: whoever reads a pipe sees each line as it comes.
enum StandardOutput {
    static func write(_ text: String) {
        write(Array(text.utf8))
    }

    static func line(_ text: String) {
        write(Array(text.utf8) + [UInt8(ascii: "\n")])
    }

    static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // Nobody reads any more: there is nothing left to do.
                exit(ToolFailure.Code.errorReply.rawValue)
            }
        }
    }
}
