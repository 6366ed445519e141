import OcellusPlatform

/// Which version of the program made a page, and when.
struct PageOrigin {
  private let version: String
  private let time: CalendarTime

  /// A page made by this program at a time.
  init(seconds: Int) {
    version = Release.version
    time = CalendarTime(seconds: seconds)
  }

  /// The origin of a page that is made now, or at the time that `SOURCE_DATE_EPOCH` states.
  ///
  /// With that variable, as reproducible builds set it, equal contents make equal pages.
  static var current: PageOrigin {
    let stated = ProcessEnvironment.value(of: "SOURCE_DATE_EPOCH").flatMap { Int($0) }
    // Later years would have more than four digits.
    let representable = 0...253_402_300_799
    if let stated, representable.contains(stated) { return PageOrigin(seconds: stated) }
    return PageOrigin(seconds: CalendarTime.secondsNow)
  }

  /// A sentence for readers.
  var text: String {
    "Made by Ocellus \(version) on \(time.day) \(time.monthName) \(time.year), \(time.clock) UTC."
  }
}
