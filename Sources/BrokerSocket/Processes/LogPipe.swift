internal import CLinux
internal import Glibc

/// A pipe with a child's log output.
package final class LogPipe {
    let descriptor: Int32
    private weak var loop: EventLoop?
    private var isOpen = true

    init(_ descriptor: Int32, _ loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Creates a pipe in memory, controlled by a test.
    package init() {
        descriptor = -1
        loop = nil
        isOpen = false
    }

    /// Reads once; stops at the end.
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

    /// Reads the output that has not been read yet, up to a limit, of a child that has exited.
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

    /// Stops reading. The descriptor is closed at the end of the turn.
    package func stop() {
        guard isOpen else { return }
        isOpen = false
        loop?.stopWatching(descriptor)
    }
}
