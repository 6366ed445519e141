import OcellusModelFile
import OcellusTestSupport
import Testing

/// A model that once crashed, hung or exhausted a runtime, rebuilt from the advisory's description.
struct HostileModel: Sendable, CustomTestStringConvertible {
  /// The attack that the file or its data contains.
  var trick: String
  /// The advisories of this class.
  var advisories: String
  /// Whether the model must be refused; other models may also run harmlessly.
  var mustFail = true
  var writer: ModelWriter

  var testDescription: String { "\(trick) (\(advisories))" }

  init(_ trick: String, _ advisories: String, mustFail: Bool = true, _ writer: ModelWriter) {
    self.trick = trick
    self.advisories = advisories
    self.mustFail = mustFail
    self.writer = writer
  }
}

extension HostileModel {
  typealias Tensor = ModelWriter.Tensor

  /// A model of one built-in operator by its schema name.
  static func model(
    _ name: String, _ reading: [Tensor], _ writing: [Tensor], options: ModelWriter.Options? = nil,
    version: Int = 1
  ) -> ModelWriter {
    .singleOperator(
      code(name, version: version), reading: reading, writing: writing, options: options)
  }

  static func code(_ name: String, version: Int = 1) -> OperatorCodeRecord {
    OperatorCodeRecord(builtinCode: BuiltinOperator.code(named: name) ?? -1, version: version)
  }

  static func input(_ shape: [Int], _ type: TensorType = .float32) -> Tensor {
    Tensor("input", type, shape)
  }

  static func output(_ shape: [Int] = [1], _ type: TensorType = .float32) -> Tensor {
    Tensor("output", type, shape)
  }

  static func integers(_ values: [Int32], shape: [Int]? = nil) -> Tensor {
    Tensor("integers", .int32, shape ?? [values.count], constant: Array(bytesOf: values))
  }

  static func floats(_ shape: [Int]) -> Tensor {
    let count = shape.reduce(1, *)
    return Tensor(
      "floats", .float32, shape, constant: Array(bytesOf: [Float](repeating: 1, count: count)))
  }
}
