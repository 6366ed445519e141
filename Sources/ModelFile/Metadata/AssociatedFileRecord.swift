/// What is said about a file that is packed with the model.
package struct AssociatedFileRecord: Sendable, Hashable {
  package enum Kind: Int, Sendable {
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

  /// The name in ``AssociatedFiles``.
  package var name: String?
  package var description: String?
  package var kind: Kind
  /// Such as `en` or `en-US`.
  package var locale: String?
  package var version: String?

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
