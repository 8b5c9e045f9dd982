import BrokerRPC

/// A frame as plain data, to compare with.
enum Cut: Equatable, Sendable {
    case line([UInt8])
    case overlong

    init(_ frame: MessageFramer.Frame) {
        switch frame {
        case .line(let bytes): self = .line(Array(bytes))
        case .overlong: self = .overlong
        }
    }

    static func line(_ text: String) -> Cut {
        .line(Array(text.utf8))
    }
}

/// A framer and the frames it has handed out.
struct Stream {
    private var framer: MessageFramer
    private(set) var cuts: [Cut] = []
    /// Takes that many frames, then stops; nil takes all.
    var patience: Int?

    init(frameBytes: Int) {
        framer = MessageFramer(frameBytes: frameBytes)
    }

    var bufferedBytes: Int {
        framer.bufferedBytes
    }

    mutating func receive(_ bytes: some Collection<UInt8>) {
        Array(bytes).withUnsafeBufferPointer { chunk in
            feed { framer, take in framer.receive(chunk, take) }
        }
    }

    mutating func receive(_ text: String) {
        receive(Array(text.utf8))
    }

    mutating func resume() {
        feed { framer, take in framer.resume(take) }
    }

    mutating func finish() {
        feed { framer, take in framer.finish(take) }
    }

    private mutating func feed(
        _ cut: (inout MessageFramer, (MessageFramer.Frame) -> MessageFramer.Continuation) -> Void
    ) {
        var taken: [Cut] = []
        cut(&framer) { frame in
            taken.append(Cut(frame))
            return taken.count == patience ? .stop : .proceed
        }
        cuts += taken
    }

    /// The frames handed out since the last time.
    mutating func taken() -> [Cut] {
        defer { cuts = [] }
        return cuts
    }
}

/// The frames of a whole stream that arrives in `chunks`.
func cuts(_ chunks: [some Collection<UInt8>], frameBytes: Int = 64, finish: Bool = true) -> [Cut] {
    var stream = Stream(frameBytes: frameBytes)
    for chunk in chunks { stream.receive(chunk) }
    if finish { stream.finish() }
    return stream.cuts
}

func cuts(_ text: String, frameBytes: Int = 64, finish: Bool = true) -> [Cut] {
    cuts([Array(text.utf8)], frameBytes: frameBytes, finish: finish)
}

/// What a framer must make of a stream, by splitting the whole of it.
func expectedCuts(_ stream: [UInt8], frameBytes: Int) -> [Cut] {
    stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).compactMap {
        line in
        if line.count >= frameBytes { return .overlong }
        let isBlank = line.allSatisfy { " \t\r".utf8.contains($0) }
        return isBlank ? nil : .line(Array(line))
    }
}
