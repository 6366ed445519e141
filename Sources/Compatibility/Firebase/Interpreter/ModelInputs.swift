public import Foundation
import OcellusCompatibility

/// What a model is run on, input by input.
///
/// It belongs to one thread at a time; a run takes a copy.
public final class ModelInputs: NSObject {
  /// The numbers of an input.
  enum Content: Sendable {
    /// The bytes as the model has them in memory.
    case bytes(Data)
    /// The numbers in order, the last dimension first.
    case numbers([Double])
  }

  private(set) var contents: [Content] = []

  /// No inputs yet.
  public override init() {}

  /// Adds the next input: its bytes as `Data`, or its numbers in arrays of any depth.
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
