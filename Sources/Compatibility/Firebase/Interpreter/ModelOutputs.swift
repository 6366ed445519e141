public import Foundation
import OcellusCompatibility

/// The outputs of a run.
public final class ModelOutputs: NSObject, Sendable {
  /// The numbers of an output, with the dimensions for nested arrays.
  struct Output: Sendable {
    var numbers: [Double]
    var dimensions: [Int]
  }

  private let outputs: [UInt: Output]

  init(_ outputs: [UInt: Output]) {
    self.outputs = outputs
  }

  /// Returns an output as nested arrays of `NSNumber`, one level for each dimension.
  ///
  /// - Throws: `ProcessingError.invalidArgument` for an output whose format was not set in the
  ///   options.
  public func output(index: UInt) throws -> Any {
    guard let output = outputs[index] else {
      throw ProcessingError.invalidArgument("the options say nothing of output \(index)")
    }
    return Self.nested(output.numbers[...], output.dimensions[...])
  }

  private static func nested(_ numbers: ArraySlice<Double>, _ dimensions: ArraySlice<Int>) -> Any {
    guard dimensions.count > 1, let extent = dimensions.first else {
      return numbers.map(NSNumber.init(value:))
    }
    let stride = numbers.count / extent
    return (0..<extent).map { index in
      let start = numbers.startIndex + index * stride
      return nested(numbers[start..<start + stride], dimensions.dropFirst())
    }
  }
}
