internal import CLinux
internal import Glibc

/// The identity of the process at the other end of a Unix socket, recorded by the kernel at connect
/// time.
package struct PeerCredentials: Equatable, Sendable {
    /// The process id, for display only: it can be reused, and is 0 across pid namespaces.
    package let pid: Int32
    /// The effective user id.
    package let uid: UInt32
    /// The effective group id.
    package let gid: UInt32

    package init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }

    /// Reads the credentials of a connected Unix socket; nil if the kernel has none, which does not
    /// happen.
    init?(of descriptor: Int32) {
        var raw = linux_credentials()
        guard linux_peer_credentials(descriptor, &raw) == 0 else { return nil }
        self.init(pid: raw.pid, uid: raw.uid, gid: raw.gid)
    }

    /// The credentials of this process.
    package static var own: PeerCredentials {
        PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid())
    }

    /// Returns a descriptor that becomes readable when the peer's process exits; nil if there is
    /// none. The socket's own (Linux 6.5) refers to the right process even if its pid was reused;
    /// opening it by pid is the fallback.
    func openProcessDescriptor(of socket: Int32) -> Int32? {
        let fromSocket = linux_peer_pidfd(socket)
        if fromSocket >= 0 { return fromSocket }
        let fromPID = pid > 0 ? linux_pidfd_open(pid) : -1
        return fromPID >= 0 ? fromPID : nil
    }
}
