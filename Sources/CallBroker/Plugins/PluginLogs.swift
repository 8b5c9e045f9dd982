internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// What plugins write, told line by line.
///
/// Lines are none of the numbered events: they are in no journal and not in the feed, where a program
/// that writes a lot would drive out what happened to calls. Each plugin's own log is the feed: who is
/// behind goes on from there, and hears of a gap when it does not reach back to its place.
struct PluginLogs {
    let broker: Broker

    /// How long lines that came too fast are counted before their number is told.
    private static let countMS = 1_000

    func takeLog(_ bytes: UnsafeBufferPointer<UInt8>, from log: LogPipe) {
        guard let plugin = broker.plugins.table.writing(to: log) else { return }
        note(plugin) { $0.write(bytes, atMS: broker.clock.unixMS, now: broker.clock.now) }
    }

    /// Lets something be written to the log of a plugin, and tells the lines that came of it.
    func note(_ plugin: Plugin, _ write: (inout PluginLog) -> Void) {
        let former = broker.plugins.lastLine
        plugin.log.lastPlace = former
        write(&plugin.log)
        broker.plugins.noteLine(at: plugin.log.lastPlace)
        if plugin.log.untold > 0, !plugin.countsDropped {
            plugin.countsDropped = true
            _ = broker.timers.start(afterMS: Self.countMS, .droppedLines(plugin))
        }
        let subscriptions = broker.events.subscriptions(to: .pluginLog)
        guard !subscriptions.isEmpty else { return }
        for line in plugin.log.lines(behind: former) {
            for subscription in subscriptions where !subscription.isBehind {
                tell(line, of: plugin, to: subscription)
            }
        }
    }

    func tellDroppedLines(of plugin: Plugin) {
        plugin.countsDropped = false
        note(plugin) { $0.tellDropped(atMS: broker.clock.unixMS) }
    }

    private func tell(
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
        subscription.line = line.place
    }

    // MARK: - Those who are behind

    /// Whether every line that it has not been sent is kept.
    func reachesLines(of subscription: Subscription) -> Bool {
        !subscription.topics.contains(TopicSet(.pluginLog))
            || broker.plugins.table.forgottenLine <= subscription.line
    }

    /// Goes on with the lines that it did not take before, as many as it takes now: no reply waits for
    /// lines. It has been sent every numbered event.
    func catchUpWithLines(_ subscription: Subscription) {
        guard subscription.topics.contains(TopicSet(.pluginLog)),
            subscription.line < broker.plugins.lastLine
        else { return }
        var behind = broker.plugins.all
            .map { (plugin: $0, lines: $0.log.lines(behind: subscription.line)) }
            .filter { !$0.lines.isEmpty }
        // It may take few of very many, so they are not put in order before.
        while !subscription.isBehind,
            let next = Self.earliest(of: behind.map { $0.lines.first?.place ?? .max })
        {
            guard let line = behind[next].lines.popFirst() else { return }
            tell(line, of: behind[next].plugin, to: subscription)
            if behind[next].lines.isEmpty { behind.remove(at: next) }
        }
    }

    private static func earliest(of places: [Int]) -> Int? {
        places.indices.min { places[$0] < places[$1] }
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
