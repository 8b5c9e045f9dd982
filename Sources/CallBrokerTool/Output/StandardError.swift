internal import BrokerSocket

/// Standard error, which is for people in every case.
enum StandardError {
    static func write(_ text: String) {
        HostProcess.writeToStandardError(TerminalText.safe(text))
    }
}
