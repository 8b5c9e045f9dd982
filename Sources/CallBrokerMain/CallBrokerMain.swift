internal import CallBrokerTool

/// The executable. All it has is in a library, where tests and fuzzers reach it.
@main
enum CallBrokerMain {
    static func main() {
        CallBrokerTool.main()
    }
}
