package import CallClient
package import CallModel

/// A past call.
package struct PastRow: Equatable, Sendable {
    package var id: Int64
    package var app: ProviderID
    package var name: String?
    package var remote: Handle?
    package var isIncoming = true
    package var isMissed = false
    package var isSeen = true
    package var missedReasons: [String] = []
    package var atMS: Int64 = 0
    package var durationMS: Int64 = 0

    package init(_ id: Int64, _ app: ProviderID) {
        (self.id, self.app) = (id, app)
    }

    package init(_ entry: CallHistoryEntry) {
        self.init(entry.id, entry.provider)
        (name, remote) = (entry.name, entry.remote)
        isIncoming = entry.direction == .incoming
        missedReasons = entry.missedReasons.names
        isMissed = !missedReasons.isEmpty
        (isSeen, atMS, durationMS) = (entry.isSeen, entry.startedAtMS, entry.durationMS)
    }
}

/// An entry of the block list.
package struct BlockRow: Equatable, Sendable {
    package var who: CallBlock.Who
    package var reason: String?

    package init(_ who: CallBlock.Who, _ reason: String? = nil) {
        (self.who, self.reason) = (who, reason)
    }
}

/// A plugin.
package struct PluginRow: Equatable, Sendable {
    package var id: String
    package var name: String
    package var state: String
    package var about: String

    package init(_ id: String, _ name: String, _ state: String, about: String) {
        (self.id, self.name, self.state, self.about) = (id, name, state, about)
    }
}

/// What an app asks the user.
package struct Question: Equatable, Sendable {
    package var subject: String
    package var app: ProviderID
    package var name: String?
    package var program: String?

    package init(subject: String, app: ProviderID, name: String?, program: String?) {
        (self.subject, self.app, self.name, self.program) = (subject, app, name, program)
    }
}

extension Handle {
    /// Makes an address of what a user has typed: a link, a number, or a name.
    package init(typed text: String) {
        let address = text.filter { !$0.isWhitespace }
        let isNumber = address.isNumber
        if address.hasPrefix("tel:") {
            self.init(kind: .phone, value: String(address.dropFirst(4)))
        } else if address.contains("@"), !address.contains(":") {
            self.init(kind: .email, value: address)
        } else {
            self.init(kind: isNumber ? .phone : .generic, value: address)
        }
    }

    /// The address as a link, to dial.
    package var link: String {
        switch kind {
        // A semicolon begins a parameter of a link; w is the same pause.
        case .phone where !value.contains(":"):
            "tel:" + String(value.map { $0 == ";" ? "w" : $0 })
        case .email where !value.contains(":"): "mailto:" + value
        default: value
        }
    }
}

extension String {
    /// Indicates whether the text has digits and what stands between, before and after them alone:
    /// after the number tones may follow, behind a pause.
    var isNumber: Bool {
        let number = prefix { !",;pw".contains($0) }
        return number.contains { ("0"..."9").contains($0) }
            && number.allSatisfy { ("0"..."9").contains($0) || "+*#-()./ ".contains($0) }
            && dropFirst(number.count).allSatisfy { "0123456789ABCD*#,;pw ".contains($0) }
    }
}
