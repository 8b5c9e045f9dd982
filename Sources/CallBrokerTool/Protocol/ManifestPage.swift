internal import BrokerJSON
internal import CallPlugins
internal import CallTesting

/// The reference of the manifest: `plugins/MANIFEST.md`, and `callbroker describe manifest`.
struct ManifestPage {
    private static let head = """
        # The manifest

        A plugin is a folder with a program and a manifest, `IDENTITY.plugin.json`, one JSON object of at
        most 65,536 bytes. This page is generated from the broker's schema by `make reference`; do not edit.
        `callbroker describe manifest` prints it, with `--json` as a JSON Schema for editors. For an
        introduction, see the [guide](README.md#the-manifest).

        `callbroker plugin install FOLDER` puts a plugin into the user's plugin folder,
        `~/.config/callbroker/plugins`, where the broker finds it at once. It reads manifests in that
        folder and in the folders in it, no deeper, in `/etc/xdg/callbroker/plugins` for all users, and in
        the folders of `--plugin-dir`. A manifest of the user hides one of the same name in the others; an
        empty object, `{}`, hides it without a replacement. An invalid manifest is reported with its line by
        `callbroker plugin list`, what looks like a plugin and is none by `callbroker plugin doctor`.

        Members with a `?` are optional. Unknown members are errors, unless their names begin with `x_`:
        `plugin check` runs `x_build` before everything else, and `x_ring` to cause an incoming call,
        `x_external` one on another device of the same account, `x_priority` and `x_background` one that the
        program reports as that of a priority caller, or as a background call; `"x_delays_audio": true` says
        that the program delays the audio of calls until it is ready, if the user's policy names it.

        """

    private static let lifecycle = """
        ## Starting and ending

        | `start` | the broker starts the program |
        |---|---|
        | `boot` | with the broker |
        | `demand` | with the first call that needs it, which waits for it |
        | `manual` | when the user requests it: `callbroker plugin start` |

        | `restart` | the broker restarts a program that has ended |
        |---|---|
        | `on_failure` | if it was killed, its exit status is not 0, or it was not ready yet |
        | `always` | in every case |
        | `never` | not |

        | `transport` | the connection |
        |---|---|
        | `stdio` | standard input and output; lines that are not JSON are log output |
        | `fd3` | descriptor 3; standard output is log output |
        | `connect` | the program connects to the socket in `BROKER_SOCKET` |

        A path in `exec` or `cwd` is relative to the folder of the manifest, where links are followed to the
        file itself; a program without a slash is searched for there, then in `PATH`. The environment has
        `BROKER_SOCKET`, `BROKER_OPTIONS`, `HOME`, `LANG`, `LC_ALL`, `LC_CTYPE`, `LOGNAME`, `PATH`,
        `PYTHONPATH` with the broker's Python SDK, `TMPDIR`, `TZ`, `USER` and `XDG_RUNTIME_DIR`, the
        variables named in `env_pass`, and those of `env`.

        """

    /// The members that have a section of their own.
    private static let ownSections = ManifestSubject.all.compactMap(\.member)

    private let schema: JSONTree

    init() throws {
        var writer = JSONWriter()
        ManifestSchemas.write(to: &writer)
        schema = try JSONTree(writer.text)
    }

    /// The page as Markdown.
    var markdown: String {
        let shapes = ReferenceShapes([])
        var lines = [Self.head, "## Members", ""]
        lines += shapes.table(of: general, "member", isOpen: false)
        lines.append(Self.lifecycle)
        for subject in ManifestSubject.all {
            lines += ["## \(subject.title)", "", subject.text, ""]
            if let part = part(subject.member) {
                lines += shapes.table(of: part, "member", isOpen: false)
            }
            lines += ["```json \(subject.fileName)", subject.example, "```", ""]
        }
        return lines.joined(separator: "\n")
    }

    /// The schema without the members that have a section of their own.
    private var general: JSONTree {
        let members = schema["properties"]?.members ?? []
        let required = (schema["required"]?.elements ?? []).compactMap(\.string)
        return ReferenceShapes.object(
            members.filter { !Self.ownSections.contains($0.name) }
                .map { ($0.name, $0.value, required.contains($0.name)) })
    }

    /// The schema of one member, under its own name.
    private func part(_ name: String?) -> JSONTree? {
        guard let name, let member = schema["properties"]?[name] else { return nil }
        return ReferenceShapes.object([(name, member, false)])
    }
}
