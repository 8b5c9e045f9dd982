internal import CLinux
internal import Glibc

/// A cgroup for each child, where the host lets us divide our own: whatever the child starts is in it,
/// however it detaches itself, and ends with it.
///
/// That needs version 2, a cgroup of ours that we may write to, as user services and logins have, and
/// Linux 5.14. Elsewhere there is none, and only the group of processes ends with a child.
package final class ControlGroups {
    private static let prefix = "callbroker-plugins-"
    /// Where systemd mounts version 2, alone or beside version 1.
    private static let mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
    /// Groups that could not be removed yet, at most; what is beyond is left to the next broker.
    private static let leavingMax = 64

    private lazy var folder = Folder()
    private var lastNumber = 0
    /// Groups whose last processes were still ending.
    private var leaving: [String] = []

    package init() {}

    /// A new group; nil where there can be none.
    package func make() -> ControlGroup? {
        guard let folder else { return nil }
        removeLeaving()
        lastNumber += 1
        return ControlGroup("\(folder.path)/\(lastNumber)")
    }

    /// Ends all that is in a group, and removes it: now, or when its processes have ended.
    package func end(_ group: ControlGroup) {
        group.kill()
        if !group.remove(), leaving.count < Self.leavingMax { leaving.append(group.path) }
    }

    private func removeLeaving() {
        leaving.removeAll { rmdir($0) == 0 || errno == ENOENT }
    }

    /// Nothing of ours stays, but for what is still ending.
    package func close() {
        removeLeaving()
        folder?.close()
    }

    /// Our part of our own cgroup, which holds the groups of this process only. It is locked as long as
    /// we live: what is left of one that was killed is recognised by that, and ends as well.
    private struct Folder {
        let path: String
        private let lock: Int32

        init?() {
            guard let own = Self.own else { return nil }
            Self.removeAbandoned(in: own)
            path = "\(own)/\(prefix)\(getpid())"
            guard mkdir(path, 0o755) == 0 || errno == EEXIST else { return nil }
            lock = Self.lock(path)
            guard lock >= 0 else { return nil }
        }

        func close() {
            rmdir(path)
            Glibc.close(lock)
        }

        /// The cgroup that we are in.
        private static var own: String? {
            guard let text = try? HostFile.read("/proc/self/cgroup", bytesMax: 1 << 16) else {
                return nil
            }
            let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
                .first { $0.hasPrefix("0::/") }
            guard
                let mount = mounts.first(where: { access($0 + "/cgroup.controllers", F_OK) == 0 }),
                let name = line?.dropFirst(3)
            else { return nil }
            return name == "/" ? mount : mount + name
        }

        /// Negative if somebody else has it.
        private static func lock(_ path: String) -> Int32 {
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 else {
                return descriptor
            }
            Glibc.close(descriptor)
            return -1
        }

        private static func removeAbandoned(in own: String) {
            for name in HostFile.names(inFolder: own) where name.hasPrefix(prefix) {
                // One that has just made its folder has not locked it yet.
                guard let pid = pid_t(name.dropFirst(prefix.count)),
                    pid == getpid() || Glibc.kill(pid, 0) != 0 && errno == ESRCH
                else { continue }
                let path = "\(own)/\(name)"
                let lock = lock(path)
                guard lock >= 0 else { continue }
                ControlGroup.kill(path)
                for group in HostFile.names(inFolder: path) where Int(group) != nil {
                    rmdir("\(path)/\(group)")
                }
                rmdir(path)
                Glibc.close(lock)
            }
        }
    }
}

/// All processes that have come of one, whatever has become of their parents, groups and sessions.
package final class ControlGroup {
    let path: String
    /// Of its folder.
    let descriptor: Int32

    fileprivate init?(_ path: String) {
        guard mkdir(path, 0o755) == 0 else { return nil }
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Before Linux 5.14 nobody could end it.
        guard descriptor >= 0, access(path + "/cgroup.kill", W_OK) == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Ends all of it, what is being started meanwhile as well.
    package func kill() {
        Self.kill(path)
    }

    fileprivate static func kill(_ path: String) {
        let descriptor = open(path + "/cgroup.kill", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, "1", 1)
        close(descriptor)
    }

    /// Whether nothing of it is left.
    fileprivate func remove() -> Bool {
        rmdir(path) == 0
    }
}
