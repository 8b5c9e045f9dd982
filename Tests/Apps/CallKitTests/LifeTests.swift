import CallClient
import CallModel
import Foundation
import Testing

/// The life of an app: a program of its own that is written as for an iPhone, with `@objc`,
/// `#selector` and `@UIApplicationMain`.
@Suite(.timeLimit(.minutes(30))) struct LifeTests {
    private static let noDesktop = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]

    @Test func `an app launches, and its timers fire on the main thread`() throws {
        let app = try ExampleApp.life([], environment: Self.noDesktop)
        try app.wait(for: "launched by itself", "loaded", "active true", "timer on main true")
        try app.wait(for: "later")
    }

    @Test func `an app that is started with a link opens it`() throws {
        let app = try ExampleApp.life(["tel:+15550101"], environment: Self.noDesktop)
        try app.wait(for: "launched with a link", "loaded", "opens tel", "active true")
    }

    @Test func `the end of the program reaches the delegate`() throws {
        let app = try ExampleApp.life([], environment: Self.noDesktop)
        try app.wait(for: "later")
        app.terminate()
        try app.wait(for: "terminates")
        #expect(try app.end() == .exited(0))
    }

    @Test func `the program is never sent to the background`() throws {
        let app = try ExampleApp.life([], environment: Self.noDesktop)
        try app.wait(for: "later")
        app.terminate()
        try app.wait(for: "terminates")
        for line in ["resigns", "in the background", "in the foreground"] {
            #expect(!app.output.contains(line))
        }
    }

    @Test func `there are no pushes of Apple's to register for`() throws {
        let app = try ExampleApp.life(["--register"], environment: Self.noDesktop)
        try app.wait(for: "no token, registered false")
    }

    /// `xdg-open` and `xdg-mime` are scripts of the test's own, as a desktop would have them.
    @Test(arguments: [true, false])
    func `a link is opened by the desktop's program for it`(hasProgram: Bool) throws {
        let folder = try TemporaryFolder()
        let answer = hasProgram ? "echo phone.desktop" : "true"
        let scripts = ["xdg-open": "exit \(hasProgram ? 0 : 3)", "xdg-mime": answer]
        for (name, line) in scripts {
            chmod(try folder.write("#!/bin/sh\n\(line)\n", to: name), 0o700)
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let app = try ExampleApp.life(
            ["--open"],
            environment: Self.noDesktop.merging(["PATH": "\(folder.path):\(path)"]) { $1 })
        try app.wait(for: "can open \(hasProgram)", "opened \(hasProgram)")
    }

    @Test func `what is private does not reach a log`() throws {
        let app = try ExampleApp.life([], environment: Self.noDesktop)
        try app.wait(for: "later")
        app.terminate()
        _ = try app.end()
        #expect(
            app.errors.contains("org.example.life app info: for Ada, not for <private>, 3\n"))
        #expect(app.errors.contains("default error: old Ada and <private>\n"))
    }

    @Test func `without a desktop a notification is an error, and is logged once`() throws {
        let app = try ExampleApp.life(["--notify"], environment: Self.noDesktop)
        try app.wait(
            for: "granted false", "may present now", "added false", "may present now",
            "added again")
        app.terminate()
        _ = try app.end()
        #expect(app.errors.components(separatedBy: "shows nothing").count == 2)
        #expect(!app.errors.contains("Missed call"))
    }

    /// The bus is a real one, and the server a program of the test's own that prints what it
    /// receives, and sends what a user does.
    @Test func `a notification is shown, chosen, removed and dismissed`() throws {
        let folder = try TemporaryFolder()
        let desktop = try Desktop(folder)
        let app = try ExampleApp.life(
            ["--notify"], environment: ["DBUS_SESSION_BUS_ADDRESS": desktop.address])
        try app.wait(for: "granted true", "may present now", "added true")
        try desktop.wait(for: #"shows "Missed call" "Ada &lt;3 &amp; co" back="Call back""#)
        try desktop.wait(for: #"shows "Missed call""#)
        // Whichever of the two it is: both were shown by now.
        desktop.choose("1 back")
        try app.wait(forPart: "chose back of ")
        try desktop.wait(for: "closes")
        // The app removes the one that is shown at once, and the other is left.
        let left = app.output.contains("chose back of now") ? 2 : 1
        desktop.choose("\(left) default")
        try app.wait(forPart: "chose com.apple.UNNotificationDefaultActionIdentifier of ")
        desktop.choose("\(left) dismissed")
        try app.wait(forPart: "chose com.apple.UNNotificationDismissActionIdentifier of ")
    }

    @Test func `the route is the endpoint of the host that is in use`() async throws {
        let daemon = try TestDaemon()
        var options = ClientOptions(name: "test")
        options.socketPath = daemon.socketPath
        let mover = Mover()
        let audio = try await AudioHost(identity: "org.example.sound", delegate: mover, options)
        try await audio.reportEndpoints([AudioEndpoint(id: "a", kind: .speaker)])
        let app = try ExampleApp.life(
            ["--call"],
            environment: Self.noDesktop.merging(["BROKER_SOCKET": daemon.socketPath]) { $1 })
        // The endpoints are there, and none is in use.
        try app.wait(for: "route true", "route none - from none, reason 1, inputs []")
        let ear = AudioEndpoint(id: "b", kind: .bluetooth, name: "Ear", state: .inUse)
        try await audio.reportEndpoints([AudioEndpoint(id: "a", kind: .speaker), ear])
        try app.wait(
            for: #"route BluetoothHFP Ear from none, reason 1, inputs ["BluetoothHFP"]"#)
        try await audio.reportEndpoints([
            AudioEndpoint(id: "a", kind: .speaker, state: .inUse)
        ])
        try app.wait(
            for: #"route Speaker speaker from BluetoothHFP, reason 2, "#
                + #"inputs ["MicrophoneBuiltIn"]"#)
        withExtendedLifetime(mover) {}
    }
}

/// Moves no sound, because nobody asks for it here.
private final class Mover: AudioHostDelegate {
    func host(_ host: AudioHost, use endpoint: String) async throws {}
}
