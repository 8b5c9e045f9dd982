internal import BrokerSocket

#if canImport(Glibc)
    internal import Glibc
#endif

/// A screen that is a program of its own, which takes the place of the tool.
enum ScreenProgram {
    /// Runs the screen instead of this program.
    ///
    /// - Parameters:
    ///   - name: the name of the program.
    ///   - arguments: what follows the name.
    ///   - socket: the path of the broker's socket; nil leaves the default.
    /// - Throws: `ToolFailure` if the screen is not installed or does not start.
    static func replaceTool(
        _ name: String, _ arguments: [String] = [], socket: String?
    ) throws(ToolFailure) {
        guard let path = find(name) else {
            throw ToolFailure(.usage, Messages.screensMissing(program: name))
        }
        if let socket { setenv("BROKER_SOCKET", HostProcess.absolute(socket), 1) }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        execv(path, &words)
        let reason = String(cString: strerror(errno))
        throw ToolFailure(.usage, Messages.screensNotStarted(program: path, reason: reason))
    }

    /// Returns the path of a screen: beside the tool, symbolic links resolved, or in the folder of
    /// programs that are not for the path; nil if it is in neither.
    static func find(_ name: String, tool: String = HostProcess.program) -> String? {
        let folder = tool.split(separator: "/").dropLast().map(String.init)
        let places = [folder, folder.dropLast() + ["libexec", "callbroker"]]
        return places.map { "/" + ($0 + [name]).joined(separator: "/") }
            .first(where: HostFile.isProgram)
    }
}
