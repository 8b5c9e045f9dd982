internal import BrokerSocket

#if canImport(Glibc)
    internal import Glibc
#endif

/// The user's pager for text that is longer than the terminal: `$PAGER`, else `less`.
enum Pager {
    /// Shows the text; false if no pager is needed, or there is none.
    static func show(_ text: String) -> Bool {
        guard let size = Terminal.size, isLonger(text, than: size),
            let command = command(Environment.current), let pager = popen(command, "w")
        else { return false }
        write(TerminalText.safe(text) + "\n", to: pager)
        pclose(pager)
        return true
    }

    /// Returns the command; nil if the user wants none, or none is installed.
    static func command(
        _ environment: [String: String],
        isProgram: (String) -> Bool = { HostFile.isExecutable($0) }
    ) -> String? {
        if let chosen = environment["PAGER"] {
            return ["", "cat"].contains(chosen) ? nil : chosen
        }
        let folders = environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { isProgram($0 + "/less") } ? "less -FRX" : nil
    }

    /// True if the lines, wrapped where they are too wide, do not fit above the prompt.
    private static func isLonger(_ text: String, than size: (columns: Int, rows: Int)) -> Bool {
        var rows = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            rows += 1 + max(0, String(line).cells - 1) / size.columns
            if rows >= size.rows { return true }
        }
        return false
    }

    /// Writes until the user has seen enough.
    private static func write(_ text: String, to pager: UnsafeMutablePointer<FILE>) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, pager) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
