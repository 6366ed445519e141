public import Foundation
import OcellusCompatibility

/// The inputs of a run, in the order of the model's inputs.
///
/// Use it on one thread at a time. A run copies it.
public final class ModelInputs: NSObject {
  /// The contents of an input.
  enum Content: Sendable {
    /// The bytes in the model's memory layout.
    case bytes(Data)
    /// The numbers in row-major order.
    case numbers([Double])
  }

  private(set) var contents: [Content] = []

  /// Creates an empty list of inputs.
  public override init() {}

  /// Adds the next input, either its bytes as `Data` or its numbers as nested arrays of any depth.
  ///
  /// - Throws: `ProcessingError.invalidArgument` for anything else.
  public func addInput(_ input: Any) throws {
    if let data = input as? Data { return contents.append(.bytes(data)) }
    var numbers: [Double] = []
    try Self.flatten(input, into: &numbers)
    contents.append(.numbers(numbers))
  }

  private static func flatten(
    _ value: Any, into numbers: inout [Double]
  ) throws(ProcessingError) {
    switch value {
    case let values as [Any]: for value in values { try flatten(value, into: &numbers) }
    case let number as NSNumber: numbers.append(number.doubleValue)
    case let number as any BinaryInteger: numbers.append(Double(number))
    case let number as Float: numbers.append(Double(number))
    case let number as Double: numbers.append(number)
    default: throw .invalidArgument("an input cannot be made of a \(Swift.type(of: value))")
    }
  }
}
