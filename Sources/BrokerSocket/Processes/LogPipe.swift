internal import CLinux
internal import Glibc

/// What a child writes that is for people.
package final class LogPipe {
    let descriptor: Int32
    private weak var loop: EventLoop?
    private var isOpen = true

    init(_ descriptor: Int32, _ loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// A pipe in memory: whoever made it says what comes.
    package init() {
        descriptor = -1
        loop = nil
        isOpen = false
    }

    /// Reads once.
    func read(
        into buffer: UnsafeMutableBufferPointer<UInt8>,
        _ handle: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
            handle(UnsafeBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 {
            stop()
        }
    }

    /// Everything that was written and is not read yet, up to a bound: the last words of a child that
    /// has gone.
    package func readRest(bytesMax: Int) -> [UInt8] {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while isOpen, rest.count < bytesMax {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            rest.append(contentsOf: buffer[..<count])
        }
        return rest
    }

    /// Reads no more. The descriptor closes at the end of the turn.
    package func stop() {
        guard isOpen else { return }
        isOpen = false
        loop?.forget(descriptor)
    }
}
