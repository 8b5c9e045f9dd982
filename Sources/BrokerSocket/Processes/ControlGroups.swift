internal import CLinux
internal import Glibc

/// Cgroups of children, where the host lets this process divide its own: descendants of a child are
/// in its cgroup, however they detach, and end with it.
///
/// Required are cgroups version 2, a writable cgroup (as user services and logins have), and Linux
/// 5.14. Elsewhere there are no cgroups, and only the process group ends with a child.
package final class ControlGroups {
    private static let prefix = "callbroker-plugins-"
    /// The mount points of version 2 with systemd, alone or beside version 1.
    private static let mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
    /// The maximum number of cgroups whose removal is retried; any others are left to the next
    /// broker.
    private static let leavingMax = 64

    /// Returns the path of a cgroup in `/proc/PID/cgroup`; nil for a path that is none.
    ///
    /// - Parameter path: The path of the folder where version 2 is mounted.
    static func name(ofPath path: String) -> String? {
        mounts.last { path.hasPrefix($0 + "/") }.map { String(path.dropFirst($0.count)) }
    }

    private lazy var folder = Folder()
    private var lastNumber = 0
    /// The paths of cgroups whose last processes were still ending.
    private var leaving: [String] = []

    package init() {}

    /// Creates a cgroup; nil where that is not possible.
    package func make() -> ControlGroup? {
        guard let folder else { return nil }
        removeLeaving()
        lastNumber += 1
        return ControlGroup("\(folder.path)/\(lastNumber)")
    }

    /// Kills the processes of a cgroup, and removes it now or once they have ended.
    package func end(_ group: ControlGroup) {
        group.kill()
        if !group.remove(), leaving.count < Self.leavingMax { leaving.append(group.path) }
    }

    private func removeLeaving() {
        leaving.removeAll { rmdir($0) == 0 || errno == ENOENT }
    }

    /// Removes the cgroups, except those with processes that are still ending.
    package func close() {
        removeLeaving()
        folder?.close()
    }

    /// The part of this process's cgroup that holds the cgroups of its children. It is locked for
    /// the lifetime of the process: that of a killed broker is recognized by the missing lock, and
    /// is removed.
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

        /// The path of the cgroup that this process is in.
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

        /// Locks the folder; negative if another process has the lock.
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
                // A new process may have created its folder and not locked it yet.
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

/// A cgroup: a process and all its descendants, whatever their parents, groups and sessions.
package final class ControlGroup {
    let path: String
    /// The descriptor of its folder.
    let descriptor: Int32

    fileprivate init?(_ path: String) {
        guard mkdir(path, 0o755) == 0 else { return nil }
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Before Linux 5.14 it could not be killed as a whole.
        guard descriptor >= 0, access(path + "/cgroup.kill", W_OK) == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Kills all processes, including those that are being started.
    package func kill() {
        Self.kill(path)
    }

    fileprivate static func kill(_ path: String) {
        let descriptor = open(path + "/cgroup.kill", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, "1", 1)
        close(descriptor)
    }

    /// Removes the cgroup; returns false if processes are left.
    fileprivate func remove() -> Bool {
        rmdir(path) == 0
    }
}
