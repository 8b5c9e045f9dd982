internal import CFuzzMain

/// The target that the inputs are for. libFuzzer has one thread.
nonisolated(unsafe) private var chosen = FuzzTarget.wire

/// Called before the first input of a target.
@_cdecl("fuzz_choose")
public func fuzzChoose(_ name: UnsafePointer<CChar>) -> Int32 {
    guard let target = FuzzTarget(rawValue: String(cString: name)) else { return 0 }
    chosen = target
    return 1
}

/// One input. A finding stops the program, as a trap in a reader does: libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do throws(Finding) {
        try chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(chosen.rawValue): \(error.words)")
    }
    return 0
}
