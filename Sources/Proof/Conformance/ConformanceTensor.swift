/// An input or an output of a conformance case.
package struct ConformanceTensor: Sendable {
  /// The position among the inputs or outputs.
  package let index: Int
  package let name: String
  /// The corpus's name of the type, which is NumPy's if NumPy has the type.
  package let type: String
  package let shape: [Int]
  /// The range of the tensor's bytes in the values of the case.
  package let range: Range<Int>
  /// The number of leading bytes that are defined.
  package let definedByteCount: Int
  /// The tolerance of an output, if it differs from that of the case.
  package let tolerance: Tolerance?

  package init(
    index: Int, name: String, type: String, shape: [Int], range: Range<Int>, definedByteCount: Int,
    tolerance: Tolerance? = nil
  ) {
    self.index = index
    self.name = name
    self.type = type
    self.shape = shape
    self.range = range
    self.definedByteCount = definedByteCount
    self.tolerance = tolerance
  }
}
