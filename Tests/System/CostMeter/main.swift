internal import CCallgrind
internal import CallBroker

/// Plays every method, and the life of a connection, beside growing crowds, and lets callgrind count
/// the instructions: `Tests/System/Costs/costs.py` runs it and judges.
///
///     CostMeter N TIMES METHODS all|CROWD ...
///
/// METHODS is how the names of the methods begin that are of interest; `all` is everybody at once.
func run(
    _ crowds: [Crowd], named name: String, _ count: Int, times: Int, _ methods: String
) throws {
    let host = try Host(Host.configuration())
    let cast = Cast(host)
    var numbering = Numbering()
    for crowd in crowds { crowd.gather(count, at: host, &numbering) }
    cast.forget()
    var probes = Probes(
        host: host, cast: cast, meter: Meter(crowd: name, count: count), times: times,
        methods: methods, numbering: numbering, tell: { print("\(name) \(count) \($0)") })
    callgrind_count(true)
    plant(name, count, times, probes.meter)
    probes.callMethods()
    probes.liveOn()
    probes.settleAll()
    callgrind_count(false)
}

/// A walk over all there are, which whoever judges has to notice; and one that is as it should be.
func plant(_ name: String, _ count: Int, _ times: Int, _ meter: Meter) {
    let crowd = Array(0..<count)
    for _ in 0..<times {
        meter.measure("planted walk") { _ = crowd.contains(-1) }
        meter.measure("planted search") { _ = crowd[count / 2] }
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count > 3, let count = Int(arguments[1]), let times = Int(arguments[2]) else {
    print("usage: CostMeter N TIMES METHODS all|CROWD ...")
    fatalError("what is to be measured?")
}
for name in arguments.dropFirst(3) {
    let crowds = name == "all" ? Crowd.allCases : [Crowd(rawValue: name)].compactMap(\.self)
    for count in [count, 2 * count, 4 * count] {
        try run(crowds, named: name, count, times: times, arguments[3])
    }
}
