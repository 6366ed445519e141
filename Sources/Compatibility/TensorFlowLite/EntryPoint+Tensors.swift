import Foundation
import OcellusEngine

/// Copies of tensors, for interpreters and signature runners.
extension EntryPoint {
  /// Returns a copy of an input; `nil` if it has no memory yet or no bytes.
  func copyOfInput(at index: Int, isUntyped: any Error) throws -> Tensor? {
    guard let bytes = placedInputBytes(at: index), !bytes.isEmpty else { return nil }
    return try Tensor(inputs[index], data: Data(bytes), isUntyped: isUntyped)
  }

  /// Returns a copy of an output; `nil` if it has no memory yet or no bytes.
  func copyOfOutput(at index: Int, isUntyped: any Error) throws -> Tensor? {
    guard let bytes = placedOutputBytes(at: index), !bytes.isEmpty else { return nil }
    return try Tensor(outputs[index], data: Data(bytes), isUntyped: isUntyped)
  }
}

extension TensorDescription {
  /// The size of the tensor in bytes; 0 for strings, which have no fixed size.
  var byteCount: Int { type.byteCount(ofElements: shape.elementCount) ?? 0 }
}

extension Tensor {
  /// Converts a tensor of the engine; throws `isUntyped` for types that this API lacks.
  fileprivate init(
    _ description: TensorDescription, data: Data, isUntyped: any Error
  ) throws {
    guard let dataType = DataType(description.type) else { throw isUntyped }
    self.init(
      name: description.name, dataType: dataType, shape: Shape(description.shape.dimensions),
      data: data, quantizationParameters: QuantizationParameters(description.quantization))
  }
}
