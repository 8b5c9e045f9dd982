package import BrokerJSON
internal import CallProtocol

/// A part of the manifest's reference: a role or another subject, with an example.
package struct ManifestSubject: Sendable {
    package let title: String
    /// The member that configures it; nil if it has none of its own.
    package let member: String?
    package let text: String
    /// A whole manifest.
    package let example: String

    fileprivate var document: JSONDocument? {
        try? JSONDocument(parsing: Array(example.utf8))
    }

    /// The name of the example's file.
    package var fileName: String {
        guard let document else { return PluginManifest.suffix }
        return (document.root["identity"]?.string ?? "") + PluginManifest.suffix
    }

    package static let all = [provider, screener, directory, screen, options, app]

    private static let provider = ManifestSubject(
        title: "Providers", member: "provider",
        text: """
            A provider has calls. With the handshake `explicit` it connects and registers by itself,
            and the member `provider` only serves lists; with `implicit` the broker registers it
            from that member, and the program begins with its first report. `display_name` is the
            manifest's `name` if it is left out. One whose `kind` is `watched` registers no provider of
            its own: each app that it watches is one, on a further connection of the plugin, with an
            identity below the plugin's.
            """,
        example: """
            {
              "manifest": 1,
              "identity": "org.example.doorbell",
              "name": "Doorbell",
              "version": "0.1.0",
              "description": "Rings when somebody is at the door.",
              "roles": ["provider"],
              "exec": ["./doorbell.sh"],
              "handshake": "implicit",
              "start": "boot",
              "env_pass": ["XDG_RUNTIME_DIR"],
              "provider": {"handle_types": ["generic"], "max_call_groups": 1}
            }
            """)

    private static let screener = ManifestSubject(
        title: "Screeners", member: "screener",
        text: """
            A screener is asked about each incoming call before it rings, with `screener.check`, and
            replies with a verdict: `continue`, `allow`, `silence` or `block`. All screeners are
            asked at the same time. A call waits `budget_ms` for each; then the call rings if `fail`
            is `open`, and is blocked if it is `closed`. With `closed` no call but an emergency
            rings while the screener is disabled, broken or gone. With `"start": "demand"` the first
            call starts it.
            """,
        example: """
            {
              "manifest": 1,
              "identity": "org.example.night-watch",
              "name": "Night watch",
              "roles": ["screener"],
              "exec": ["./night_watch.py"],
              "transport": "connect",
              "start": "boot",
              "restart": "always",
              "screener": {"fail": "open", "budget_ms": 500}
            }
            """)

    private static let directory = ManifestSubject(
        title: "Directories", member: "directory",
        text: """
            A directory names callers, and may report them as spam. It is asked about the caller of
            each incoming call with `directory.lookup`; numbers that it loads with
            `directory.put_entries` are looked up by the broker itself. After `budget_ms` the call
            rings without the name, which a later reply adds. Of several answers that of the highest
            `priority` counts; the user's contacts override all.
            """,
        example: """
            {
              "manifest": 1,
              "identity": "org.example.companies",
              "name": "Company directory",
              "roles": ["directory"],
              "exec": ["./companies.py", "--database", "companies.sqlite"],
              "transport": "connect",
              "start": "demand",
              "directory": {"budget_ms": 300, "priority": 10}
            }
            """)

    private static let screen = ManifestSubject(
        title: "Screens", member: "ui",
        text: """
            A screen shows calls and has the buttons. With the member `ui` its hello claims the
            screen, and each new call is presented to it with `ui.present`; without it the program
            claims by itself (`ui.claim`). The screen of the highest `priority` is asked first. With
            `sound` it plays the ringtone, and apps stay silent. If any manifest has the role `ui`,
            clients without a manifest may not have it. `controller` permits the buttons, `observer`
            the events of calls.
            """,
        example: """
            {
              "manifest": 1,
              "identity": "org.example.lamp",
              "name": "Lamp",
              "roles": ["ui", "controller", "observer"],
              "exec": ["./lamp.py"],
              "transport": "connect",
              "start": "boot",
              "ui": {"priority": 5, "sound": false}
            }
            """)

    private static let options = ManifestSubject(
        title: "Options", member: "options",
        text: """
            An option is a setting for the user: `callbroker plugin set PLUGIN OPTION VALUE`. Its
            types are `string` and `secret` (at most 4,096 bytes; a secret is never shown, and not
            in the environment), `int`, `bool`, and `list` (at most 64 strings). The values are in
            the reply to hello and in the variable `BROKER_OPTIONS`, one JSON object. A `dynamic`
            option is changed while the program runs, with `plugin.options_changed`; any other
            change restarts it as soon as it has no calls.
            """,
        example: """
            {
              "manifest": 1,
              "identity": "org.example.line",
              "roles": ["provider"],
              "exec": ["./line.py"],
              "transport": "connect",
              "options": [
                {"option": "server", "type": "string", "default": "sip.example.org", "description": "the host"},
                {"option": "port", "type": "int", "default": 5061},
                {"option": "tls", "type": "bool", "default": true},
                {"option": "codecs", "type": "list", "default": ["opus", "pcmu"]},
                {"option": "password", "type": "secret", "description": "of the account"},
                {"option": "volume", "type": "int", "default": 3, "dynamic": true}
              ]
            }
            """)

    private static let app = ManifestSubject(
        title: "Apps that start by themselves", member: nil,
        text: """
            Without `exec` the manifest describes an app that connects by itself: it is listed, has
            its options and roles, and is not started. Members about the process are not allowed.
            """,
        example: """
            {
              "manifest": 1,
              "identity": "org.example.softphone",
              "name": "Soft phone",
              "roles": ["provider", "controller"]
            }
            """)
}

extension ManifestSchemas {
    /// Writes the JSON Schema (draft 7) of a manifest, with the examples.
    package static func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("$schema", "http://json-schema.org/draft-07/schema#")
            writer.member("title", "The manifest of a CallBroker plugin")
            writer.keywords(of: .object(members))
            writer.name("patternProperties")
            writer.object { writer in
                writer.name("^x_")
                writer.object { _ in }
            }
            writer.member("additionalProperties", false)
            writer.name("examples")
            writer.array { writer in
                for subject in ManifestSubject.all {
                    if let example = subject.document { writer.value(example.root) }
                }
            }
        }
    }
}
