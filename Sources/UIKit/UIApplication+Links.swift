extension UIApplication {
    /// Opens a link in the program that the desktop has for it, with `xdg-open`.
    ///
    /// - Parameters:
    ///   - url: the link; other programs of the user can see it while `xdg-open` runs.
    ///   - options: ignored.
    ///   - completion: called on the main queue with whether `xdg-open` succeeded; false on a
    ///     host without it.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let process = Self.tool("xdg-open", [url.absoluteString])
        process.terminationHandler = { process in
            let isOpen = process.terminationStatus == 0
            DispatchQueue.main.async { completion?(isOpen) }
        }
        do {
            try process.run()
        } catch {
            DispatchQueue.main.async { completion?(false) }
        }
    }

    /// Opens a link in the program that the desktop has for it, and returns whether there is one.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await withCheckedContinuation { done in
            open(url, options: options) { done.resume(returning: $0) }
        }
    }

    /// Returns whether the desktop has a program for links with this scheme, which `xdg-mime`
    /// knows. It waits for that program.
    public func canOpenURL(_ url: URL) -> Bool {
        guard let scheme = url.scheme else { return false }
        let process = Self.tool("xdg-mime", ["query", "default", "x-scheme-handler/\(scheme)"])
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return false }
        let answer = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return answer.contains { $0 > UInt8(ascii: " ") }
    }

    private static func tool(_ name: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardError = FileHandle.nullDevice
        return process
    }
}
