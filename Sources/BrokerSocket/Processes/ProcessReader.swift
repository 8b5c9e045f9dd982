internal import CLinux
internal import Glibc

/// A reader of `/proc`, which tells who is at the other end of a connection.
///
/// A process is in a sandbox if its root folder or its users differ from those of this one. Both
/// can be read without rights over the process, so a process cannot hide it; its executable and the
/// files in its root can not.
package struct ProcessReader: Sendable {
    private let root: String
    private let users: String
    /// The users of the processes around this one, where the broker has some of its own.
    private let hostUsers: String

    /// The most that is read of one file.
    private static let bytesMax = 1 << 20
    /// How often a process is read that cannot be: a read may fail for want of memory or descriptors,
    /// and its app would lose its roles.
    private static let attempts = 8
    private static let proc = "/proc"

    /// Creates a reader; nil if the kernel does not even describe this process.
    package init?() {
        guard let root = Self.text("self/mountinfo").flatMap(ProcessText.root),
            let users = HostFile.linkTarget("\(Self.proc)/self/ns/user"),
            let map = Self.text("self/uid_map")
        else { return nil }
        self.root = root
        self.users = users
        hostUsers = Self.text("\(getppid())/uid_map") ?? map
    }

    /// Describes the process at the other end of a connection.
    func process(of peer: PeerHandle) -> PeerProcess {
        var process = read(peer)
        for _ in 1..<Self.attempts where process == .unknown && !peer.hasExited {
            process = read(peer)
        }
        return process
    }

    /// Reads what the kernel says about a process. Files that the process itself could replace are
    /// not opened.
    private func read(_ peer: PeerHandle) -> PeerProcess {
        let folder = "\(peer.pid)"
        guard peer.pid > 0, let root = Self.text("\(folder)/mountinfo").flatMap(ProcessText.root),
            let cgroups = Self.text("\(folder)/cgroup"), let isApart = hasOwnUsers(folder)
        else { return .unknown }
        var process = PeerProcess()
        process.unit = ProcessText.unit(inCgroups: cgroups)
        process.controlGroup = ProcessText.controlGroup(inCgroups: cgroups)
        process.executable = HostFile.linkTarget("\(Self.proc)/\(folder)/exe")
            .map(ProcessText.path)
        if isApart || root != self.root { setSandbox(of: &process) }
        guard let stat = Self.text("\(folder)/stat"), isSame(peer, stat) else { return .unknown }
        process.group = ProcessText.group(inStat: stat)
        return process
    }

    private func setSandbox(of process: inout PeerProcess) {
        process.sandbox = .other
        guard let unit = process.unit else { return }
        if let snap = ProcessText.snap(ofUnit: unit) {
            (process.sandbox, process.app) = (.snap, snap)
        } else if let flatpak = ProcessText.flatpak(ofUnit: unit) {
            (process.sandbox, process.app) = (.flatpak, flatpak)
        }
    }

    /// Returns whether the users of a process are not those of the host; nil if it has ended.
    private func hasOwnUsers(_ folder: String) -> Bool? {
        if let users = HostFile.linkTarget("\(Self.proc)/\(folder)/ns/user") {
            return users != self.users
        }
        // The kernel shows the link only to those with rights over the process.
        return Self.text("\(folder)/uid_map").map { $0 != hostUsers }
    }

    /// Returns whether everything was read about the process that connected, and not about a later
    /// one with the same number.
    private func isSame(_ peer: PeerHandle, _ stat: String) -> Bool {
        guard let ticks = ProcessText.startTicks(inStat: stat) else { return false }
        let startMS = ticks * 1_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
        return startMS <= peer.openedAtMS && !peer.hasExited
    }

    /// Returns the id of the Flatpak that a process in a sandbox belongs to, from a file in its root
    /// folder. The file system there may be one that never responds.
    func flatpak(of peer: PeerHandle) -> String? {
        let info = Self.text("\(peer.pid)/root/.flatpak-info")
        return peer.hasExited ? nil : info.flatMap(ProcessText.flatpak(inInfo:))
    }

    private static func text(_ path: String) -> String? {
        let bytes = try? HostFile.read("\(proc)/\(path)", bytesMax: bytesMax)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
