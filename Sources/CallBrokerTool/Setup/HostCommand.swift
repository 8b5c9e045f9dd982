internal import BrokerSocket

/// A program of the host that was run to its end.
struct HostCommand {
    private static let outputBytesMax = 1 << 18
    /// The wait for output; an exit ends it, where the kernel reports one.
    private static let pauseMS = 100

    /// True if the program has exited with status 0.
    let isSuccess: Bool
    /// The text that it wrote to standard output and standard error.
    let output: String

    /// Runs a program; nil if it cannot be started, or takes longer.
    init?(_ words: [String], secondsMax: Int = 10) {
        guard let (ours, theirs) = try? PolledStream.pair() else { return nil }
        theirs.makeBlocking()
        let started = withExtendedLifetime(theirs) {
            try? ChildProgram(
                words, environment: Environment.current, folder: nil,
                descriptors: [(theirs.descriptor, 1), (theirs.descriptor, 2)])
        }
        guard let program = started else { return nil }
        let deadline = MonotonicTime.now().advanced(milliseconds: secondsMax * 1_000)
        var bytes: [UInt8] = []
        while program.reap() == nil {
            guard MonotonicTime.now() < deadline, bytes.count < Self.outputBytesMax else {
                return nil
            }
            PolledStream.wait(
                for: [ours.descriptor, program.exitDescriptor], milliseconds: Self.pauseMS)
            Self.read(ours, into: &bytes)
        }
        Self.read(ours, into: &bytes)
        isSuccess = program.exit == .status(0)
        output = String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what is there.
    private static func read(_ stream: PolledStream, into bytes: inout [UInt8]) {
        while case .bytes(let more) = stream.read(), bytes.count < outputBytesMax { bytes += more }
    }

    /// The first line of the output.
    var firstLine: String {
        String(output.prefix { $0 != "\n" })
    }
}
