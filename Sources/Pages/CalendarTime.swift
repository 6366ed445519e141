import OcellusPlatform

/// A time in the Gregorian calendar, in UTC.
struct CalendarTime {
  let year: Int
  /// From 1, January, to 12.
  let month: Int
  let day: Int
  private let hour: Int
  private let minute: Int

  /// The seconds since the beginning of 1970.
  static var secondsNow: Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int(now.tv_sec)
  }

  /// Creates a time from the seconds since the beginning of 1970.
  init(seconds: Int) {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    (hour, minute) = (Int(parts.tm_hour), Int(parts.tm_min))
  }

  /// The English name of the month.
  var monthName: String {
    [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ][month - 1]
  }

  /// The hour and the minute, such as `09:05`.
  var clock: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}
