internal import CLinux
internal import Glibc

/// Who is at the other end of a Unix socket, as the kernel recorded it when they connected.
package struct PeerCredentials: Equatable, Sendable {
    /// For display only: a pid can be used again, and is 0 across pid namespaces.
    package let pid: Int32
    package let uid: UInt32
    package let gid: UInt32

    package init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }

    /// Nil if the kernel does not say, which it always does for a connected Unix socket.
    init?(of descriptor: Int32) {
        var raw = linux_credentials()
        guard linux_peer_credentials(descriptor, &raw) == 0 else { return nil }
        self.init(pid: raw.pid, uid: raw.uid, gid: raw.gid)
    }

    /// Ourselves.
    package static var own: PeerCredentials {
        PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid())
    }

    /// A descriptor that becomes readable when the peer's process has exited; nil if that cannot be
    /// had. The socket's own (Linux 6.5) names the right process even if its pid was used again;
    /// opening by pid is the fallback.
    func openProcessDescriptor(of socket: Int32) -> Int32? {
        let fromSocket = linux_peer_pidfd(socket)
        if fromSocket >= 0 { return fromSocket }
        let fromPID = pid > 0 ? linux_pidfd_open(pid) : -1
        return fromPID >= 0 ? fromPID : nil
    }
}
