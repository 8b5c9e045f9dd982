internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallPlugins
internal import CallProtocol

/// The methods of plugins, for admins.
struct PluginMethods {
    let broker: Broker

    private static let defaultLogLines = 100

    func perform(_ request: PluginRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .list(let params): try listPlugins(params, target)
        case .start(let named): try startPlugin(named, target)
        case .stop(let named): try stopPlugin(named, target)
        case .restart(let named): try restartPlugin(named, target)
        case .enable(let named): try enablePlugin(true, named, target)
        case .disable(let named): try enablePlugin(false, named, target)
        case .rescan: rescanPlugins(target)
        case .logs(let params): try showPluginLogs(params, target)
        case .doctor(let params): try examinePlugins(params, target)
        case .setOption(let params): try setPluginOption(params, target)
        }
    }

    private func plugin(_ name: String) throws(RPCError) -> Plugin {
        if let plugin = broker.plugins[name] { return plugin }
        throw RPCError(.notFound, reason: .unknownPlugin, "no such plugin").with {
            $0.field = "/plugin"
            $0.hint = "plugin.list has their names; plugin.rescan looks for new ones"
        }
    }

    /// Returns the plugin that a request names, or all.
    private func plugins(named name: String?) throws(RPCError) -> [Plugin] {
        guard let name else { return broker.plugins.all }
        return [try plugin(name)]
    }

    private func listPlugins(_ params: ListPluginsParams, _ target: ReplyTarget) throws(RPCError) {
        let after = params.page.after ?? ""
        let limit = params.page.limit ?? .max
        let all = try plugins(named: params.plugin).filter { $0.identity > after }
        let nowMS = broker.clock.now.milliseconds
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            let written = writer.page("plugins", all.prefix(limit), broker.limits.pageBytes) {
                $0.write(atMS: nowMS, to: &$1)
            }
            if written < all.count, let last = all.prefix(written).last {
                writer.member("next", last.identity)
            }
            writer.member("seq", broker.events.seq)
        }
    }

    // MARK: - Starting and stopping

    private func startPlugin(_ named: NamedPlugin, _ target: ReplyTarget) throws(RPCError) {
        let plugin = try plugin(named.plugin)
        try checkProgram(of: plugin)
        guard plugin.state != .failed else {
            throw Self.invalidState(
                .failed, "the plugin has failed too often", "restart it with plugin.restart")
        }
        broker.plugins.apply(.startRequested, to: plugin)
        replyState(of: plugin, target)
    }

    private func stopPlugin(_ named: NamedPlugin, _ target: ReplyTarget) throws(RPCError) {
        let plugin = try plugin(named.plugin)
        broker.plugins.apply(.stopRequested, to: plugin)
        replyState(of: plugin, target)
    }

    private func restartPlugin(_ named: NamedPlugin, _ target: ReplyTarget) throws(RPCError) {
        let plugin = try plugin(named.plugin)
        try checkProgram(of: plugin)
        broker.plugins.apply(.restartRequested, to: plugin)
        replyState(of: plugin, target)
    }

    private func enablePlugin(
        _ isEnabled: Bool, _ named: NamedPlugin, _ target: ReplyTarget
    ) throws(RPCError) {
        let plugin = try plugin(named.plugin)
        if plugin.isEnabled != isEnabled {
            plugin.isEnabled = isEnabled
            broker.plugins.saveChoices()
            broker.plugins.apply(isEnabled ? .enabled : .disabled, to: plugin)
            if isEnabled, plugin.manifest == nil {
                broker.plugins.apply(.manifestMasked, to: plugin)
            }
        }
        broker.journal.whenWritten(target) { [weak broker] in
            broker?.pluginMethods.replyState(of: plugin, target)
        }
    }

    /// Checks that a plugin can be started.
    private func checkProgram(of plugin: Plugin) throws(RPCError) {
        if let fault = plugin.fault, plugin.manifest == nil {
            throw Self.invalidState(.brokenManifest, "\(fault)", "fix it, then plugin.rescan")
        }
        guard plugin.isEnabled else {
            throw Self.invalidState(
                .disabled, "the plugin is disabled", "enable it with plugin.enable")
        }
        guard plugin.state != .masked else {
            throw Self.invalidState(
                .masked, "the plugin is hidden: \(plugin.entry.path) is empty or missing",
                "remove that file, then plugin.rescan")
        }
        guard plugin.hasProgram else {
            throw Self.invalidState(
                .external, "the broker does not start this plugin: its manifest has no exec",
                "start the app that it describes")
        }
    }

    private static func invalidState(
        _ reason: ErrorReason, _ message: String, _ hint: String
    ) -> RPCError {
        RPCError(.invalidState, reason: reason, message).with { $0.hint = hint }
    }

    private func replyState(of plugin: Plugin, _ target: ReplyTarget) {
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writer.member("plugin", plugin.identity)
            writer.member("state", plugin.state.rawValue)
            if plugin.isStopping { writer.member("stopping", true) }
            writer.member("seq", broker.events.seq)
        }
    }

    private func rescanPlugins(_ target: ReplyTarget) {
        broker.outbox.postpone(target)
        broker.manifests.rescan(for: target)
    }

    // MARK: - Logs

    private func showPluginLogs(
        _ params: PluginLogsParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let log = try plugin(params.plugin).log
        let after = params.after ?? 0
        let limit = params.limit ?? Self.defaultLogLines
        // A client that continues from a number needs the next lines; any other the latest.
        let lines =
            params.after == nil
            ? Array(fitting(log.lines(after: 0, limit: limit).reversed()).reversed())
            : fitting(log.lines(after: after, limit: PluginLog.linesMax).prefix(limit))
        broker.outbox.reply(target) { writer in
            writer.name("lines")
            writer.array { writer in
                for line in lines { writer.object { line.write(to: &$0) } }
            }
            writer.member("last", log.lastNumber)
            writer.member("dropped", log.dropped)
        }
    }

    /// Returns as many lines, from the first, as fit into a frame.
    private func fitting(_ lines: some Sequence<PluginLog.Line>) -> [PluginLog.Line] {
        var bytesLeft = broker.limits.pageBytes
        return lines.prefix { line in
            var writer = JSONWriter()
            writer.object { line.write(to: &$0) }
            bytesLeft -= writer.bytes.count + 1
            return bytesLeft >= 0
        }
    }

    private func examinePlugins(
        _ params: PluginDoctorParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let all = try plugins(named: params.plugin)
        let bytesMax = broker.limits.pageBytes
        broker.outbox.reply(target) { writer in
            writer.name("findings")
            writer.array { writer in
                for (plugin, finding) in all.flatMap({ plugin in
                    plugin.findings.map { (plugin, $0) }
                }) {
                    let start = writer.bytes.count
                    writer.object { finding.write(of: plugin, to: &$0) }
                    if writer.bytes.count > bytesMax {
                        writer.bytes.removeLast(writer.bytes.count - start)
                        break
                    }
                }
            }
            writer.member("plugins", all.count)
            if params.plugin == nil { writeStrays(to: &writer) }
        }
    }

    private func writeStrays(to writer: inout JSONWriter) {
        let strays = broker.manifests.strays
        guard !strays.isEmpty else { return }
        writer.name("ignored")
        writer.array { writer in
            for stray in strays {
                writer.object { writer in
                    writer.member("path", stray.path.prefix(utf8: 4_096))
                    writer.member("message", stray.reason.prefix(utf8: 2_048))
                    writer.member("hint", stray.hint.prefix(utf8: 1_024))
                }
            }
        }
    }

    // MARK: - Options

    private func setPluginOption(
        _ params: SetPluginOptionParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let plugin = try plugin(params.plugin)
        let name = params.option
        guard let option = plugin.manifest?.options.first(where: { $0.name == name }) else {
            throw RPCError(.notFound, reason: .unknownOption, "the plugin has no such option")
                .with {
                    $0.field = "/option"
                    $0.hint = "plugin.list has the options of each"
                }
        }
        let former = plugin.value(of: option)
        plugin.values[name] = try value(of: option, params.value)
        broker.plugins.saveChoices()
        plugin.hideSecrets()
        let isSame = plugin.value(of: option) == former
        let applies = isSame ? "now" : applyOption(option, of: plugin)
        broker.journal.whenWritten(target) { [weak broker] in
            guard let broker else { return }
            broker.events.bringUpToDate(target.peer)
            broker.outbox.reply(target) { writer in
                writer.member("plugin", plugin.identity)
                writer.member("option", name)
                writer.member("applies", applies)
                writer.member("seq", broker.events.seq)
            }
        }
    }

    /// Reads a value; nil for null, which restores the default.
    private func value(
        of option: PluginOption, _ value: JSONValue
    ) throws(RPCError) -> PluginValue? {
        guard !value.isNull else { return nil }
        guard let wanted = PluginValue(value, as: option.kind) else {
            throw RPCError(
                .invalidParams, reason: .wrongType, "params.value must be \(option.kind.words)"
            ).with { $0.field = "/value" }
        }
        return wanted
    }

    /// Applies a change of an option, and returns when it takes effect.
    private func applyOption(_ option: PluginOption, of plugin: Plugin) -> String {
        if plugin.supervision.hasProcess, !option.isDynamic, let manifest = plugin.manifest {
            broker.plugins.apply(.manifestChanged(Supervision.Settings(manifest)), to: plugin)
            return plugin.supervision.awaitsIdle == nil ? "now" : "when_idle"
        }
        guard let peer = plugin.peer, peer.stage == .ready, option.isDynamic else {
            return "with_next_start"
        }
        broker.outbox.notify(peer, "plugin.options_changed") { writer in
            writer.name("options")
            writer.object { writer in
                // An option without a value is sent as null.
                guard plugin.value(of: option) != nil else {
                    writer.name(option.name)
                    return writer.null()
                }
                plugin.writeValues([option.name], to: &writer)
            }
        }
        return "now"
    }
}
