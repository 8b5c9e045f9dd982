internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker calls`: the list of calls.
struct Calls: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calls",
        abstract: "List the calls.",
        discussion: """
            The last column lists the actions that each call allows now. A live call has the quality \
            that its app has measured last, if it reports that. Ended calls are listed for up to ten \
            minutes.
            """)

    @Option(help: "Only calls of this app.", completion: Suggestions.providers) var provider:
        String?
    @Option(help: "Only calls in this state, such as ringing.") var state: String?
    @Option(help: "Only incoming or only outgoing calls.") var direction: String?
    @Flag(help: "Include ended calls.") var ended = false
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.observer)
        var filter = CallListFilter(
            provider: try provider.map(session.providerName), state: state, direction: direction)
        filter.includesEnded = filter.includesEnded || ended
        try session.showList(.listCalls, "calls", filter.write) { elements in
            let calls = elements.map(CallSummary.init)
            guard !calls.isEmpty else { return Messages.callNone }
            return TextTable(
                [
                    .plain(Messages.headingCall), .text(Messages.headingApp), "",
                    .plain(Messages.headingState), .text(Messages.headingWith),
                    .text(Messages.headingAllowed),
                ],
                calls.map { Self.row($0, quality(of: $0, session)) }
            ).description
        }
    }

    /// Returns the quality of a live call in words; nil if its app has not reported it.
    private func quality(of call: CallSummary, _ session: Session) -> String? {
        guard call.state == "active", let latest = session.latestQuality(of: call.call),
            let document = try? Frame.parse(latest)
        else { return nil }
        return QualityText(document.root).description
    }

    private static func row(_ call: CallSummary, _ quality: String?) -> [String] {
        let arrow = call.direction == "incoming" ? "<-" : "->"
        let group =
            call.group == call.call
            ? "" : " " + Messages.callInGroup(call: "\(ShortID(call.group))")
        return [
            call.shortID, call.provider, arrow,
            call.situation + group + (quality.map { ", \($0)" } ?? ""), call.other,
            call.allowed.joined(separator: " "),
        ]
    }
}

/// The filter of a list of calls; by default all that have not ended.
struct CallListFilter {
    var provider: String?
    var state: String?
    var direction: String?
    var includesEnded: Bool

    init(provider: String? = nil, state: String? = nil, direction: String? = nil) {
        self.provider = provider
        self.state = state
        self.direction = direction
        includesEnded = state == "ended"
    }

    func write(_ writer: inout JSONWriter) {
        if includesEnded { writer.member("include_ended", true) }
        guard provider != nil || state != nil || direction != nil else { return }
        writer.name("filter")
        writer.object { writer in
            writer.member("provider", ifSet: provider)
            writer.member("state", ifSet: state)
            writer.member("direction", ifSet: direction)
        }
    }
}

/// `callbroker providers`: the apps that have calls, or could.
struct Providers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the apps.")

    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.observer)
        try session.showList(.listProviders, "providers", and: "startable", layout: Self.layout)
    }

    /// - Parameter elements: the apps that are registered, and those that can be started.
    private static func layout(_ elements: [JSONValue]) -> String {
        guard !elements.isEmpty else { return Messages.statusNoApps }
        let registered = elements.filter { $0["connected"] != nil }
        let table = TextTable(
            [
                .plain(Messages.headingApp), .text(Messages.headingName),
                .plain(Messages.headingKind), .plain(Messages.headingConnected),
                .plain(Messages.headingAuthorized),
                .plain(Messages.headingCalls), .text(Messages.headingAddresses),
            ],
            registered.map(row))
        let lines = LineText.table(registered).map { ["", $0] } ?? []
        return
            ((registered.isEmpty ? [] : [table.description]) + elements.compactMap(advice)
            + elements.compactMap(start) + registered.compactMap(pushes) + lines)
            .joined(separator: "\n")
    }

    /// Returns how a call starts an app; nil if it cannot.
    private static func start(_ provider: JSONValue) -> String? {
        guard let name = provider["start_by"].flatMap(Self.name) else { return nil }
        let app = provider["provider"]?.string?.printable ?? ""
        return provider["connected"] == nil
            ? Messages.listStartable(app: app, name: name)
            : Messages.listStarts(app: app, name: name)
    }

    private static func name(_ startBy: JSONValue) -> String? {
        switch StartBy(checked: startBy) {
        case .dbus(let name): Messages.listBusName(name: name.printable)
        case .desktop(let id): id.printable
        case nil: nil
        }
    }

    private static func pushes(_ provider: JSONValue) -> String? {
        UnreportedPushes(provider).map { pushes in
            pushes.words + (pushes.remedy.map { ": " + $0 } ?? "")
        }
    }

    private static func advice(_ provider: JSONValue) -> String? {
        let authorization = AuthorizationText(provider)
        return authorization.problem.map {
            Messages.listAuthorize(problem: $0, command: authorization.remedy)
        }
    }

    private static func row(_ provider: JSONValue) -> [String] {
        let kinds = provider["handle_types"].map { $0.elements.compactMap(\.string) } ?? []
        let schemes = provider["url_schemes"].map { $0.elements.compactMap(\.string) } ?? []
        return [
            provider["provider"]?.string?.printable ?? "",
            provider["display_name"]?.string?.printable ?? "",
            Words.kind(provider["kind"]?.string),
            provider["connected"]?.boolean == true ? Messages.listYes : Messages.listNo,
            AuthorizationText(provider).word,
            provider["calls"]?.integer.map(String.init) ?? "",
            (kinds + schemes.map { $0 + ":" }).map(\.printable).joined(separator: " "),
        ]
    }
}

/// `callbroker call`: the members of one call.
struct ShowCall: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Show one call.",
        discussion: """
            Also finds calls that ended in the last ten minutes. The member quality is what the app of \
            a call has measured last, if it reports that.
            """)

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.observer)
        let chooser = try CallChooser(session, knowsEnded: true)
        let id = try chooser.choose(call, .any)
        if let call = chooser.listed(id), call.state == "ended" {
            return try client.output.show(call.json) { FlatText($0).aligned }
        }
        let reply = try session.request(.getCall) { $0.member("call", id) }
        guard client.output.form != .raw, let quality = session.latestQuality(of: id) else {
            return session.show(reply) { FlatText($0).aligned }
        }
        var document = JSONWriter()
        document.value(reply.result)
        document.bytes.removeLast()
        document.name("quality")
        document.bytes += quality + Array("}".utf8)
        try client.output.show(document.bytes) { FlatText($0).aligned }
    }
}

extension Candidates {
    /// Candidates: any call.
    static let any = Candidates(
        none: Messages.callNoneToShow, several: Messages.callSeveralToShow, verbs: [],
        states: CallArgument.incoming
            + ["starting", "dialing", "alerting", "connecting", "active", "held", "ending"])
}

extension Session {
    /// Shows a list of many pages: a table, or one line for each element.
    func showList(
        _ method: MethodName, _ name: String, _ members: (inout JSONWriter) -> Void = { _ in },
        _ layout: ([JSONValue]) -> String
    ) throws {
        try showList(method, name, members, most: nil) { elements, _ in layout(elements) }
    }

    /// Shows the elements of two lists of the same pages, as one.
    func showList(
        _ method: MethodName, _ name: String, and other: String, layout: ([JSONValue]) -> String
    ) throws {
        try showList(method, [name, other], { _ in }, most: nil) { elements, _ in layout(elements) }
    }

    /// Shows the first elements of a list.
    ///
    /// - Parameter layout: gets the elements, and whether there are more.
    func showList(
        _ method: MethodName, _ name: String, _ members: (inout JSONWriter) -> Void,
        most: Int?, _ layout: ([JSONValue], _ hasMore: Bool) -> String
    ) throws {
        try showList(method, [name], members, most: most, layout)
    }

    private func showList(
        _ method: MethodName, _ names: [String], _ members: (inout JSONWriter) -> Void,
        most: Int?, _ layout: ([JSONValue], _ hasMore: Bool) -> String
    ) throws {
        var (elements, count) = (JSONWriter(Array("[".utf8)), 0)
        let countMax = most ?? .max
        let hasMorePages = try forEachPage(method, members, while: { count < countMax }) { page in
            if output.form == .raw {
                StandardOutput.line(String(decoding: page.frame, as: UTF8.self))
            }
            let all = names.flatMap { page.result[named: $0].map { Array($0.elements) } ?? [] }
            for element in all.prefix(max(0, countMax - count)) { elements.value(element) }
            count += all.count
        }
        let hasMore = hasMorePages || count > countMax
        try output.show(list: elements.bytes + Array("]".utf8)) { layout($0, hasMore) }
    }
}

extension OutputOptions {
    /// Shows the elements of an array, unless their raw frames were shown already.
    func show(list: [UInt8], _ layout: ([JSONValue]) -> String) throws {
        let document = try Frame.parse(list)
        let list = Array(document.root.elements)
        switch form {
        case .table: page(layout(list))
        case .json: for element in list { StandardOutput.line(ClientOptions.oneLine(element)) }
        case .flat: if !list.isEmpty { StandardOutput.line(FlatText(document.root).description) }
        case .raw: break
        }
    }
}
