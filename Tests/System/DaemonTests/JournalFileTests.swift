import Glibc
import Testing

/// What a daemon makes of the journal that it finds, and of the folder that it lies in.
struct JournalFileTests {
    typealias World = RestartWorld

    // MARK: - Damage

    /// Ada speaks, then Bob and Cleo ring; then the daemon is killed.
    private func killedWorld() throws -> World {
        let world = try World()
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        for call in [World.bob, World.cleo] { try provider.rings(call, from: ToolWorld.bobNumber) }
        try world.kill()
        return world
    }

    /// The daemon serves, and the log says what is wrong and where the bytes are that it found.
    private func expectThatItServes(
        _ world: World, despite damaged: [UInt8], _ words: String
    ) throws {
        let aside = world.journal + ".kept-1"
        #expect(try [UInt8](file: aside) == damaged)
        #expect(FileStatus(aside)?.permissions == 0o600)
        let log = world.daemon.log
        #expect(log.contains(words), "\(log)")
        #expect(log.contains("saved as \(aside)"))
        #expect(!log.contains(ToolWorld.adaNumber.dropFirst()))
        try world.daemon.connect().expectNothing()
        // It keeps a journal again.
        let provider = try ScriptedProvider(world.daemon, "org.example.b")
        try provider.rings("5f0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b09", from: "5")
        let count = try world.calls().count
        try world.killAndStartAgain()
        #expect(try world.calls().count == count)
        #expect(FileStatus(world.journal + ".kept-2") == nil)
    }

    @Test(arguments: [
        ("callbroker journal 1\n", "it has form 1; this release reads forms 2 to 7"),
        ("#!/bin/sh\n", "it is not a callbroker journal"), ("", "it is not a callbroker journal"),
    ])
    func `with another first line nothing is read`(line: String, words: String) throws {
        let world = try killedWorld()
        var journal = try JournalBytes([UInt8](file: world.journal))
        journal.firstLine = Array(line.utf8)
        try journal.bytes.write(to: world.journal)
        try world.startAgain()
        #expect(try world.calls() == [])
        try expectThatItServes(world, despite: journal.bytes, words)
    }

    @Test func `of an empty file nothing is read`() throws {
        let world = try killedWorld()
        try [].write(to: world.journal)
        try world.startAgain()
        #expect(try world.calls() == [])
        try expectThatItServes(world, despite: [], "it is not a callbroker journal")
    }

    @Test(arguments: 1...9)
    func `what is cut off is read up to there`(bytesMissing: Int) throws {
        let world = try killedWorld()
        let journal = try JournalBytes([UInt8](file: world.journal))
        let whole = journal.bytes
        let last = journal.place(ofFrame: journal.frames.count - 1)
        let cut = Array(whole.dropLast(bytesMissing))
        try cut.write(to: world.journal)
        try world.startAgain()
        #expect(try world.calls() == ["ada active away", "bob waiting away"])
        try expectThatItServes(world, despite: cut, "it ends within the entry at byte \(last)")
    }

    @Test func `what comes behind a byte that has changed is not read`() throws {
        let world = try killedWorld()
        var bytes = try [UInt8](file: world.journal)
        let journal = JournalBytes(bytes)
        // The two calls that ring came in a turn each.
        let place = journal.place(ofFrame: journal.frames.count - 2)
        bytes[place + 20] ^= 0x40
        try bytes.write(to: world.journal)
        try world.startAgain()
        #expect(try world.calls() == ["ada active away"])
        try expectThatItServes(
            world, despite: bytes, "the entry at byte \(place) is damaged: wrong checksum")
    }

    @Test func `without its snapshot nothing is read`() throws {
        let world = try killedWorld()
        var bytes = try [UInt8](file: world.journal)
        bytes[JournalBytes(bytes).place(ofFrame: 0) + 100] ^= 1
        try bytes.write(to: world.journal)
        try world.startAgain()
        #expect(try world.calls() == [])
        try expectThatItServes(world, despite: bytes, "the entry at byte 21 is damaged")
    }

    @Test func `content that means nothing is not read, though its checksum is right`() throws {
        let world = try killedWorld()
        var journal = try JournalBytes([UInt8](file: world.journal))
        journal.frames.append([UInt8](repeating: 0xFF, count: 40))
        try journal.bytes.write(to: world.journal)
        try world.startAgain()
        #expect(
            try world.calls() == ["ada active away", "bob waiting away", "cleo waiting away"])
        try expectThatItServes(world, despite: journal.bytes, "the entry at byte ")
    }

    @Test func `a damaged journal is not given up before there is another`() throws {
        let world = try killedWorld()
        let cut = try Array(JournalBytes([UInt8](file: world.journal)).bytes.dropLast(3))
        try cut.write(to: world.journal)
        // Where another journal is begun there is something else.
        let obstacle = world.journal + ".new"
        try #require(mkdir(obstacle, 0o700) == 0)
        let refusal = #expect(throws: DaemonRefused.self) { try TestDaemon(in: world.folder) }
        #expect(refusal?.end == .exited(1))
        #expect(refusal?.message.contains("state/journal.new is a folder, not a file") == true)
        #expect(FileStatus(world.daemon.socketPath) == nil)
        try #require(rmdir(obstacle) == 0)
        try world.startAgain()
        #expect(try world.calls() == ["ada active away", "bob waiting away"])
    }

    // MARK: - Another host

    /// Files with the names that a journal bears, and what is said if they are others.
    private static let names = [
        (
            "/proc/sys/kernel/random/boot_id",
            "the host rebooted; earlier calls have ended"
        ), ("/etc/machine-id", "the journal is from another host; its calls have ended"),
    ].filter { FileStatus($0.0) != nil }

    @Test(arguments: names)
    func `of another boot or host the calls are over, and the policy is not`(
        file: String, words: String
    ) throws {
        let world = try World(inRealTime: ())
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        let choice = #"{"on_cannot_hold":"end","default_provider":{"tel":"org.example.a"}}"#
        let policy = try world.user().request("policy.set", choice).result?["policy"]
        let epoch = try world.user().request("broker.info").result?["epoch"]
        try world.kill()
        var journal = try JournalBytes([UInt8](file: world.journal))
        let name = String(try contents(of: file).prefix { !$0.isNewline })
        let other = String(repeating: "1", count: name.utf8.count)
        let snapshot = journal.frames[0].replacing(text: name, with: other)
        try #require(snapshot != journal.frames[0])
        journal.frames[0] = snapshot
        try journal.bytes.write(to: world.journal)
        try world.startAgain()
        #expect(try world.daemon.logs(words))
        #expect(try world.calls() == [])
        #expect(try world.user().request("policy.get").result?["policy"] == policy)
        #expect(try world.user().request("broker.info").result?["epoch"] != epoch)
        // The app of before is gone as well; who shows its secret is somebody new.
        let calls = World.calls()
        let back = try ScriptedProvider(world.daemon, members: calls, resuming: provider)
        #expect(back.session["resumed"] == .boolean(false))
        // Now the journal is ours.
        try world.killAndStartAgain()
        #expect(!world.daemon.log.contains(words))
        #expect(try world.user().request("policy.get").result?["policy"] == policy)
    }

    // MARK: - The configuration

    @Test func `a policy that was set counts more than a file that says what it said`() throws {
        let world = try World()
        let file = try world.folder.write(
            #"{"policy":{"resume_after_remote_end":true}}"#, to: "policy.json")
        let arguments = ["--test-mode", "--config", file]
        try world.killAndStartAgain(arguments)
        _ = try world.user().request("policy.set", #"{"resume_after_remote_end":false}"#)
        _ = try world.user().request("policy.set", #"{"on_cannot_hold":"end"}"#)
        try world.killAndStartAgain(arguments)
        let policy = try world.user().request("policy.get").result?["policy"]
        #expect(policy?["resume_after_remote_end"] == .boolean(false))
        #expect(policy?["on_cannot_hold"] == "end")
    }

    @Test func `an edited file counts more than the policy that was set before`() throws {
        let world = try World()
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(World.ada, of: provider)
        _ = try world.user().request("policy.set", #"{"on_cannot_hold":"end"}"#)
        let file = try world.folder.write(
            #"{"policy":{"resume_after_remote_end":true}}"#, to: "policy.json")
        // Once edited, it counts once: what is set later counts more again.
        try world.killAndStartAgain(["--test-mode", "--config", file])
        let policy = try world.user().request("policy.get").result?["policy"]
        #expect(policy?["resume_after_remote_end"] == .boolean(true))
        #expect(policy?["on_cannot_hold"] == "refuse")
        #expect(try world.calls() == ["ada active away"])
        _ = try world.user().request("policy.set", #"{"on_cannot_hold":"end"}"#)
        try world.killAndStartAgain(["--test-mode", "--config", file])
        let later = try world.user().request("policy.get").result?["policy"]
        #expect(later?["on_cannot_hold"] == "end")
    }

    // MARK: - The folder

    @Test func `two brokers cannot have one state folder`() throws {
        let daemon = try TestDaemon()
        let other = try TemporaryFolder()
        let arguments = ["--test-mode", "--state-dir", daemon.folder.file("state")]
        let refusal = try TestDaemon.refusal(arguments: arguments, in: other)
        #expect(refusal.end == .exited(3))
        #expect(
            refusal.message
                == "callbroker: the state folder \(daemon.folder.file("state")) is already in use "
                + "by process \(daemon.process.pid): stop it, or choose another folder with "
                + "--state-dir\n")
        #expect(FileStatus(other.file("broker.sock")) == nil)
        try daemon.connect().expectNothing()
    }

    @Test func `a file in the place of the folder is told`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "state")
        let refusal = try TestDaemon.refusal(in: folder)
        #expect(refusal.end == .exited(1))
        #expect(refusal.message == "callbroker: \(path) is not a folder: move it away\n")
        #expect(FileStatus(folder.file("broker.sock")) == nil)
    }

    /// The folders of /proc are there, and nobody can write to them, not even root.
    @Test(arguments: [
        ("/proc/tty", "cannot open the lock file /proc/tty/lock: "),
        ("/proc/none", "cannot create the folder /proc/none: "),
    ])
    func `a folder that cannot be written to is told`(path: String, words: String) throws {
        let folder = try TemporaryFolder()
        let arguments = ["--test-mode", "--state-dir", path]
        let refusal = try TestDaemon.refusal(arguments: arguments, in: folder)
        #expect(refusal.end == .exited(1))
        #expect(refusal.message.contains(words))
        #expect(refusal.message.split(separator: "\n").count == 1)
        #expect(FileStatus(folder.file("broker.sock")) == nil)
    }
}
