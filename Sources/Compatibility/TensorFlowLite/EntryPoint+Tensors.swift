import Foundation
import OcellusEngine

/// What interpreters and signature runners both do with tensors.
extension EntryPoint {
  /// A copy of an input, or `nil` while it has no memory, as all have that have no bytes.
  func copyOfInput(at index: Int, isUntyped: any Error) throws -> Tensor? {
    guard let bytes = placedInputBytes(at: index), !bytes.isEmpty else { return nil }
    return try Tensor(inputs[index], data: Data(bytes), isUntyped: isUntyped)
  }

  /// A copy of an output, or `nil` while it has no memory.
  func copyOfOutput(at index: Int, isUntyped: any Error) throws -> Tensor? {
    guard let bytes = placedOutputBytes(at: index), !bytes.isEmpty else { return nil }
    return try Tensor(outputs[index], data: Data(bytes), isUntyped: isUntyped)
  }
}

extension TensorDescription {
  /// The bytes that the tensor takes; 0 for strings, which have no fixed size.
  var byteCount: Int { type.byteCount(ofElements: shape.elementCount) ?? 0 }
}

extension Tensor {
  /// A tensor of what the engine knows, or `isUntyped` for types that this API has no name for.
  fileprivate init(
    _ description: TensorDescription, data: Data, isUntyped: any Error
  ) throws {
    guard let dataType = DataType(description.type) else { throw isUntyped }
    self.init(
      name: description.name, dataType: dataType, shape: Shape(description.shape.dimensions),
      data: data, quantizationParameters: QuantizationParameters(description.quantization))
  }
}
