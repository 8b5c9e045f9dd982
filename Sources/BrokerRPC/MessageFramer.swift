/// A framer that splits a stream of bytes into frames: lines that end in LF.
///
/// A stream has no boundaries: a read may end in the middle of a line, or contain a hundred of
/// them. Lines are passed on in place, in the bytes that were read. Only the beginning of an
/// unfinished line is copied and buffered, so an idle connection keeps nothing. The framer
/// remembers how far the buffered bytes have been searched: a peer that sends one byte at a time
/// costs one look at each byte, not one look at each byte for every byte.
///
/// Three kinds of line are not frames. Lines of blanks are skipped (keep-alive). A line that
/// exceeds the limit is reported once, as soon as it does, and the rest of it is dropped up to its
/// LF; the lines after it are read as usual. The rest of a stream that ends without LF counts as a
/// line, because people forget the newline; a truncated object cannot be mistaken for a whole one.
///
/// The handler may stop after any frame. The rest is then buffered as it is, until `resume`.
package struct MessageFramer {
    /// A frame as the handler receives it.
    package enum Frame {
        /// A line without its LF. Valid during the call only.
        case line(UnsafeBufferPointer<UInt8>)
        /// A line that exceeds the limit; its bytes are dropped.
        case overlong
    }

    /// The handler's answer to a frame.
    package enum Continuation {
        case proceed, stop
    }

    private let lineBytesMax: Int
    private var buffer: [UInt8] = []
    /// The number of buffered bytes that are known to contain no LF.
    private var searched = 0
    private var isDropping = false

    /// - Parameter frameBytes: The maximum length of a line, including LF.
    package init(frameBytes: Int) {
        lineBytesMax = frameBytes - 1
    }

    /// The number of bytes buffered for the rest of their line, or for `resume`.
    package var bufferedBytes: Int {
        buffer.count
    }

    /// Receives bytes, and passes on the frames that they complete.
    package mutating func receive(
        _ chunk: UnsafeBufferPointer<UInt8>, _ handler: (Frame) -> Continuation
    ) {
        guard buffer.isEmpty else {
            buffer.append(contentsOf: chunk)
            return resume(handler)
        }
        let rest = splitLines(chunk, handler)
        buffer.append(contentsOf: UnsafeBufferPointer(rebasing: chunk[rest...]))
    }

    /// Receives bytes, and passes on nothing before `resume`.
    package mutating func keep(_ chunk: UnsafeBufferPointer<UInt8>) {
        buffer.append(contentsOf: chunk)
    }

    /// Continues with the bytes that were buffered when the handler stopped.
    package mutating func resume(_ handler: (Frame) -> Continuation) {
        let bytes = buffer
        buffer = []
        let rest = bytes.withUnsafeBufferPointer { splitLines($0, handler) }
        if rest == 0 {
            buffer = bytes
        } else if rest < bytes.count {
            buffer = Array(bytes[rest...])
        }
    }

    /// Ends the stream: the rest is the last line.
    package mutating func finish(_ handler: (Frame) -> Continuation) {
        guard !isDropping, !buffer.isEmpty else { return }
        buffer.append(UInt8(ascii: "\n"))
        searched = 0
        resume(handler)
    }

    /// Passes on the whole lines of `bytes`, and returns where the rest begins.
    private mutating func splitLines(
        _ bytes: UnsafeBufferPointer<UInt8>, _ handler: (Frame) -> Continuation
    ) -> Int {
        var start = 0
        var from = searched
        searched = 0
        while let end = Self.firstLF(in: bytes, from: from) {
            let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            from = start
            if deliver(line, handler) == .stop { return start }
        }
        if isDropping { return bytes.count }
        guard bytes.count - start <= lineBytesMax else {
            isDropping = true
            _ = handler(.overlong)
            return bytes.count
        }
        searched = bytes.count - start
        return start
    }

    private mutating func deliver(
        _ line: UnsafeBufferPointer<UInt8>, _ handler: (Frame) -> Continuation
    ) -> Continuation {
        if isDropping {
            isDropping = false
            return .proceed
        }
        guard line.count <= lineBytesMax else { return handler(.overlong) }
        return Self.isBlank(line) ? .proceed : handler(.line(line))
    }

    private static func isBlank(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
