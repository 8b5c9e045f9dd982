internal import Glibc
internal import PhoneScreen

enum Usage {
    static let text = """
        USAGE: callbroker-phone [--keys]

        Shows all calls of all apps in a terminal, and drives them with keys and the mouse.
        The socket of the broker is that of BROKER_SOCKET, or the default. ? lists the keys.

          --keys  Print all keys: the place where each counts, its name, and "button" if the screen
                  shows it to be clicked on, with tabs between them.
        """

    /// The keys of all places, a line each.
    static var keys: String {
        KeyTable.all.map { binding in
            let parts = [binding.place.rawValue, binding.key.name]
            return (parts + (binding.isShown ? ["button"] : [])).joined(separator: "\t")
        }.joined(separator: "\n")
    }
}

/// The place of this program, with symbolic links resolved.
enum ProgramPath {
    static var current: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
