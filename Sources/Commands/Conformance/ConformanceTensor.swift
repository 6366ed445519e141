/// An input or an output of a conformance case.
struct ConformanceTensor: Sendable {
  /// Position among the inputs or the outputs.
  let index: Int
  let name: String
  /// The corpus's name of the type, which is NumPy's where NumPy has it.
  let type: String
  let shape: [Int]
  /// Where its bytes lie among the values of the case.
  let range: Range<Int>
  /// Only this many leading bytes mean anything.
  let definedByteCount: Int
  /// How near an output must come, where it does not go by its case.
  var tolerance: Tolerance?
}
