internal import CallStore

/// vCards: what was read is written in each version, and read as the same again.
enum VCardInput {
    static func check(
        _ bytes: [UInt8], written: (String) -> String = { $0 }
    ) throws(Finding) {
        guard let contacts = try? VCard.read(bytes) else { return }
        for version in VCard.Version.allCases {
            let text = written(VCard.text(of: contacts, version: version))
            let again: [Contact]
            do throws(VCardError) {
                again = try VCard.read(Array(text.utf8))
            } catch {
                throw Finding(words: "version \(version.rawValue) cannot be read: \(error)")
            }
            for (old, new) in zip(contacts, again) {
                try require(old == new, "version \(version.rawValue): \(old) became \(new)")
            }
            try require(contacts.count == again.count, "\(again.count) of \(contacts.count)")
        }
    }

    /// The planted defect of the target `canary`.
    static func withoutFavorites(_ text: String) -> String {
        text.split(separator: "\r\n").filter {
            !$0.hasPrefix("X-FAVORITE") && $0 != "CATEGORIES:Favorites"
        }
        .joined(separator: "\r\n")
    }
}
