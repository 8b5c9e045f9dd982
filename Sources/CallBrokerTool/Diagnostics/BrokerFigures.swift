internal import BrokerJSON

/// The result of `broker.metrics` as metrics. What an earlier broker does not return is left out.
struct BrokerFigures {
    private let result: JSONValue
    private let boundsUS: [Int64]
    private var text: MetricsText

    private init(_ result: JSONValue, _ form: MetricsText.Form) {
        self.result = result
        boundsUS = result["bounds_us"].map { $0.elements.compactMap(\.integer) } ?? []
        text = MetricsText(form)
    }

    static func text(of result: JSONValue, _ form: MetricsText.Form) -> String {
        var figures = BrokerFigures(result, form)
        figures.writeBroker()
        figures.writeCalls()
        figures.writeTransactions()
        figures.writeActions()
        figures.writeStorage()
        figures.writeConnections()
        return figures.text.description
    }

    private mutating func writeBroker() {
        if let version = result["version"]?.string {
            text.begin("build_info", .gauge, "The release of the broker.")
            text.sample("build_info", [("version", version)], "1")
        }
        if let uptimeMS = result["uptime_ms"]?.integer {
            text.begin("uptime_seconds", .gauge, "Time since the start of the broker.")
            text.sample("uptime_seconds", [], "\(Double(uptimeMS) / 1_000)")
        }
        gauge("resident_memory_bytes", result["memory_bytes"], "Resident memory of the broker.")
        histogram("turn_duration_seconds", "Turns of the loop.", [([], result["turn_latency"])])
        counts("plugins", .gauge, "Installed plugins.", result["plugins"], "state")
    }

    private mutating func writeCalls() {
        guard let calls = result["calls"] else { return }
        text.begin("calls", .gauge, "Open calls.")
        for row in calls.elements {
            let provider = row["provider"]?.string ?? ""
            for state in row["states"].map({ Array($0.elements) }) ?? [] {
                text.sample(
                    "calls", [("provider", provider), ("state", state["state"]?.string ?? "")],
                    "\(state["count"]?.integer ?? 0)")
            }
        }
        gauge(
            "other_calls", result["other_calls"],
            "Open calls of apps that have no metric of their own.")
    }

    private mutating func writeTransactions() {
        gauge("pending_requests", result["pending"], "Requests that are not completed.")
        counts(
            "transactions", .counter, "Transactions that were carried out.",
            result["transactions"], "state")
        histogram(
            "transaction_duration_seconds", "Time from a request to the last of its actions.",
            [([], result["transaction_latency"])])
        counts(
            "refusals", .counter, "Requests that a rule has refused.", result["refusals"], "rule")
        counter("other_refusals", result["other_refusals"], "Requests refused without a rule.")
        counts(
            "anomalies", .counter, "Events that should not happen.", result["anomalies"],
            "anomaly")
    }

    private mutating func writeActions() {
        let kinds = (result["actions"].map { Array($0.elements) } ?? [])
            .map { (name: $0["kind"]?.string ?? "", figures: $0) }
        guard !kinds.isEmpty else { return }
        text.begin("actions", .counter, "Actions of apps, by result.")
        for kind in kinds {
            for row in kind.figures["results"].map({ Array($0.elements) }) ?? [] {
                text.sample(
                    "actions_total", [("kind", kind.name), ("state", row["state"]?.string ?? "")],
                    "\(row["count"]?.integer ?? 0)")
            }
        }
        histogram(
            "action_duration_seconds", "Time that apps needed for actions.",
            kinds.map { ([("kind", $0.name)], $0.figures["latency"]) })
    }

    private mutating func writeStorage() {
        let (journal, store) = (result["journal"], result["store"])
        gauge("journal_up", journal?["is_kept"], "1 if calls would survive a restart.")
        gauge("journal_size_bytes", journal?["bytes"], "Length of the journal.")
        counter("journal_written_bytes", journal?["written_bytes"], "Bytes written to the journal.")
        counter("journal_snapshots", journal?["snapshots"], "Times the journal was begun anew.")
        histogram(
            "journal_write_duration_seconds", "Writes to the journal.", [([], journal?["latency"])])
        gauge("store_up", store?["is_kept"], "1 if contacts, blocks and history are available.")
        gauge("store_pending_jobs", store?["waiting"], "Jobs that wait for the store.")
        histogram(
            "store_job_duration_seconds", "Jobs of the store, with the time that they wait.",
            [([], store?["latency"])])
    }

    private mutating func writeConnections() {
        guard let stats = result["stats"] else { return }
        gauge("connections", stats["connections"], "Open connections.")
        gauge("queued_bytes", stats["bytes_queued"], "Bytes queued for clients that do not read.")
        gauge("timers", stats["timers"], "Running timers.")
        for (name, member, help) in Self.counters {
            counter(name, stats[named: member], help)
        }
        counts(
            "stalls", .counter, "Turns longer than 50 ms, by their main cause.", stats["stalls"],
            "what")
    }

    private static let counters = [
        ("connections_accepted", "connections_accepted", "Accepted connections."),
        ("connections_refused", "connections_refused", "Connections refused: too many, too fast."),
        ("frames_received", "frames_received", "Received frames."),
        ("frames_sent", "frames_sent", "Sent frames."),
        ("frames_bad", "frames_bad", "Received frames that are not valid JSON-RPC."),
        ("requests", "requests", "Valid requests."),
        ("notifications", "notifications", "Valid notifications."),
        ("responses_ignored", "responses_ignored", "Replies without a request."),
        ("errors_sent", "errors_sent", "Error replies."),
        ("received_bytes", "bytes_received", "Received bytes."),
        ("sent_bytes", "bytes_sent", "Sent bytes."),
    ]
}

extension BrokerFigures {
    private mutating func gauge(_ name: String, _ value: JSONValue?, _ help: String) {
        guard let number = value.flatMap(Self.number) else { return }
        text.begin(name, .gauge, help)
        text.sample(name, [], "\(number)")
    }

    private mutating func counter(_ name: String, _ value: JSONValue?, _ help: String) {
        guard let number = value.flatMap(Self.number) else { return }
        text.begin(name, .counter, help)
        text.sample(name + "_total", [], "\(number)")
    }

    private static func number(_ value: JSONValue) -> Int64? {
        value.integer ?? value.boolean.map { $0 ? 1 : 0 }
    }

    private mutating func counts(
        _ name: String, _ kind: MetricsText.Kind, _ help: String, _ list: JSONValue?,
        _ label: String
    ) {
        guard let rows = list.map({ Array($0.elements) }), !rows.isEmpty else { return }
        text.begin(name, kind, help)
        for row in rows {
            text.sample(
                kind == .counter ? name + "_total" : name,
                [(label, row[named: label]?.string ?? "")], "\(row["count"]?.integer ?? 0)")
        }
    }

    private mutating func histogram(
        _ name: String, _ help: String, _ series: [(labels: [(String, String)], JSONValue?)]
    ) {
        let known = series.compactMap { labels, value in value.map { (labels, $0) } }
        guard !known.isEmpty else { return }
        text.begin(name, .histogram, help)
        for (labels, value) in known { writeBuckets(name, labels, value) }
    }

    private mutating func writeBuckets(
        _ name: String, _ labels: [(String, String)], _ value: JSONValue
    ) {
        let counts = value["counts"].map { $0.elements.compactMap(\.integer) } ?? []
        var total: Int64 = 0
        for (index, count) in counts.enumerated() {
            total &+= count
            let bound = index < boundsUS.count ? Self.seconds(us: boundsUS[index]) : "+Inf"
            text.sample(name + "_bucket", labels + [("le", bound)], "\(total)")
        }
        text.sample(name + "_sum", labels, Self.seconds(us: value["sum_us"]?.integer ?? 0))
        text.sample(name + "_count", labels, "\(total)")
    }

    private static func seconds(us: Int64) -> String {
        "\(Double(us) / 1_000_000)"
    }
}
