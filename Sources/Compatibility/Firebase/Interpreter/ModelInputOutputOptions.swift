public import Foundation
import OcellusCompatibility

/// The element types and dimensions of a model's inputs and outputs.
///
/// Use an options object on one thread at a time. A run copies it.
public final class ModelInputOutputOptions: NSObject {
  /// The format of an input or an output.
  struct Format: Sendable {
    var type: ModelElementType
    var dimensions: [Int]
  }

  private(set) var inputs: [UInt: Format] = [:]
  private(set) var outputs: [UInt: Format] = [:]

  /// Creates options without formats.
  public override init() {}

  /// Sets the format of an input; a run resizes the input if the model has other dimensions.
  ///
  /// - Throws: `ProcessingError.invalidArgument` for an unknown type, and for dimensions that are
  ///   missing or below 1.
  public func setInputFormat(
    index: UInt, type: ModelElementType, dimensions: [NSNumber]
  ) throws {
    inputs[index] = try Self.format(type, dimensions)
  }

  /// Sets the format in which an output is read.
  ///
  /// - Throws: `ProcessingError.invalidArgument` for an unknown type, and for dimensions that are
  ///   missing or below 1.
  public func setOutputFormat(
    index: UInt, type: ModelElementType, dimensions: [NSNumber]
  ) throws {
    outputs[index] = try Self.format(type, dimensions)
  }

  private static func format(
    _ type: ModelElementType, _ dimensions: [NSNumber]
  ) throws(ProcessingError) -> Format {
    guard type != .unknown else { throw .invalidArgument("the type of the elements is unknown") }
    let extents = dimensions.map(\.intValue)
    guard !extents.isEmpty, extents.allSatisfy({ $0 > 0 }) else {
      throw .invalidArgument("\(extents) are no dimensions: there must be some, all above 0")
    }
    return Format(type: type, dimensions: extents)
  }
}
