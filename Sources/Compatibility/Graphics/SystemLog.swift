// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Foundation

/// The weight of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// The number of the weight.
  public let rawValue: UInt8

  /// Creates a weight from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What matters to whoever runs the program.
  public static let `default` = OSLogType(rawValue: 0)
  /// What helps to understand the rest.
  public static let info = OSLogType(rawValue: 1)
  /// What only its developers need, which is not written.
  public static let debug = OSLogType(rawValue: 2)
  /// Something failed.
  public static let error = OSLogType(rawValue: 16)
  /// The program is wrong.
  public static let fault = OSLogType(rawValue: 17)
}

/// The part of a program that messages come from.
public final class OSLog: Sendable {
  /// The program and its part; empty for `OSLog.default`.
  let source: String

  /// Creates a part of a program.
  public init(subsystem: String, category: String) { source = "\(subsystem): \(category): " }

  private init() { source = "" }

  /// The whole program.
  public static let `default` = OSLog()
}

/// Writes a message to standard error, unless it is for debugging.
///
/// `%@` and `%s` stand for any argument, other specifiers for numbers; `{public}` and the like have
/// no effect.
public func os_log(
  _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ arguments: Any...
) {
  write(message, log, type, arguments)
}

/// Writes a message to standard error, unless it is for debugging.
public func os_log(
  _ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ arguments: Any...
) {
  write(message, log, type, arguments)
}

private func write(_ message: StaticString, _ log: OSLog, _ type: OSLogType, _ arguments: [Any]) {
  guard type != .debug else { return }
  let text = LogMessage("\(message)", arguments).text
  FileHandle.standardError.write(Data((log.source + text + "\n").utf8))
}

/// A message whose specifiers were replaced by arguments.
package struct LogMessage {
  package private(set) var text = ""

  package init(_ format: String, _ arguments: [Any]) {
    var (rest, remaining) = (format[...], arguments[...])
    while let sign = rest.firstIndex(of: "%") {
      text += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      if rest.first == "%" {
        text += "%"
        rest = rest.dropFirst()
        continue
      }
      if rest.first == "{" { rest = rest.drop { $0 != "}" }.dropFirst() }
      let modifiers = rest.prefix { !$0.isLetter && $0 != "@" || "lhqz".contains($0) }
      rest = rest[modifiers.endIndex...]
      guard let kind = rest.popFirst() else { break }
      guard let argument = remaining.popFirst() else { continue }
      text += Self.formatted(argument, String(modifiers), kind)
    }
    text += rest
  }
  private static func formatted(_ argument: Any, _ modifiers: String, _ kind: Character) -> String {
    switch argument {
    case let number as any BinaryInteger & CVarArg where "diuxXo".contains(kind):
      String(format: "%\(modifiers)\(kind)", number)
    case let number as any BinaryFloatingPoint & CVarArg where "fFeEgG".contains(kind):
      String(format: "%\(modifiers)\(kind)", number)
    default: "\(argument)"
    }
  }
}
