/// A line of the operator table: a name, what it takes, and how to make one for a node.
package struct OperatorDefinition: Sendable {
  package typealias Make = @Sendable (NodeSpec) throws(ModelError) -> any Operator

  /// The schema's name, or the name of a custom operator.
  package var name: String
  /// The versions that the official runtime knows.
  package var versions: ClosedRange<Int>
  /// The types that its first input, or its output if it has no input, may have.
  package var types: [ElementType]
  /// The inputs that may be sparse constants; elsewhere those have fewer bytes than elements.
  package var sparseInputs: [Int]
  /// The type of the results, where the official kernel sets it whatever the file declares.
  package var resultType: ResultType?
  package var make: Make

  package init(
    _ name: String, versions: ClosedRange<Int> = 1...1, types: [ElementType],
    sparseInputs: [Int] = [], resultType: ResultType? = nil, make: @escaping Make
  ) {
    self.name = name
    self.versions = versions
    self.types = types
    self.sparseInputs = sparseInputs
    self.resultType = resultType
    self.make = make
  }

  /// Where the type of a result comes from if not from the file.
  package enum ResultType: Sendable {
    case ofInput(Int)
    case always(ElementType)
  }
}
