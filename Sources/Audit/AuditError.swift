/// The reason why something cannot be traced, compared or checked, and a remedy.
public struct AuditError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The message.
  public let description: String

  /// Makes an error with a message.
  public init(_ description: String) {
    self.description = description
  }
}
