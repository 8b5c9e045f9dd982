package import CallModel

/// Permissions of providers, and texts that somebody else knows how to read.
extension CallStore {
    /// Nil: not determined.
    package func authorization(of provider: ProviderID) throws(StoreError) -> Authorization? {
        try database().first(
            "SELECT status FROM authorization WHERE provider = ?", [.text(provider.name)]
        ) { Authorization(rawValue: $0.text(0)) } ?? nil
    }

    package func setAuthorization(
        _ authorization: Authorization?, for provider: ProviderID
    ) throws(StoreError) {
        try atomically { (connection) throws(StoreError) in
            guard let authorization else {
                return try connection.run(
                    "DELETE FROM authorization WHERE provider = ?", [.text(provider.name)])
            }
            try connection.run(
                "INSERT INTO authorization VALUES (?, ?) "
                    + "ON CONFLICT DO UPDATE SET status = excluded.status",
                [.text(provider.name), .text(authorization.rawValue)])
        }
    }

    /// By name.
    package func authorizations() throws(StoreError) -> [ProviderAuthorization] {
        try database().rows("SELECT provider, status FROM authorization ORDER BY provider") { row in
            Authorization(rawValue: row.text(1)).map {
                ProviderAuthorization(ProviderID(row.text(0)), $0)
            }
        }.compactMap(\.self)
    }

    package func document(_ key: String) throws(StoreError) -> String? {
        try database().first("SELECT text FROM document WHERE key = ?", [.text(key)]) { $0.text(0) }
    }

    /// Nil removes it.
    package func setDocument(_ text: String?, for key: String) throws(StoreError) {
        try atomically { (connection) throws(StoreError) in
            guard let text else {
                return try connection.run("DELETE FROM document WHERE key = ?", [.text(key)])
            }
            try connection.run(
                "INSERT INTO document VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
                [.text(key), .text(text)])
        }
    }
}
