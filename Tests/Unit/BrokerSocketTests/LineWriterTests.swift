import BrokerSocket
import Glibc
import Testing

/// A log that may not be read.
struct LineWriterTests {
    /// A stream that may not be read, and a writer to it. It stays open: the writer's thread never ends, and no
    /// child of another test inherits it.
    private struct Log {
        let reader: Int32
        let writer: LineWriter

        init() throws {
            var ends: [Int32] = [0, 0]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            reader = ends[0]
            writer = try LineWriter(to: ends[1])
        }

        /// What is written, up to the line that ends like that.
        func read(to end: String) -> String {
            var text: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4_096)
            while !text.suffix(end.utf8.count).elementsEqual(end.utf8) {
                let count = Glibc.read(reader, &piece, piece.count)
                guard count > 0 else { break }
                text += piece[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    @Test func `lines come in their order`() throws {
        let log = try Log()
        for number in 1...1_000 { log.writer.write("line \(number)\n") }
        let all = log.read(to: "line 1000\n")
        #expect(all == (1...1_000).map { "line \($0)\n" }.joined())
    }

    @Test func `a reader that does not come keeps nobody waiting, and what it misses is counted`()
        throws
    {
        let log = try Log()
        let line = String(repeating: "x", count: 1_023) + "\n"
        for _ in 1...2_000 { log.writer.write(line) }
        log.writer.write("the last words\n")
        var (told, read) = (0, 0)
        while told + read < 2_001 {
            let lines = log.read(to: "\n").split(separator: "\n")
            read += lines.count { !$0.hasPrefix("callbroker:") }
            for notice in lines where notice.hasPrefix("callbroker:") {
                #expect(notice.hasSuffix(" of the log: standard error was not read"))
                told += Int(notice.split(separator: " ")[2]) ?? 0
            }
        }
        // What waits, what is on its way, and what the stream holds.
        #expect(read <= 4 * LineWriter.bytesMax / 1_024)
        log.writer.write("and on\n")
        #expect(log.read(to: "\n") == "and on\n")
    }

    @Test func `a flush has everything written`() throws {
        let log = try Log()
        log.writer.write("the last words\n")
        log.writer.flush(withinMS: 60_000)
        var text = [UInt8](repeating: 0, count: 64)
        #expect(Glibc.read(log.reader, &text, text.count) == 15)
    }

    @Test func `a flush does not wait for a reader that never comes`() throws {
        let log = try Log()
        for _ in 1...100 { log.writer.write(String(repeating: "x", count: 1_023) + "\n") }
        log.writer.flush(withinMS: 1)
    }
}
