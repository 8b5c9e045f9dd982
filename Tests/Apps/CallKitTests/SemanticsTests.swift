import Testing

/// What apps may rely on, with a real broker. One after the other: a process has one broker.
///
/// The time limit is for what hangs. It counts while a test waits for its turn, and on a small
/// machine hundreds of others, which block the few threads that there are, may be before it.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SemanticsTests {}
