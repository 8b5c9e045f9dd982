import CallProtocol
import Testing

struct SocketPathTests {
    @Test(
        arguments: [
            // What was chosen comes first, the folder of the session next.
            (
                "/opt", ["BROKER_SOCKET": "/env", "XDG_RUNTIME_DIR": "/rt", "TMPDIR": "/t"], 1_000,
                "/opt"
            ),
            (
                nil, ["BROKER_SOCKET": "/env", "XDG_RUNTIME_DIR": "/rt", "TMPDIR": "/t"], 1_000,
                "/env"
            ),
            ("/opt", [:], 0, "/opt"),
            (nil, ["BROKER_SOCKET": "@abstract"], 0, "@abstract"),
        ] as [(String?, [String: String], UInt32, String)])
    func `a chosen path is taken as it is and its folder left alone`(
        option: String?, environment: [String: String], uid: UInt32, path: String
    ) {
        let place = SocketPath(option: option, environment: environment, uid: uid)
        #expect(place.path == path)
        #expect(place.privateFolder == nil)
    }

    @Test(
        arguments: [
            (["XDG_RUNTIME_DIR": "/rt", "TMPDIR": "/t"], 1_000, "/rt/callbroker"),
            (["XDG_RUNTIME_DIR": "/rt", "TMPDIR": "/t"], 0, "/rt/callbroker"),
            (["TMPDIR": "/t"], 0, "/run/callbroker"),
            ([:], 0, "/run/callbroker"),
            (["TMPDIR": "/t"], 1_000, "/t/callbroker-1000"),
            ([:], 1_000, "/tmp/callbroker-1000"),
            ([:], .max, "/tmp/callbroker-4294967295"),
            (["BROKER_SOCKET": "", "XDG_RUNTIME_DIR": "/rt"], 1_000, "/rt/callbroker"),
            (["XDG_RUNTIME_DIR": ""], 0, "/run/callbroker"),
            (["XDG_RUNTIME_DIR": "", "TMPDIR": "/t"], 1_000, "/t/callbroker-1000"),
            (["BROKER_SOCKET": "", "XDG_RUNTIME_DIR": "", "TMPDIR": ""], 7, "/tmp/callbroker-7"),
            (["HOME": "/h", "XDG_STATE_HOME": "/s"], 7, "/tmp/callbroker-7"),
        ] as [([String: String], UInt32, String)])
    func `otherwise it lies in a private folder`(
        environment: [String: String], uid: UInt32, folder: String
    ) {
        let place = SocketPath(option: nil, environment: environment, uid: uid)
        #expect(place.path == folder + "/broker.sock")
        #expect(place.privateFolder == folder)
    }
}

struct StateFolderTests {
    @Test(
        arguments: [
            ("/opt", ["XDG_STATE_HOME": "/s", "HOME": "/h"], 1_000, "/opt"),
            (nil, ["XDG_STATE_HOME": "/s", "HOME": "/h"], 1_000, "/s/callbroker"),
            (nil, ["XDG_STATE_HOME": "/s", "HOME": "/h"], 0, "/s/callbroker"),
            (nil, ["XDG_STATE_HOME": "", "HOME": "/h"], 1_000, "/h/.local/state/callbroker"),
            (nil, ["HOME": "/root"], 0, "/root/.local/state/callbroker"),
            (nil, ["HOME": ""], 0, "/var/lib/callbroker"),
            (nil, [:], 0, "/var/lib/callbroker"),
            (nil, ["XDG_STATE_HOME": "", "HOME": ""], 1_000, "/tmp/callbroker-1000/state"),
            (nil, ["XDG_RUNTIME_DIR": "/rt"], 1_000, "/tmp/callbroker-1000/state"),
        ] as [(String?, [String: String], UInt32, String)])
    func `the state lies where somebody said, else at home`(
        option: String?, environment: [String: String], uid: UInt32, path: String
    ) {
        #expect(StateFolder(option: option, environment: environment, uid: uid).path == path)
    }
}
