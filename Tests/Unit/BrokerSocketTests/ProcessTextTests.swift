import Testing

// What the kernel says about a process is text.
@testable import BrokerSocket

struct ProcessTextTests {
    @Test(
        arguments: [
            (
                "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-phone-7.scope\n",
                "app-phone-7.scope"
            ),
            ("0::/system.slice/phone.service/own-groups/3\n", "phone.service"),
            ("9:name=systemd:/user.slice/session-2.scope\n8:pids:/\n0::/\n", "session-2.scope"),
            ("0::/\n", nil), ("0::/user.slice\n", nil), ("", nil),
        ])
    func `the innermost unit counts`(text: String, unit: String?) {
        #expect(ProcessText.unit(inCgroups: text) == unit)
    }

    @Test(
        arguments: [
            ("0::/user.slice/a.service/b\n", "/user.slice/a.service/b"),
            ("9:pids:/x\n0::/y\n", "/y"), ("0::/\n", "/"), ("9:pids:/x\n", nil), ("", nil),
        ])
    func `only version 2 has the cgroup`(text: String, path: String?) {
        #expect(ProcessText.controlGroup(inCgroups: text) == path)
    }

    @Test(
        arguments: [
            (
                "/sys/fs/cgroup/user.slice/callbroker-plugins-7/1",
                "/user.slice/callbroker-plugins-7/1"
            ),
            ("/sys/fs/cgroup/unified/user.slice/1", "/user.slice/1"), ("/tmp/1", nil),
        ])
    func `the path of a cgroup has its name`(path: String, name: String?) {
        #expect(ControlGroups.name(ofPath: path) == name)
    }

    @Test(
        arguments: [
            ("app-flatpak-org.example.Phone-4711.scope", "org.example.Phone"),
            (#"app-flatpak-org.example.my\x2dphone-1.scope"#, "org.example.my-phone"),
            ("app-flatpak-.scope", nil), ("app-flatpak-1.scope", nil),
            ("app-phone-1.scope", nil), ("app-flatpak-org.example.Phone-1.service", nil),
        ])
    func `the scope of a Flatpak has its id`(unit: String, id: String?) {
        #expect(ProcessText.flatpak(ofUnit: unit) == id)
    }

    @Test(
        arguments: [
            ("snap.phone.daemon-6f3c.scope", "phone"), ("snap.phone.daemon.service", "phone"),
            ("snap.service", nil), ("snapd.phone.daemon.service", nil),
        ])
    func `the unit of a snap has its name`(unit: String, name: String?) {
        #expect(ProcessText.snap(ofUnit: unit) == name)
    }

    @Test(
        arguments: [
            ("[Application]\nname=org.example.Phone\nruntime=x\n", "org.example.Phone"),
            (
                "[Instance]\nname=other\n\n[Application]\nname=org.example.Phone",
                "org.example.Phone"
            ),
            ("[Runtime]\nname=org.example.Platform\n", "org.example.Platform"),
            ("name=org.example.Phone\n", nil), ("", nil),
        ])
    func `the information of a Flatpak has its id`(text: String, id: String?) {
        #expect(ProcessText.flatpak(inInfo: text) == id)
    }

    @Test func `the last mount at the root hides the others`() {
        let text = """
            22 27 0:21 / /proc rw,relatime - proc proc rw
            27 1 8:1 / / rw,relatime - ext4 /dev/root rw
            90 27 0:60 /newroot / rw,nosuid - tmpfs tmpfs rw
            91 27 0:61 / /tmp rw - tmpfs tmpfs rw

            """
        #expect(ProcessText.root(inMounts: text) == "0:60 /newroot")
        #expect(ProcessText.root(inMounts: "22 27 0:21 / /proc rw - proc proc rw") == nil)
    }

    @Test func `the name of a program does not move its start`() {
        let fields = (4...30).map(String.init).joined(separator: " ")
        #expect(ProcessText.startTicks(inStat: "7 (a) b) S) R \(fields)") == 22)
        #expect(ProcessText.startTicks(inStat: "7 (a) R 1 2 3") == nil)
        #expect(ProcessText.startTicks(inStat: "") == nil)
        #expect(ProcessText.group(inStat: "7 (a) b) S) R 3 \(fields)") == 4)
        #expect(ProcessText.group(inStat: "7 (a) R 1") == nil)
    }

    @Test func `an executable that was replaced has its path`() {
        #expect(ProcessText.path(ofExecutable: "/usr/bin/phone (deleted)") == "/usr/bin/phone")
        #expect(ProcessText.path(ofExecutable: "/usr/bin/phone") == "/usr/bin/phone")
    }
}
