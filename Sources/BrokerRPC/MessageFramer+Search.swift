internal import Glibc

extension MessageFramer {
    /// Returns the index of the first LF at or after `start`. The search of the C library looks at
    /// 32 bytes at a time where the processor can.
    static func firstLF(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + start, 0x0A, bytes.count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
