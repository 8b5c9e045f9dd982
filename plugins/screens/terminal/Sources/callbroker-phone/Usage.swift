internal import Glibc

enum Usage {
    static let text = """
        USAGE: callbroker-phone

        Shows all calls of all apps in a terminal, and drives them with keys and the mouse.
        The socket of the broker is that of BROKER_SOCKET, or the default. ? lists the keys.
        """
}

/// The place of this program, with symbolic links resolved.
enum ProgramPath {
    static var current: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
