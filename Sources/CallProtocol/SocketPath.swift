/// The path of the broker's socket, from an option, the environment or a default. Computed from the
/// arguments only, without access to the file system.
package struct SocketPath: Equatable, Sendable {
    /// The greatest length of the path of a Unix socket, in bytes.
    package static let bytesMax = 107

    package let path: String
    /// The folder to create or to check before binding: mode 0700 and the broker's own. Nil for a
    /// path that an option or the environment names.
    package let privateFolder: String?

    /// - Parameters:
    ///   - option: `--socket`.
    ///   - environment: `BROKER_SOCKET`, `XDG_RUNTIME_DIR` and `TMPDIR` are used.
    ///   - uid: the user of the broker.
    package init(option: String?, environment: [String: String], uid: UInt32) {
        if let chosen = option ?? environment.nonEmpty("BROKER_SOCKET") {
            self.init(path: chosen, privateFolder: nil)
        } else if let runtime = environment.nonEmpty("XDG_RUNTIME_DIR") {
            self.init(folder: runtime + "/callbroker")
        } else if uid == 0 {
            self.init(folder: "/run/callbroker")
        } else {
            self.init(folder: (environment.nonEmpty("TMPDIR") ?? "/tmp") + "/callbroker-\(uid)")
        }
    }

    private init(folder: String) {
        self.init(path: folder + "/broker.sock", privateFolder: folder)
    }

    private init(path: String, privateFolder: String?) {
        self.path = path
        self.privateFolder = privateFolder
    }
}

/// The folder of the broker's state, from an option, the environment or a default.
package struct StateFolder: Equatable, Sendable {
    package let path: String

    /// - Parameters:
    ///   - option: `--state-dir`.
    ///   - environment: `XDG_STATE_HOME` and `HOME` are used.
    ///   - uid: the user of the broker, for a system account without a home.
    package init(option: String?, environment: [String: String], uid: UInt32) {
        if let option {
            path = option
        } else if let state = environment.nonEmpty("XDG_STATE_HOME") {
            path = state + "/callbroker"
        } else if let home = environment.nonEmpty("HOME") {
            path = home + "/.local/state/callbroker"
        } else {
            path = uid == 0 ? "/var/lib/callbroker" : "/tmp/callbroker-\(uid)/state"
        }
    }
}

extension [String: String] {
    /// Returns a variable; an empty one is not set (XDG Base Directory specification).
    fileprivate func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
