internal import BrokerRPC

/// The methods of questions to the user about apps.
extension MethodTable {
    static let questionRows = [ask, listQuestions, answerQuestion]

    /// The time in which the user has to answer, in milliseconds.
    package static let askMS = 300_000
    /// The greatest number of questions at a time.
    package static let questionsMax = 16

    private static let text = Schema.string(bytes: 1...4_096)

    private static let question: [Member] = [
        .required("question", .count, "the number of the question"),
        .required(
            "subject", .words(QuestionSubject.self, isOpen: true),
            "what the app is to be allowed: to have calls, or to mark them as emergencies"),
        .required("provider", .identity, "the app"),
        .optional("display_name", text, "the name by which the app has registered"),
        .optional("sandbox", text, "the sandbox of its program, as in connection.list"),
        .optional("executable", text, "the path of its program"),
        .optional("app", text, "the id of its Flatpak, or the name of its snap"),
        .optional("unit", text, "the service or scope of systemd that it runs in"),
    ]

    private static let example = """
        "question":1,"subject":"calls","provider":"\(Sample.provider)","display_name":"Phone",\
        "sandbox":"none","executable":"/usr/bin/phone"
        """

    private static let answer = Member.required(
        "answer", .words(QuestionAnswer.self),
        "`later` decides nothing, like an error, and no answer in time")

    private static let ask = Method(
        name: .ask, direction: .toClient,
        form: .request(result: [answer], deadlineMS: askMS),
        roles: .ui,
        summary: "Asks the user whether an app may do something",
        details: """
            Sent to the first screen with the feature `ask`, in the order of their claims. The names \
            and paths are from the app and from the kernel. A question that is answered elsewhere, or \
            is over, is cancelled with broker.cancel; if the screen leaves, the next one is asked.
            """,
        params: question + [
            .required(
                "deadline_ms", .integer(1...600_000), "the deadline of the reply, from now")
        ],
        errors: [.brokerError],
        examples: [
            Method.Example(
                "a new app", params: "{\(example),\"deadline_ms\":300000}",
                result: #"{"answer":"allow"}"#)
        ])

    private static let listQuestions = Method(
        name: .listQuestions, direction: .toBroker(.bare(.question(.list))),
        form: .request(
            result: [
                .required(
                    "questions", .array(.object(question), count: 0...questionsMax),
                    "oldest first")
            ], deadlineMS: 5_000),
        roles: .admin,
        summary: "Lists the questions about apps that the user has not answered",
        details: "With or without a screen that asks them.",
        errors: [.permissionDenied],
        examples: [
            Method.Example("one", params: "{}", result: "{\"questions\":[{\(example)}]}")
        ])

    private static let answerQuestion = Method(
        name: .answerQuestion, direction: .toBroker(.request { .question(.answer($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000),
        roles: .admin,
        summary: "Answers a question about an app",
        details: """
            `allow` and `deny` change the policy: `authorization` or `emergency.claims` of the app.
            """,
        params: [.required("question", .count, "its number"), answer],
        errors: [.permissionDenied, .invalidParams, .notFound],
        examples: [
            Method.Example(
                "the app may have calls", params: #"{"question":1,"answer":"allow"}"#,
                result: Sample.seq)
        ])
}
