#if canImport(Glibc)
    internal import Glibc
#endif

/// Standard input and output.
enum Terminal {
    static var isOutput: Bool {
        isatty(STDOUT_FILENO) == 1
    }

    /// Everything on standard input, up to `bytesMax` bytes.
    static func readInput(bytesMax: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count <= 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > bytesMax { return nil }
        }
    }
}
