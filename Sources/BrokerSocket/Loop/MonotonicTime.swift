internal import CLinux
internal import Glibc

/// An instant on the host's monotonic clock: it never jumps, and stands still while the host
/// sleeps. Only differences mean anything.
public struct MonotonicTime: Comparable, Hashable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let zero = MonotonicTime(nanoseconds: 0)
    /// A deadline that does not come.
    package static let never = MonotonicTime(nanoseconds: .max)

    package var milliseconds: Int64 {
        nanoseconds / 1_000_000
    }

    package static func now() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time that the calling thread has been running, as time since its beginning. A busy machine does not
    /// change it.
    package static func ofThread() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package func advanced(milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + Int64(milliseconds) * 1_000_000)
    }

    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

/// What a host has beside its monotonic clock, as a test has it.
package struct HostClocks: Sendable {
    /// The wall clock was set forward by so much.
    package var wallAheadMS: Int64 = 0
    package var asleepMS: Int64 = 0
    /// The kernel vouches for the wall clock.
    package var isSynchronised = true

    package init() {}
}

/// Where the time comes from: the host, or a test that moves it by hand.
package enum LoopClock: Sendable {
    case monotonic
    case manual(MonotonicTime)
    /// The same, on a host whose other clocks do not go with it.
    case staged(MonotonicTime, HostClocks)
    /// Runs as the host's does, so many nanoseconds ahead of it.
    case shifted(Int64)

    /// The Unix time, in milliseconds, at which every manual clock begins: 2026-01-01.
    private static let manualStartMS: Int64 = 1_767_225_600_000

    package var now: MonotonicTime {
        switch self {
        case .monotonic: .now()
        case .manual(let time), .staged(let time, _): time
        case .shifted(let ahead):
            MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds + ahead)
        }
    }

    /// The same time, which goes by itself from now on.
    package var running: LoopClock {
        switch self {
        case .monotonic, .shifted: self
        case .manual(let time), .staged(let time, _):
            .shifted(time.nanoseconds - MonotonicTime.now().nanoseconds)
        }
    }

    /// Unix time in milliseconds, for showing; it may jump, so nothing is ever due at it.
    package var unixMS: Int64 {
        switch self {
        case .monotonic:
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        case .manual, .shifted: return Self.manualStartMS + now.milliseconds
        case .staged(let time, let host):
            return Self.manualStartMS + time.milliseconds + host.wallAheadMS + host.asleepMS
        }
    }

    /// How long the host has slept since it was booted, in milliseconds. The monotonic clock stands
    /// meanwhile.
    package var asleepMS: Int64 {
        if case .staged(_, let host) = self { return host.asleepMS }
        guard case .monotonic = self else { return 0 }
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let running = Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        return max(0, running - MonotonicTime.now().milliseconds)
    }

    /// Whether the kernel vouches for the wall clock: somebody keeps it synchronised with others. Setting
    /// it by hand ends that.
    package var isSynchronised: Bool {
        if case .staged(_, let host) = self { return host.isSynchronised }
        guard case .monotonic = self else { return true }
        return linux_clock_is_synchronised()
    }

    /// How long to wait for `deadline`, rounded up so that it has passed when the wait is over. Nil
    /// where waiting does not help: a manual clock only moves when somebody moves it.
    func milliseconds(from now: MonotonicTime, until deadline: MonotonicTime) -> Int32? {
        let nanoseconds = deadline.nanoseconds - now.nanoseconds
        guard nanoseconds > 0 else { return 0 }
        switch self {
        case .manual, .staged: return nil
        case .monotonic, .shifted: break
        }
        return Int32(clamping: (nanoseconds - 1) / 1_000_000 + 1)
    }
}
