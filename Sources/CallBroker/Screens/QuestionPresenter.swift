internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallProtocol

/// The requests to screens to ask the user the open questions. Owns which screen asks which question;
/// the questions and their answers are ``AppQuestions``.
final class QuestionPresenter: BrokerPart {
    /// A request to a screen.
    private struct Asking {
        let screen: Peer
        let request: Int64
        let timer: BrokerTimers.Handle
    }

    /// The requests without a response, by the numbers of their questions.
    private var asked: [Int: Asking] = [:]

    /// Sends the questions that no screen asks to the first one that can.
    func present() {
        guard let screen = broker.screens.claimants.first(where: { $0.knows(.ask) }) else { return }
        for number in broker.questions.numbers where asked[number] == nil {
            let request = screen.outgoing.open(.ask(number))
            let timer = broker.timers.start(afterMS: MethodTable.askMS, .asking(number))
            asked[number] = Asking(screen: screen, request: request, timer: timer)
            broker.outbox.request(screen, request, "ui.ask") { writer in
                broker.questions.write(number, to: &writer)
                writer.member("deadline_ms", MethodTable.askMS)
            }
        }
    }

    /// Takes the questions back from a screen that has released its claim, or is gone.
    func release(from screen: Peer) {
        for number in asked.keys.sorted() where asked[number]?.screen === screen {
            withdraw(number)
        }
        present()
    }

    /// Applies the response of a screen.
    func complete(
        _ number: Int, _ id: Int64, _ outcome: Message.Outcome, by screen: Peer
    ) {
        guard let asking = asked[number], asking.screen === screen, asking.request == id else {
            return
        }
        asked[number] = nil
        broker.timers.cancel(asking.timer)
        broker.questions.settle(number, outcome.answer)
    }

    /// Handles the time-out of a question.
    func expire(_ number: Int) {
        broker.questions.settle(number, .later)
    }

    /// Takes a question back from the screen that asks it.
    func withdraw(_ number: Int) {
        guard let asking = asked.removeValue(forKey: number) else { return }
        broker.timers.cancel(asking.timer)
        guard asking.screen.stage == .ready else { return }
        broker.outbox.notify(asking.screen, "broker.cancel") {
            $0.member("request", asking.request)
        }
    }
}

extension Message.Outcome {
    /// The user's answer; an error or an unknown word is none.
    fileprivate var answer: QuestionAnswer {
        guard case .result(let result) = self else { return .later }
        return result["answer"]?.string.flatMap(QuestionAnswer.init(rawValue:)) ?? .later
    }
}
