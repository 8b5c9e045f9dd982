/// The process at the other end of a connection, as the kernel describes it.
package struct PeerProcess: Hashable, Sendable {
    /// The sandbox that a process runs in.
    package enum Sandbox: String, CaseIterable, Sendable {
        /// The process sees the files and users of the host.
        case none
        case flatpak
        case snap
        /// A container, or any other root folder or user namespace of its own.
        case other
        /// The process has ended, or the kernel does not describe it.
        case unknown
    }

    package var sandbox: Sandbox
    /// The path of its executable, as its own mounts name it; nil if the kernel keeps that from
    /// this process.
    package var executable: String?
    /// The id of the Flatpak, or the name of the snap, that it belongs to.
    package var app: String?
    /// The innermost unit of systemd that it runs in, a service or a scope.
    package var unit: String?
    /// The number of its process group; nil if unknown.
    package var group: Int32?
    /// The path of its cgroup of version 2; nil where there is none.
    package var controlGroup: String?

    package init(
        sandbox: Sandbox = .none, executable: String? = nil, app: String? = nil,
        unit: String? = nil, group: Int32? = nil, controlGroup: String? = nil
    ) {
        self.sandbox = sandbox
        self.executable = executable
        self.app = app
        self.unit = unit
        self.group = group
        self.controlGroup = controlGroup
    }

    /// A process about which nothing is known.
    package static let unknown = PeerProcess(sandbox: .unknown)
}

/// The parts of what the kernel says about a process.
enum ProcessText {
    /// Returns the innermost unit in the text of `/proc/PID/cgroup`.
    static func unit(inCgroups text: String) -> String? {
        let lines = text.split(separator: "\n")
        let line =
            lines.first { $0.hasPrefix("0::") && hasUnit($0) }
            ?? lines.first { $0.contains(":name=systemd:") }
        return line.flatMap { $0.split(separator: "/").last { isUnit($0) } }.map(String.init)
    }

    /// Returns the cgroup of version 2 in the text of `/proc/PID/cgroup`.
    static func controlGroup(inCgroups text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) }
    }

    private static func hasUnit(_ line: Substring) -> Bool {
        line.split(separator: "/").contains { isUnit($0) }
    }

    private static func isUnit(_ name: Substring) -> Bool {
        name.hasSuffix(".service") || name.hasSuffix(".scope")
    }

    /// Returns the name of the snap whose unit this is, as of `snap.NAME.APP-ID.scope`.
    static func snap(ofUnit unit: String) -> String? {
        let parts = unit.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 3 && parts[0] == "snap" ? String(parts[1]) : nil
    }

    /// Returns the id of the Flatpak whose unit this is, as of `app-flatpak-ID-PID.scope`.
    static func flatpak(ofUnit unit: String) -> String? {
        guard unit.hasPrefix("app-flatpak-"), unit.hasSuffix(".scope"),
            let dash = unit.lastIndex(of: "-")
        else { return nil }
        let start = unit.index(unit.startIndex, offsetBy: "app-flatpak-".count)
        guard start < dash else { return nil }
        // systemd writes a dash of the name as `\x2d`.
        return unit[start..<dash].split(separator: #"\x2d"#, omittingEmptySubsequences: false)
            .joined(separator: "-")
    }

    /// Returns the id in the text of `/.flatpak-info`.
    static func flatpak(inInfo text: String) -> String? {
        var section = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") { section = String(line) }
            guard section == "[Application]" || section == "[Runtime]", line.hasPrefix("name=")
            else { continue }
            return String(line.dropFirst("name=".count))
        }
        return nil
    }

    /// Returns the device and the folder of it that are mounted at the root, from the text of
    /// `/proc/PID/mountinfo`. Of several, the last mount hides the others.
    static func root(inMounts text: String) -> String? {
        var root: String?
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 5)
            if parts.count > 5, parts[4] == "/" { root = "\(parts[2]) \(parts[3])" }
        }
        return root
    }

    /// Returns the start of a process in clock ticks since the boot, from the text of
    /// `/proc/PID/stat`.
    static func startTicks(inStat text: String) -> Int64? {
        number(19, inStat: text)
    }

    /// Returns the group of a process, from the text of `/proc/PID/stat`.
    static func group(inStat text: String) -> Int32? {
        number(2, inStat: text).flatMap { Int32(exactly: $0) }
    }

    /// Returns a field behind the name of the program, which may have any characters.
    private static func number(_ place: Int, inStat text: String) -> Int64? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let parts = text[text.index(after: end)...].split(separator: " ")
        return parts.count > place ? Int64(parts[place]) : nil
    }

    /// Returns the path of an executable without the mark of one that was replaced since.
    static func path(ofExecutable link: String) -> String {
        let mark = " (deleted)"
        return link.hasSuffix(mark) ? String(link.dropLast(mark.count)) : link
    }
}
