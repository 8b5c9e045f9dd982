import BrokerRPC
import Testing

struct MessageFramerTests {
    private static let line = "{\"a\":\"é\"}"

    // MARK: - Lines

    @Test func `a line is handed out without its LF`() {
        #expect(cuts("{}\n", finish: false) == [.line("{}")])
    }

    @Test func `lines that arrive together are handed out one by one`() {
        #expect(
            cuts("{}\n[1]\n\"x\"\n", finish: false) == [.line("{}"), .line("[1]"), .line("\"x\"")])
    }

    @Test func `a stream may be split at every byte`() {
        let bytes = Array("{\"a\":\"é\"}\r\n\n[1]\n \t\n{\"b\":2}".utf8)
        let whole: [Cut] = [.line(Self.line + "\r"), .line("[1]"), .line("{\"b\":2}")]
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(cuts(chunks) == whole, "split at \(first) and \(second)")
            }
        }
    }

    @Test func `a stream may come byte by byte`() {
        let bytes = Array("{}\n\n\(Self.line)\n[1]".utf8)
        #expect(
            cuts(bytes.map { [$0] }) == [.line("{}"), .line(Self.line), .line("[1]")])
    }

    @Test func `what is only kept is handed out by and by`() {
        var framer = MessageFramer(frameBytes: 100)
        var lines: [String] = []
        func take(_ frame: MessageFramer.Frame) -> MessageFramer.Continuation {
            if case .line(let text) = frame { lines.append(String(decoding: text, as: UTF8.self)) }
            return .proceed
        }
        Array("{".utf8).withUnsafeBufferPointer { framer.receive($0, take) }
        Array("}\n[1]\n2".utf8).withUnsafeBufferPointer { framer.keep($0) }
        #expect(lines.isEmpty)
        framer.resume(take)
        #expect(lines == ["{}", "[1]"])
        framer.finish(take)
        #expect(lines == ["{}", "[1]", "2"])
    }

    @Test func `a read without bytes changes nothing`() {
        let parts = ["", "{", "", "}", "", "\n", ""].map { Array($0.utf8) }
        #expect(cuts(parts) == [.line("{}")])
    }

    @Test func `a CR before the LF stays, as white space`() {
        #expect(cuts("{}\r\n[]\r\r\n") == [.line("{}\r"), .line("[]\r\r")])
        #expect(cuts("{}\r[]\n") == [.line("{}\r[]")])
    }

    @Test func `lines of only blanks are skipped`() {
        for blanks in ["\n", "\n\n\n", " \n", "\t\r\n", "\r\n\r\n", "   \t\t \r\n \n"] {
            #expect(cuts(blanks, finish: false) == [])
            #expect(cuts(blanks) == [])
            let between = "\(blanks){}\n\(blanks)[]\n\(blanks)"
            #expect(cuts(between) == [.line("{}"), .line("[]")])
        }
    }

    @Test func `a line with anything else in it is a line`() {
        for text in ["\u{0B}", "\u{0C}", "\u{A0}", "\0", "x", "  .  "] {
            #expect(cuts("\(text)\n") == [.line(text)])
        }
    }

    @Test func `blanks around a line are its own`() {
        #expect(cuts("  {} \n") == [.line("  {} ")])
    }

    @Test func `any bytes but LF pass`() {
        let bytes = (UInt8.min...UInt8.max).filter { $0 != UInt8(ascii: "\n") }
        #expect(cuts([bytes + [UInt8(ascii: "\n")]], frameBytes: 1_000) == [.line(bytes)])
    }

    // MARK: - The end of the stream

    @Test func `the last line counts without its LF`() {
        var stream = Stream(frameBytes: 64)
        stream.receive("{}\n{\"a\":1")
        #expect(stream.taken() == [.line("{}")])
        stream.finish()
        #expect(stream.taken() == [.line("{\"a\":1")])
        stream.finish()
        #expect(stream.taken() == [])
        #expect(stream.bufferedBytes == 0)
    }

    @Test func `an end behind a whole line or blanks adds nothing`() {
        for text in ["", "{}\n", "{}\n ", "{}\n \t\r"] {
            #expect(cuts(text) == cuts(text, finish: false))
        }
    }

    // MARK: - What is kept

    @Test func `an idle connection keeps nothing, a begun line is kept`() {
        var stream = Stream(frameBytes: 64)
        stream.receive("{}\n[]\n")
        #expect(stream.bufferedBytes == 0)
        stream.receive("{\"a\"")
        #expect(stream.bufferedBytes == 4)
        stream.receive(":1")
        #expect(stream.bufferedBytes == 6)
        stream.receive("}\n[")
        #expect(stream.bufferedBytes == 1)
        stream.receive("]\n")
        #expect(stream.bufferedBytes == 0)
        #expect(stream.cuts == [.line("{}"), .line("[]"), .line("{\"a\":1}"), .line("[]")])
    }

    // MARK: - Lines beyond the limit

    private func text(_ count: Int) -> String {
        String(repeating: "x", count: count)
    }

    @Test(arguments: [2, 3, 64, 65_536])
    func `a line may fill the limit with its LF, and no more`(frameBytes: Int) {
        let longest = text(frameBytes - 1)
        let good = Array("\(longest)\n{}\n".utf8)
        #expect(cuts([good], frameBytes: frameBytes).first == .line(longest))
        let bad = Array("\(longest)x\n\(longest)\n".utf8)
        #expect(cuts([bad], frameBytes: frameBytes) == [.overlong, .line(longest)])
        #expect(cuts([good.dropLast(4)], frameBytes: frameBytes) == [.line(longest)])
        #expect(
            cuts([bad[..<frameBytes]], frameBytes: frameBytes, finish: false) == [.overlong])
    }

    @Test func `the limit holds wherever the line is split`() {
        let good = Array("\(text(7))\n".utf8)
        let bad = Array("\(text(8))\n".utf8)
        for split in 0...8 {
            #expect(cuts([good[..<split], good[split...]], frameBytes: 8) == [.line(text(7))])
            #expect(cuts([bad[..<split], bad[split...]], frameBytes: 8) == [.overlong])
        }
    }

    @Test func `a CR counts towards the limit`() {
        #expect(cuts("\(text(6))\r\n", frameBytes: 8) == [.line("\(text(6))\r")])
        #expect(cuts("\(text(7))\r\n", frameBytes: 8) == [.overlong])
    }

    @Test func `a line beyond the limit is reported as soon as it is, and once`() {
        var stream = Stream(frameBytes: 8)
        stream.receive(text(7))
        #expect(stream.taken() == [])
        stream.receive("x")
        #expect(stream.taken() == [.overlong])
        for _ in 0..<100 {
            stream.receive(text(20))
            #expect(stream.bufferedBytes == 0)
        }
        #expect(stream.taken() == [])
        stream.receive("\n{}\n")
        #expect(stream.taken() == [.line("{}")])
    }

    @Test func `the rest of a line beyond the limit is dropped up to its LF`() {
        var stream = Stream(frameBytes: 8)
        stream.receive(text(9))
        stream.receive("{}")
        stream.receive("[]\n{}\n\(text(8))")
        stream.receive("\n")
        stream.receive("[]\n")
        #expect(stream.cuts == [.overlong, .line("{}"), .overlong, .line("[]")])
    }

    @Test func `each line beyond the limit is reported`() {
        #expect(
            cuts("\(text(8))\n\(text(99))\n{}\n\(text(8))\n", frameBytes: 8)
                == [.overlong, .overlong, .line("{}"), .overlong])
    }

    @Test func `blanks beyond the limit are a line beyond the limit, split or not`() {
        let blanks = Array((String(repeating: " ", count: 8) + "\n").utf8)
        for split in 0...blanks.count {
            #expect(cuts([blanks[..<split], blanks[split...]], frameBytes: 8) == [.overlong])
        }
    }

    @Test func `an end inside a line beyond the limit adds nothing`() {
        #expect(cuts(text(8), frameBytes: 8) == [.overlong])
        #expect(cuts([Array(text(8).utf8), Array(text(3).utf8)], frameBytes: 8) == [.overlong])
    }

    // MARK: - Stopping

    @Test func `a taker that stops gets the rest with the next resume, in order`() {
        var stream = Stream(frameBytes: 64)
        stream.patience = 1
        stream.receive("1\n2\n\n3\n4")
        #expect(stream.taken() == [.line("1")])
        #expect(stream.bufferedBytes == 6)
        stream.resume()
        #expect(stream.taken() == [.line("2")])
        stream.resume()
        #expect(stream.taken() == [.line("3")])
        stream.resume()
        #expect(stream.taken() == [])
        #expect(stream.bufferedBytes == 1)
        stream.receive("5\n")
        #expect(stream.taken() == [.line("45")])
        #expect(stream.bufferedBytes == 0)
    }

    @Test func `bytes that arrive while lines wait come after them`() {
        var stream = Stream(frameBytes: 64)
        stream.patience = 1
        stream.receive("1\n2\n3")
        stream.receive("3\n4\n")
        #expect(stream.taken() == [.line("1"), .line("2")])
        stream.patience = nil
        stream.resume()
        #expect(stream.taken() == [.line("33"), .line("4")])
    }

    @Test func `an end while lines wait comes after them`() {
        var stream = Stream(frameBytes: 64)
        stream.patience = 1
        stream.receive("1\n2\n3")
        stream.finish()
        #expect(stream.taken() == [.line("1"), .line("2")])
        stream.resume()
        #expect(stream.taken() == [.line("3")])
        stream.resume()
        #expect(stream.taken() == [])
        #expect(stream.bufferedBytes == 0)
    }

    @Test func `a line beyond the limit may wait too`() {
        var stream = Stream(frameBytes: 8)
        stream.patience = 1
        stream.receive("1\n\(text(8))\n2\n\(text(9))")
        #expect(stream.taken() == [.line("1")])
        stream.resume()
        #expect(stream.taken() == [.overlong])
        stream.resume()
        #expect(stream.taken() == [.line("2")])
        stream.resume()
        #expect(stream.taken() == [.overlong])
        stream.receive("x\n3\n")
        #expect(stream.taken() == [.line("3")])
    }

    @Test func `a resume with nothing to resume does nothing`() {
        var stream = Stream(frameBytes: 8)
        stream.resume()
        stream.receive("{")
        stream.resume()
        stream.resume()
        stream.receive("}\n")
        stream.resume()
        #expect(stream.cuts == [.line("{}")])
    }
}
