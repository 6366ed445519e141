/// What cannot be traced, compared or checked, and what to do about it.
public struct AuditError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The message.
  public let description: String

  /// An error with this message.
  public init(_ description: String) {
    self.description = description
  }
}
