/// Cuts a stream of bytes into frames: one line each, ended by LF.
///
/// A stream has no edges: a read may end in the middle of a line, or hold a hundred of them. Lines
/// are handed out in place, straight from the bytes that were read. Only what is left over, the
/// beginning of a line whose end has not come yet, is copied and kept, so an idle connection keeps
/// nothing. How far the kept bytes have been searched is remembered: a peer that sends one byte at
/// a time costs one look at each byte, not one look at each byte for every byte.
///
/// Three kinds of line are no frames. Lines of only blanks are skipped (keep-alive). A line that
/// grows beyond the limit is reported once, as soon as it does, and the rest of it is dropped up to
/// its LF; whatever follows is read as usual. And what is left when the stream ends counts as a
/// line, because people forget the newline; a truncated object cannot be taken for a whole one.
///
/// The taker may stop after any frame. Then the rest is kept as it is, to go on with `resume`.
package struct MessageFramer {
    package enum Frame {
        /// One line without its LF. Valid during the call only.
        case line(UnsafeBufferPointer<UInt8>)
        /// A line beyond the limit; its bytes are gone.
        case overlong
    }

    package enum Continuation {
        case proceed, stop
    }

    private let lineBytesMax: Int
    private var kept: [UInt8] = []
    /// How many of the kept bytes are known to hold no LF.
    private var searched = 0
    private var isDropping = false

    /// - Parameter frameBytes: the longest line, LF included.
    package init(frameBytes: Int) {
        lineBytesMax = frameBytes - 1
    }

    /// Bytes that wait for the rest of their line, or for `resume`.
    package var keptBytes: Int {
        kept.count
    }

    /// Takes what was read and hands out the frames it completes.
    package mutating func receive(
        _ chunk: UnsafeBufferPointer<UInt8>, _ take: (Frame) -> Continuation
    ) {
        guard kept.isEmpty else {
            kept.append(contentsOf: chunk)
            return resume(take)
        }
        let rest = cut(chunk, take)
        kept.append(contentsOf: UnsafeBufferPointer(rebasing: chunk[rest...]))
    }

    /// Takes what was read, and hands out nothing before `resume`.
    package mutating func keep(_ chunk: UnsafeBufferPointer<UInt8>) {
        kept.append(contentsOf: chunk)
    }

    /// Goes on with what was kept when the taker stopped.
    package mutating func resume(_ take: (Frame) -> Continuation) {
        let bytes = kept
        kept = []
        let rest = bytes.withUnsafeBufferPointer { cut($0, take) }
        if rest == 0 {
            kept = bytes
        } else if rest < bytes.count {
            kept = Array(bytes[rest...])
        }
    }

    /// The stream has ended: what is left is the last line.
    package mutating func finish(_ take: (Frame) -> Continuation) {
        guard !isDropping, !kept.isEmpty else { return }
        kept.append(UInt8(ascii: "\n"))
        searched = 0
        resume(take)
    }

    /// Hands out the whole lines of `bytes` and returns where the rest begins.
    private mutating func cut(
        _ bytes: UnsafeBufferPointer<UInt8>, _ take: (Frame) -> Continuation
    ) -> Int {
        var start = 0
        var from = searched
        searched = 0
        while let end = Self.firstLF(in: bytes, from: from) {
            let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            from = start
            if deliver(line, take) == .stop { return start }
        }
        if isDropping { return bytes.count }
        guard bytes.count - start <= lineBytesMax else {
            isDropping = true
            _ = take(.overlong)
            return bytes.count
        }
        searched = bytes.count - start
        return start
    }

    private mutating func deliver(
        _ line: UnsafeBufferPointer<UInt8>, _ take: (Frame) -> Continuation
    ) -> Continuation {
        if isDropping {
            isDropping = false
            return .proceed
        }
        guard line.count <= lineBytesMax else { return take(.overlong) }
        return Self.isBlank(line) ? .proceed : take(.line(line))
    }

    private static func isBlank(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
