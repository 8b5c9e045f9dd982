internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

extension QuestionAnswer: ExpressibleByArgument {}

/// `callbroker question`: what new apps would like to be allowed.
struct QuestionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "question", abstract: "Answer what apps would like to be allowed.",
        subcommands: [Show.self, Answer.self], defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "List the questions that are not answered.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            try session.showList(.listQuestions, "questions") { questions in
                guard !questions.isEmpty else { return Messages.emptyQuestions }
                return TextTable(
                    [
                        .plain(Messages.headingQuestion), .text(Messages.headingApp),
                        .text(Messages.headingProgram), .text(Messages.headingSandbox),
                        .text(Messages.headingWhat),
                    ],
                    questions.map(Self.row)
                ).description
            }
        }

        private static func row(_ question: JSONValue) -> [String] {
            [
                question["question"]?.integer.map(String.init) ?? "",
                question["provider"]?.string?.printable ?? "",
                question["executable"]?.string?.printable ?? "",
                [question["sandbox"]?.string, question["app"]?.string?.printable]
                    .compactMap(\.self).joined(separator: " "),
                question["subject"]?.string.map(words) ?? "",
            ]
        }

        private static func words(for subject: String) -> String {
            switch QuestionSubject(rawValue: subject) {
            case .calls: Messages.questionCalls
            case .outgoingEmergencies: Messages.questionOutgoingEmergencies
            case .incomingEmergencies: Messages.questionIncomingEmergencies
            case nil: subject.printable
            }
        }
    }

    struct Answer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "answer",
            abstract: "Answer a question.",
            discussion: """
                The policy keeps the answer: callbroker policy set changes it later. After "later" \
                the question is not asked for ten minutes.
                """)

        @Argument(help: "The number of the question.") var question: Int
        @Argument(help: "allow, deny or later.") var answer: QuestionAnswer
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            let reply = try session.request(.answerQuestion) { writer in
                writer.member("question", question)
                writer.member("answer", answer.rawValue)
            }
            session.show(reply) { _ in Messages.questionAnswered }
        }
    }
}
