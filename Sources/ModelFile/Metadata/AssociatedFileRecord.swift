/// The metadata of a file that is packed with the model.
public struct AssociatedFileRecord: Sendable, Hashable {
  /// The purpose of a file.
  public enum Kind: Int, Sendable {
    case unknown = 0
    case descriptions = 1
    /// A label for each index of the tensor's last axis.
    case tensorAxisLabels = 2
    /// A label for each value in the tensor.
    case tensorValueLabels = 3
    case tensorAxisScoreCalibration = 4
    case vocabulary = 5
    case scannIndex = 6
  }

  /// The name that `ModelFile.associatedFile(named:)` takes.
  public var name: String?
  /// The description of the contents.
  public var description: String?
  /// The purpose of the file.
  public var kind: Kind
  /// The locale, such as `en` or `en-US`.
  public var locale: String?
  /// The version of the file.
  public var version: String?

  package init(
    name: String?, description: String? = nil, kind: Kind = .unknown, locale: String? = nil,
    version: String? = nil
  ) {
    self.name = name
    self.description = description
    self.kind = kind
    self.locale = locale
    self.version = version
  }
}
