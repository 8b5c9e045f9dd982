internal import ArgumentParser
internal import CallProtocol

/// `callbroker rules`: the rules of calls, without a broker.
struct Rules: ParsableCommand {
    private static let width = 100

    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Print the rules by which the broker decides, or one of them in full.",
        discussion: "Needs no broker. \"callbroker explain\" names the rules by their numbers.")

    @Argument(help: "The numbers of rules, such as 5a. Default: a list of all.")
    var numbers: [String] = []

    @Flag(name: .customLong("no-pager"), help: "Show the text on a terminal without a pager.")
    var noPager = false

    func run() throws {
        let rules = try numbers.map(Self.rule)
        let width = min(Terminal.size?.columns ?? Self.width, Self.width)
        let text =
            rules.isEmpty
            ? TextTable(
                ["RULE", .text("SITUATION"), .text("WHAT HAPPENS")],
                RuleText.all.map { [$0.number, $0.title, $0.sentence] }
            ).description
            : rules.map { $0.page(width: width) }.joined(separator: "\n\n")
        if noPager || !Pager.show(text) { StandardOutput.line(text) }
    }

    private static func rule(_ number: String) throws(ToolFailure) -> RuleText {
        guard let rule = RuleText.find(number) else {
            throw ToolFailure(.usage, Messages.explainNoRule(number: number.printable))
        }
        return rule
    }
}
