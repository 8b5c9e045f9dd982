internal import CallClient
package import CallModel

/// A row below the dialer: a contact, or somebody from the history.
package struct Suggestion: Equatable, Sendable {
    package var name: String
    package var address: Handle
    /// The app to call with; nil leaves it to the broker.
    package var app: ProviderID?
    package var isFavorite = false
    /// The past call; nil for a contact.
    package var past: PastRow?
}

extension Phone {
    /// Those who may be meant by what is typed, favorites first, then contacts, then past calls.
    package var suggestions: [Suggestion] {
        let people = contacts.sorted { $0.isFavorite && !$1.isFavorite }.flatMap { contact in
            contact.handles.map { handle in
                Suggestion(
                    name: contact.name, address: handle, app: contact.provider,
                    isFavorite: contact.isFavorite)
            }
        }
        let past = history.compactMap { row in
            row.remote.map { remote in
                Suggestion(
                    name: row.name ?? remote.value, address: remote, app: row.app, past: row)
            }
        }
        let typed = dialed.lowercased()
        guard !typed.isEmpty else { return people + past }
        return (people + past).filter {
            $0.name.lowercased().contains(typed) || $0.address.value.lowercased().contains(typed)
        }
    }
}
