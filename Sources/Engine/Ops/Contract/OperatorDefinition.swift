/// An entry of the operator table: a name, the supported versions and types, and a factory.
package struct OperatorDefinition: Sendable {
  package typealias Make = @Sendable (NodeSpec) throws(ModelError) -> any Operator

  /// The schema's name, or the name of a custom operator.
  package var name: String
  /// The versions that the official runtime knows.
  package var versions: ClosedRange<Int>
  /// The types that its first input, or its output if it has no input, may have.
  package var types: [ElementType]
  /// The inputs that may be sparse constants; as other inputs, their data would be too short.
  package var sparseInputs: [Int]
  /// The type of the results, where the official kernel ignores the type in the file.
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

  /// The source of a result's type, if it is not the file.
  package enum ResultType: Sendable {
    case ofInput(Int)
    case always(ElementType)
  }
}
