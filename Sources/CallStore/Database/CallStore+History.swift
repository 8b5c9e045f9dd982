internal import CallModel

/// Calls that have ended.
extension CallStore {
    /// Records a call; returns false, and changes nothing, if its end has been recorded before.
    @discardableResult
    package func record(_ entry: HistoryRecord) throws(StoreError) -> Bool {
        let key = try entry.remote.map { (remote) throws(StoreError) in
            HandleKey(remote, region: try region).text
        }
        return try atomically { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT OR IGNORE INTO history(call, provider, provider_name, direction, kind, value,
                    key, name, label, label_source, video, started_at, connected_at, ended_at,
                    reason, origin, rule, missed, filtered_by, recent, seen, failure_code,
                    failure_reason, failure_message, detail_reason, detail_text, detail_code,
                    line, line_label, forwarded_kind, forwarded_value, verification, external_id,
                    elsewhere)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                    ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, Self.fields(entry, key: key))
            return connection.changedRows > 0
        }
    }

    /// Returns a page of entries, the newest first. `after` is the `next` of the previous page.
    package func history(
        _ filter: HistoryFilter = HistoryFilter(), after: String? = nil, limit: Int = 100
    ) throws(StoreError) -> Page<HistoryRecord> {
        let limit = Page<HistoryRecord>.limit(limit)
        let place = try Cursor(numbers: after, parts: 2)
        var query = try conditions(of: filter)
        if let place {
            query.conditions += " AND (ended_at, id) < (?, ?)"
            query.values += [.integer(place.number(0)), .integer(place.number(1))]
        }
        let found = try database().rows(
            Self.historyList(query.conditions), query.values + [.integer(limit + 1)]
        ) { (cursor: Cursor(["\($0.integer(13))", "\($0.integer(0))"]), entry: Self.entry($0)) }
        let items = found.prefix(limit)
        return Page(
            items: items.compactMap(\.entry),
            next: found.count > limit ? items.last?.cursor.text : nil)
    }

    /// Removes entries by their ids, and returns their number.
    @discardableResult
    package func removeHistory(_ ids: [Int64]) throws(StoreError) -> Int {
        try atomically { (connection) throws(StoreError) in
            var count = 0
            for id in ids {
                try connection.run("DELETE FROM history WHERE id = ?", [.integer(id)])
                count += connection.changedRows
            }
            return count
        }
    }

    /// Removes the entries that match a filter, and returns their number.
    @discardableResult
    package func clearHistory(_ filter: HistoryFilter = HistoryFilter()) throws(StoreError) -> Int {
        let query = try conditions(of: filter)
        return try atomically { (connection) throws(StoreError) in
            try connection.run("DELETE FROM history" + query.conditions, query.values)
            return connection.changedRows
        }
    }

    /// Removes entries that ended before a time, and the oldest ones in excess of a number. Returns
    /// their number.
    ///
    /// - Parameter atOnce: Removes all that are too old; otherwise at most an eighth of all
    ///   entries, but at least one, so that a wrong clock does not remove everything.
    @discardableResult
    package func trimHistory(
        beforeMS: Int64? = nil, atOnce: Bool = true, countMax: Int? = nil
    ) throws(StoreError) -> Int {
        try atomically { (connection) throws(StoreError) in
            var count = 0
            if let beforeMS {
                try connection.run(
                    """
                    DELETE FROM history WHERE id IN (SELECT id FROM history WHERE ended_at < ?
                        ORDER BY ended_at, id LIMIT ?)
                    """,
                    [.integer(beforeMS), .integer(atOnce ? -1 : try oneOfEight(connection))])
                count += connection.changedRows
            }
            if let countMax {
                // Uses the order of the records, not of their times, so that a wrong clock does not
                // matter.
                try connection.run(
                    """
                    DELETE FROM history WHERE id <= (SELECT id FROM history
                        ORDER BY id DESC LIMIT 1 OFFSET ?)
                    """, [.integer(max(0, countMax))])
                count += connection.changedRows
            }
            return count
        }
    }

    private func oneOfEight(_ connection: Connection) throws(StoreError) -> Int {
        let all = try connection.first("SELECT count(*) FROM history") { Int($0.integer(0)) }
        return max(1, (all ?? 0) / 8)
    }

    /// Returns the number of missed calls that the user has not seen, for a badge.
    package func missedUnseen() throws(StoreError) -> Int {
        try database().first(Self.missedUnseen) { Int($0.integer(0)) } ?? 0
    }

    /// Marks missed calls that ended by a time as seen, and returns their number.
    @discardableResult
    package func markSeen(untilMS: Int64 = .max) throws(StoreError) -> Int {
        try atomically { (connection) throws(StoreError) in
            try connection.run(
                "UPDATE history SET seen = 1 WHERE missed != 0 AND seen = 0 AND ended_at <= ?",
                [.integer(untilMS)])
            return connection.changedRows
        }
    }

    // MARK: statements

    static let missedUnseen =
        "SELECT count(*) FROM history WHERE missed != 0 AND seen = 0 AND recent = 1"

    static func historyList(_ conditions: String) -> String {
        historyColumns + conditions + " ORDER BY ended_at DESC, id DESC LIMIT ?"
    }

    /// Returns the condition of a filter. There are few combinations, so the statements can be
    /// cached.
    func conditions(
        of filter: HistoryFilter
    ) throws(StoreError) -> (conditions: String, values: [Field]) {
        var conditions = " WHERE 1"
        var values: [Field] = []
        if !filter.includesHidden { conditions += " AND recent = 1" }
        if let id = filter.id {
            conditions += " AND id = ?"
            values.append(.integer(id))
        }
        if filter.missed { conditions += " AND missed != 0" }
        if let provider = filter.provider {
            conditions += " AND provider = ?"
            values.append(.text(provider.name))
        }
        if let handle = filter.handle {
            conditions += " AND kind IN (?, ?, ?) AND key = ?"
            let key = HandleKey(handle, region: try region)
            values += key.fields(besides: handle.kind) + [.text(key.text)]
        }
        if let since = filter.sinceMS {
            conditions += " AND ended_at >= ?"
            values.append(.integer(since))
        }
        return (conditions, values)
    }

    private static let historyColumns = """
        SELECT id, call, provider, provider_name, direction, kind, value, name, label, label_source,
        video, started_at, connected_at, ended_at, reason, origin, rule, missed, filtered_by, recent,
        seen, failure_code, failure_reason, failure_message, detail_reason, detail_text, detail_code,
        line, line_label, forwarded_kind, forwarded_value, verification, external_id,
        elsewhere FROM history
        """

    private static func fields(_ entry: HistoryRecord, key: String?) -> [Field] {
        [
            .text(entry.call.description), .text(entry.provider.name), .text(entry.providerName),
            .text(entry.direction.rawValue), .optional(entry.remote?.kind.name),
            .optional(entry.remote?.value), .optional(key), .optional(entry.name),
            .optional(entry.label), .optional(entry.labelSource), .flag(entry.hasVideo),
            .integer(entry.startedAtMS), .optional(entry.connectedAtMS),
            .integer(entry.endedAtMS), .text(entry.reason.rawValue), .text(entry.origin.rawValue),
            .optional(entry.rule?.rawValue), .integer(Int64(entry.missedReasons.rawValue)),
            .optional(entry.filteredBy), .flag(entry.isRecent), .flag(entry.isSeen),
            .optional(entry.failure?.code), .optional(entry.failure?.reason),
            .optional(entry.failure?.message), .optional(entry.detail?.reason?.rawValue),
            .optional(entry.detail?.text), .optional(entry.detail?.code),
            .optional(entry.line), .optional(entry.lineLabel),
            .optional(entry.forwardedFrom?.kind.name), .optional(entry.forwardedFrom?.value),
            .text(entry.verification.rawValue), .optional(entry.externalID),
            .optional(entry.elsewhere),
        ]
    }

    /// Returns an entry; nil if a later release wrote it with words unknown to this one.
    private static func entry(_ row: Row) -> HistoryRecord? {
        guard let call = UUIDBits(row.text(1)), let direction = Direction(rawValue: row.text(4)),
            let reason = EndReason(rawValue: row.text(14)),
            let origin = Origin(rawValue: row.text(15))
        else { return nil }
        var entry = HistoryRecord(
            call: CallID(call), provider: ProviderID(row.text(2)), providerName: row.text(3),
            direction: direction,
            remote: row.optionalText(5).map {
                Handle(kind: Handle.Kind(name: $0), value: row.text(6))
            }, startedAtMS: row.integer(11), endedAtMS: row.integer(13), reason: reason,
            origin: origin)
        entry.id = row.integer(0)
        entry.name = row.optionalText(7)
        entry.label = row.optionalText(8)
        entry.labelSource = row.optionalText(9)
        entry.hasVideo = row.flag(10)
        entry.connectedAtMS = row.optionalInteger(12)
        entry.rule = row.optionalText(16).flatMap { Rule(rawValue: $0) }
        entry.missedReasons = MissedReasons(rawValue: UInt16(truncatingIfNeeded: row.integer(17)))
        entry.filteredBy = row.optionalText(18)
        entry.isRecent = row.flag(19)
        entry.isSeen = row.flag(20)
        if let code = row.optionalInteger(21) {
            entry.failure = HistoryRecord.Failure(
                code: code, reason: row.text(22), message: row.optionalText(23))
        }
        readWords(row, into: &entry)
        return entry
    }

    /// Reads what the app and its network said of a call.
    private static func readWords(_ row: Row, into entry: inout HistoryRecord) {
        let detail = EndDetail(
            row.optionalText(24).map(EndDetail.Reason.init(rawValue:)), text: row.optionalText(25),
            code: row.optionalText(26))
        entry.detail = detail.isEmpty ? nil : detail
        entry.line = row.optionalText(27)
        entry.lineLabel = row.optionalText(28)
        entry.forwardedFrom = row.optionalText(29).map {
            Handle(kind: Handle.Kind(name: $0), value: row.text(30))
        }
        entry.verification =
            row.optionalText(31).flatMap(Verification.init(rawValue:)) ?? .unverified
        entry.externalID = row.optionalText(32)
        entry.elsewhere = row.optionalText(33)
    }
}
