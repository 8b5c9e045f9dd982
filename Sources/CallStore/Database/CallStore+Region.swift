internal import CallModel

/// The region of the user's phone numbers.
extension CallStore {
    /// The country of numbers without a country code, as two letters such as `DE`. If nil, only
    /// numbers with a country code are recognized as equal.
    package var region: String? {
        get throws(StoreError) {
            if let knownRegion { return knownRegion }
            let region = try database().first(
                "SELECT text FROM document WHERE key = 'region'"
            ) { $0.text(0) }
            knownRegion = region
            return region
        }
    }

    /// Sets the region, and recomputes which contacts, blocks and history entries are equal.
    package func setRegion(_ region: String?) throws(StoreError) {
        guard region != (try self.region) else { return }
        if let region, !PhoneNumber.isKnown(region: region) {
            throw StoreError(
                .invalid, "the region must be a two-letter country code such as DE or US")
        }
        try atomically { (connection) throws(StoreError) in
            try connection.run("DELETE FROM document WHERE key = 'region'")
            if let region {
                try connection.run("INSERT INTO document VALUES ('region', ?)", [.text(region)])
            }
            knownRegion = region
            try recomputeKeys(in: connection, region: region)
        }
    }

    private func recomputeKeys(in connection: Connection, region: String?) throws(StoreError) {
        for table in ["contact_handle", "history"] {
            let known = try connection.rows(
                "SELECT DISTINCT kind, value FROM \(table) WHERE kind != 'email'"
            ) { Handle(kind: Handle.Kind(name: $0.text(0)), value: $0.text(1)) }
            for handle in known {
                try connection.run(
                    "UPDATE \(table) SET key = ? WHERE kind = ? AND value = ?",
                    [
                        .text(HandleKey(handle, region: region).text), .text(handle.kind.name),
                        .text(handle.value),
                    ])
            }
        }
        try recomputeBlockKeys(in: connection, region: region)
    }

    /// The version of the keys' format: a file has keys of the release that wrote it.
    private static let keyForm = "2"

    /// Recomputes the keys of a file that an older release wrote.
    func upgradeKeys() throws(StoreError) {
        let form = try database().first(
            "SELECT text FROM document WHERE key = 'key_form'"
        ) { $0.text(0) }
        guard form != Self.keyForm else { return }
        try atomically { (connection) throws(StoreError) in
            try recomputeKeys(in: connection, region: try region)
            try connection.run(
                "INSERT OR REPLACE INTO document VALUES ('key_form', ?)", [.text(Self.keyForm)])
        }
    }
}

extension HandleKey {
    /// Returns the values for `kind IN (?, ?, ?)`.
    func fields(besides own: Handle.Kind) -> [Field] {
        kinds(besides: own).map { .text($0.name) }
    }
}
