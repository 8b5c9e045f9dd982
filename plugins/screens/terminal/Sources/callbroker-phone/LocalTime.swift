internal import Glibc

/// Times in the time zone of the user.
enum LocalTime {
    static var nowMS: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Returns the time of the day if it is today's, else the date with it.
    static func words(_ atMS: Int64, nowMS: Int64) -> String {
        let (then, now) = (fields(atMS), fields(nowMS))
        let isToday = then.tm_year == now.tm_year && then.tm_yday == now.tm_yday
        return text(then, isToday ? "%H:%M:%S" : "%F %H:%M")
    }

    private static func fields(_ atMS: Int64) -> tm {
        var (seconds, fields) = (time_t(atMS / 1_000), tm())
        localtime_r(&seconds, &fields)
        return fields
    }

    private static func text(_ fields: tm, _ format: String) -> String {
        var (fields, bytes) = (fields, [CChar](repeating: 0, count: 64))
        let count = strftime(&bytes, bytes.count, format, &fields)
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
