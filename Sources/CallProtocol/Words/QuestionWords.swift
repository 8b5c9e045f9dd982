/// What the user is asked to allow an app.
package enum QuestionSubject: String, CaseIterable, Sendable {
    /// To have calls.
    case calls
    /// That calls which it starts are emergencies where it says so.
    case outgoingEmergencies = "outgoing_emergencies"
    /// That calls which it reports are emergencies where it says so.
    case incomingEmergencies = "incoming_emergencies"
}

/// The user's answer to a question about an app.
package enum QuestionAnswer: String, CaseIterable, Sendable {
    case allow
    case deny
    /// No decision, as if nobody had answered.
    case later
}
