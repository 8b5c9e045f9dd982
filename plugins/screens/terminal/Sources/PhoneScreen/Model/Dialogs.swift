package import CallModel

/// A line that the user types.
package struct Prompt: Equatable, Sendable {
    package enum Purpose: Equatable, Sendable {
        case transfer(CallID)
        case deflect(CallID)
        /// Tones, which are sent while they are typed.
        case tones(CallID)
        case block
        case contactName
        case contactAddress(name: String)
    }

    package var purpose: Purpose
    package var text = ""

    package init(_ purpose: Purpose) {
        self.purpose = purpose
    }

    /// Indicates whether the keypad is shown.
    package var isKeypad: Bool {
        if case .tones = purpose { true } else { false }
    }
}

/// A choice of the user.
package struct Menu: Equatable, Sendable {
    package struct Item: Equatable, Sendable {
        package var label: String
        package var command: Command

        package init(_ label: String, _ command: Command) {
            (self.label, self.command) = (label, command)
        }
    }

    package var title: String
    package var items: [Item]
    package var selected = 0

    package init(_ title: String, _ items: [Item]) {
        (self.title, self.items) = (title, items)
    }
}

/// Lines to read: help, why something happened, what would happen.
package struct Page: Equatable, Sendable {
    package var title: String
    package var lines: [String]
    package var first = 0

    package init(_ title: String, _ lines: [String]) {
        (self.title, self.lines) = (title, lines)
    }
}
