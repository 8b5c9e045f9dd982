package import CallModel

/// A line that the user types.
package struct Prompt: Equatable, Sendable {
    package enum Purpose: Equatable, Sendable {
        case transfer(CallID)
        case deflect(CallID)
        /// Tones, which are sent while they are typed.
        case tones(CallID)
        /// Real-time text, which is sent while it is typed.
        case conversation(CallID)
        case block
        case contactName
        case contactAddress(name: String)
        /// A period of do-not-disturb.
        case period
        case forward(LineChoice, LineSetting.Kind)
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

    /// Indicates whether what both sides have typed is shown.
    package var isConversation: Bool {
        if case .conversation = purpose { true } else { false }
    }

    /// The call that the line is about.
    var call: CallID? {
        switch purpose {
        case .transfer(let call), .deflect(let call), .tones(let call), .conversation(let call):
            call
        default: nil
        }
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
