/// The information that a trace records for each tensor.
public enum TraceLevel: String, Sendable, CaseIterable {
  /// Type and shape.
  case shapes
  /// Type, shape and statistics of the numbers.
  case stats
  /// Type, shape and a digest, `TensorDigest`.
  case digest
  /// Type, shape, statistics, digest, and the tensor itself.
  case full
}
