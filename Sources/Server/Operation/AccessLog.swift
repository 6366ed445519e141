import OcellusJSON
import OcellusPlatform

/// The log of requests, a line for each.
package final class AccessLog: Sendable {
  /// The form of the lines.
  package enum Form: String, CaseIterable, Sendable {
    case text
    case json
  }

  private let form: Form
  private let write: @Sendable (String) -> Void

  /// Makes a log whose lines, which end with a line break, are given to `write`.
  package init(_ form: Form, write: @escaping @Sendable (String) -> Void) {
    self.form = form
    self.write = write
  }

  func write(_ record: HTTPRecord) {
    write(line(about: record, at: Self.now()) + "\n")
  }

  /// Returns the line about a request that ended at a time in words.
  func line(about record: HTTPRecord, at time: String) -> String {
    let milliseconds = (record.seconds * 1e5).rounded() / 100
    // A path comes from a stranger, so it must not begin a new line or control a terminal.
    let path = String(record.path.prefix(500)).printableInLine
    switch form {
    case .text:
      let status = record.status == 0 ? "left" : "\(record.status)"
      return
        "\(time) \(record.client) \(record.method.printableInLine) \(path) \(status) "
        + "\(record.answerBytes) bytes \(milliseconds) ms"
    case .json:
      let value: JSONValue = [
        "time": .string(time), "client": .string(record.client), "method": .string(record.method),
        "path": .string(path), "status": .integer(record.status),
        "bytes": .integer(record.answerBytes), "milliseconds": .number(milliseconds),
      ]
      return value.printableText
    }
  }

  /// The time in UTC, as `2026-01-31T12:00:00Z`.
  private static func now() -> String {
    var (seconds, parts) = (time(nil), tm())
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }
}
