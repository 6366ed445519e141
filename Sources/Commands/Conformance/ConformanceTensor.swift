/// An input or an output of a conformance case.
struct ConformanceTensor: Sendable {
  /// The position among the inputs or outputs.
  let index: Int
  let name: String
  /// The corpus's name of the type, which is NumPy's if NumPy has the type.
  let type: String
  let shape: [Int]
  /// The range of the tensor's bytes in the values of the case.
  let range: Range<Int>
  /// The number of leading bytes that are defined.
  let definedByteCount: Int
  /// The tolerance of an output, if it differs from that of the case.
  var tolerance: Tolerance?
}
