package import BrokerJSON

/// A request about the questions that the user has not answered.
package enum QuestionRequest {
    case list
    case answer(AnswerQuestionParams)
}

/// The params of `question.answer`.
package struct AnswerQuestionParams: MethodParams {
    /// The number of the question.
    package let question: Int
    package let answer: QuestionAnswer

    package init(checked params: JSONValue?) throws(SchemaFault) {
        question = try params.required("question") { $0?.int }
        answer = try params.required("answer") {
            $0?.string.flatMap(QuestionAnswer.init(rawValue:))
        }
    }
}
