/// What a trace says of each tensor.
public enum TraceLevel: String, Sendable, CaseIterable {
  /// Type and shape.
  case shapes
  /// Besides, what the numbers are like.
  case stats
  /// Type, shape and a digest, `TensorDigest`.
  case digest
  /// All of this, and the tensor itself.
  case full
}
