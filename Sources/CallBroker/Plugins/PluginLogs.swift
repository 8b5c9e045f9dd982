internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The publisher of plugins' output, line by line.
///
/// Lines are not numbered events: they are neither in the journal nor in the feed, where a program
/// that writes much would evict the events of calls. Instead, a lagging subscription resumes from
/// each plugin's own log, and gets a gap if that does not go back far enough.
struct PluginLogs {
    let broker: Broker

    /// The time for which dropped lines are counted before their number is reported.
    private static let countMS = 1_000

    func receive(_ bytes: UnsafeBufferPointer<UInt8>, from log: LogPipe) {
        guard let plugin = broker.plugins.table.writing(to: log) else { return }
        update(plugin) { $0.write(bytes, atMS: broker.clock.unixMS, now: broker.clock.now) }
    }

    /// Calls `write` with the log of a plugin, and publishes the lines that it adds.
    func update(_ plugin: Plugin, _ write: (inout PluginLog) -> Void) {
        let former = broker.plugins.lastLine
        plugin.log.lastIndex = former
        write(&plugin.log)
        broker.plugins.recordLine(at: plugin.log.lastIndex)
        if plugin.log.unreportedDrops > 0, !plugin.countsDropped {
            plugin.countsDropped = true
            _ = broker.timers.start(afterMS: Self.countMS, .droppedLines(plugin))
        }
        let subscriptions = broker.events.subscriptions(to: .pluginLog)
        guard !subscriptions.isEmpty else { return }
        for line in plugin.log.lines(afterIndex: former) {
            for subscription in subscriptions where !subscription.isBehind {
                send(line, of: plugin, to: subscription)
            }
        }
    }

    func reportDroppedLines(of plugin: Plugin) {
        plugin.countsDropped = false
        update(plugin) { $0.reportDropped(atMS: broker.clock.unixMS) }
    }

    private func send(
        _ line: PluginLog.Line, of plugin: Plugin, to subscription: Subscription
    ) {
        guard !broker.peers.isOverSoftBound(subscription.connection) else {
            subscription.isBehind = true
            return broker.events.markLagging(subscription.peer)
        }
        broker.events.publishUnnumbered(.pluginLog, to: subscription) { writer in
            writer.member("plugin", plugin.identity)
            line.write(to: &writer)
        }
        subscription.line = line.globalIndex
    }

    // MARK: - Catching up

    /// Returns true if every line that a subscription has not been sent is still kept.
    func coversLines(of subscription: Subscription) -> Bool {
        !subscription.topics.contains(TopicSet(.pluginLog))
            || broker.plugins.table.evictedLine <= subscription.line
    }

    /// Sends the lines that a subscription has not been sent, as many as its queue accepts: no
    /// reply waits for lines. The subscription has been sent every numbered event before.
    func catchUpWithLines(_ subscription: Subscription) {
        guard subscription.topics.contains(TopicSet(.pluginLog)),
            subscription.line < broker.plugins.lastLine
        else { return }
        var behind = broker.plugins.all
            .map { (plugin: $0, lines: $0.log.lines(afterIndex: subscription.line)) }
            .filter { !$0.lines.isEmpty }
        // The queue may accept few of very many lines, so they are not sorted before.
        while !subscription.isBehind,
            let next = Self.earliest(of: behind.map { $0.lines.first?.globalIndex ?? .max })
        {
            guard let line = behind[next].lines.popFirst() else { return }
            send(line, of: behind[next].plugin, to: subscription)
            if behind[next].lines.isEmpty { behind.remove(at: next) }
        }
    }

    private static func earliest(of lines: [Int]) -> Int? {
        lines.indices.min { lines[$0] < lines[$1] }
    }
}

extension PluginLog.Line {
    func write(to writer: inout JSONWriter) {
        writer.member("number", number)
        writer.member("at_ms", atMS)
        writer.member("text", text.prefix(utf8: PluginLog.lineBytesMax))
        if dropped > 0 { writer.member("dropped", dropped) }
    }
}
