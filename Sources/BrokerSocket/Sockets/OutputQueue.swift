/// The bytes to be sent on a connection. A few frames are copied into one buffer, which leaves in
/// one write; behind those, a frame that is sent to many is only referred to, so that a burst
/// is stored once however many connections it goes to.
struct OutputQueue {
    /// The number of bytes up to which shared frames are copied: a copy costs less than one more
    /// part of a write.
    static let copiedBytesMax = 4_096

    /// The first bytes.
    private var head: [UInt8] = []
    /// Indicates that `head` is a frame whose storage is shared with other connections.
    private var isHeadShared = false
    /// The parts behind `head`, oldest first; those before `firstPart` are sent.
    private var parts: [[UInt8]] = []
    private var firstPart = 0
    /// Indicates that the last part is a buffer of this connection's own.
    private var isTailOwn = false
    /// The number of bytes in `parts`.
    private var partBytes = 0

    /// The number of bytes.
    var count: Int {
        head.count + partBytes
    }

    var isEmpty: Bool {
        head.isEmpty
    }

    // MARK: - Adding

    /// Adds bytes that are not shared.
    ///
    /// - Parameter loop: Has spare buffers.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ loop: EventLoop?) {
        guard isOnePiece else { return appendPart(bytes) }
        if head.isEmpty || isHeadShared { makeHeadOwn(loop) }
        head.append(contentsOf: bytes)
    }

    /// Adds a frame that is sent to many.
    mutating func append(shared frame: [UInt8], _ loop: EventLoop?) {
        if head.isEmpty {
            head = frame
            isHeadShared = true
        } else if count <= Self.copiedBytesMax {
            frame.withUnsafeBufferPointer { append($0, loop) }
        } else {
            parts.append(frame)
            partBytes += frame.count
            isTailOwn = false
        }
    }

    private mutating func appendPart(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isTailOwn {
            parts[parts.count - 1].append(contentsOf: bytes)
        } else {
            parts.append(Array(bytes))
            isTailOwn = true
        }
        partBytes += bytes.count
    }

    private mutating func makeHeadOwn(_ loop: EventLoop?) {
        let frame = head
        head = loop?.spareBuffer() ?? []
        head.append(contentsOf: frame)
        isHeadShared = false
    }

    // MARK: - Sending

    /// Indicates that all bytes are in one piece.
    var isOnePiece: Bool {
        partBytes == 0
    }

    /// Calls `body` with the first bytes.
    func withHead<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        head.withUnsafeBufferPointer(body)
    }

    /// Copies the first bytes to `buffer`, as many as fit; returns their number.
    func copy(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var filled = Self.copy(head, to: buffer, at: 0)
        for part in parts[firstPart...] where filled < buffer.count {
            filled += Self.copy(part, to: buffer, at: filled)
        }
        return filled
    }

    private static func copy(
        _ part: [UInt8], to buffer: UnsafeMutableBufferPointer<UInt8>, at place: Int
    ) -> Int {
        let count = min(part.count, buffer.count - place)
        part.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[place...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
        return count
    }

    /// Removes the first bytes, which were sent; returns the number of frames that end in them.
    mutating func removeFirst(_ count: Int, _ loop: EventLoop?) -> Int {
        var (left, frames) = (count, 0)
        while left >= head.count, !head.isEmpty {
            left -= head.count
            frames += Self.frames(in: head[...])
            takeNextPart()
        }
        guard left > 0 else { return frames }
        frames += Self.frames(in: head.prefix(left))
        if isHeadShared { makeHeadOwn(loop) }
        head.removeFirst(left)
        return frames
    }

    private mutating func takeNextPart() {
        guard firstPart < parts.count else {
            return removeAll()
        }
        head = parts[firstPart]
        // The last part may be this connection's own, but nothing is lost if it is copied once.
        isHeadShared = true
        parts[firstPart] = []
        partBytes -= head.count
        firstPart += 1
        if isOnePiece { removeParts() }
    }

    private static func frames(in bytes: ArraySlice<UInt8>) -> Int {
        bytes.count { $0 == UInt8(ascii: "\n") }
    }

    /// Removes all bytes, and gives an own buffer back to the loop.
    mutating func removeAll(_ loop: EventLoop? = nil) {
        if !isHeadShared, let loop { loop.recycle(buffer: &head) }
        head = []
        isHeadShared = false
        if !isOnePiece { removeParts() }
    }

    private mutating func removeParts() {
        (parts, firstPart, isTailOwn, partBytes) = ([], 0, false, 0)
    }

    /// Takes all bytes.
    mutating func takeAll() -> [UInt8] {
        defer { self = OutputQueue() }
        return isOnePiece ? head : head + parts[firstPart...].joined()
    }
}
