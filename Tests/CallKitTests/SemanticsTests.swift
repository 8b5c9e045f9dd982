import Testing

/// What apps may rely on, with a real broker. One after the other: a process has one broker.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SemanticsTests {}
