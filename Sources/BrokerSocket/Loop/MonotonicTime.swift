internal import CLinux
internal import Glibc

/// A point in time on the host's monotonic clock, which never jumps, and stops while the host
/// sleeps. Only differences are meaningful.
public struct MonotonicTime: Comparable, Hashable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let zero = MonotonicTime(nanoseconds: 0)
    /// A deadline that never passes.
    package static let never = MonotonicTime(nanoseconds: .max)

    package var milliseconds: Int64 {
        nanoseconds / 1_000_000
    }

    package static func now() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the time since the boot, which also passes while the host sleeps.
    package static func sinceBoot() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the CPU time of the calling thread, as the time since its beginning. Load on the
    /// machine does not change it.
    package static func ofThread() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package func advanced(milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + Int64(milliseconds) * 1_000_000)
    }

    /// Compares the nanoseconds.
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

/// The host's other clocks relative to its monotonic one, as a test sets them.
package struct HostClocks: Sendable {
    /// The time by which the wall clock was set forward.
    package var wallAheadMS: Int64 = 0
    /// The time for which the host was suspended.
    package var asleepMS: Int64 = 0
    /// The kernel considers the wall clock synchronized.
    package var isSynchronised = true

    package init() {}
}

/// A source of time: the host, or a test that moves it by hand.
package enum LoopClock: Sendable {
    /// The host's clocks.
    case monotonic
    /// A clock that stands still until it is replaced.
    case manual(MonotonicTime)
    /// A manual clock on a host whose other clocks differ from it.
    case staged(MonotonicTime, HostClocks)
    /// The host's clock, ahead by that many nanoseconds.
    case shifted(Int64)

    /// The Unix time at which every manual clock begins, in milliseconds: 2026-01-01.
    private static let manualStartMS: Int64 = 1_767_225_600_000

    package var now: MonotonicTime {
        switch self {
        case .monotonic: .now()
        case .manual(let time), .staged(let time, _): time
        case .shifted(let ahead):
            MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds + ahead)
        }
    }

    /// A clock with the same time that runs on its own.
    package var running: LoopClock {
        switch self {
        case .monotonic, .shifted: self
        case .manual(let time), .staged(let time, _):
            .shifted(time.nanoseconds - MonotonicTime.now().nanoseconds)
        }
    }

    /// Unix time in milliseconds, for display. It may jump, so deadlines never use it.
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

    /// The time for which the host has been suspended since it booted, in milliseconds. The
    /// monotonic clock does not count it.
    package var asleepMS: Int64 {
        if case .staged(_, let host) = self { return host.asleepMS }
        guard case .monotonic = self else { return 0 }
        return max(0, MonotonicTime.sinceBoot().milliseconds - MonotonicTime.now().milliseconds)
    }

    /// Indicates that the kernel considers the wall clock synchronized, as by NTP. Setting it by
    /// hand ends that.
    package var isSynchronised: Bool {
        if case .staged(_, let host) = self { return host.isSynchronised }
        guard case .monotonic = self else { return true }
        return linux_clock_is_synchronised()
    }

    /// Returns the time until `deadline`, rounded up so that it has passed after the wait. Nil
    /// where waiting does not help: a manual clock moves only by hand.
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
