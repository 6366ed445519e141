public import Foundation
import OcellusEngine

/// A copy of an input or output tensor.
public struct Tensor: Equatable, Hashable {
  /// The name of the tensor in the model.
  public let name: String
  /// The type of the elements.
  public let dataType: DataType
  /// The dimensions.
  public let shape: Shape
  /// The bytes of the elements, copied when the tensor was requested.
  public let data: Data
  /// The quantization parameters; `nil` if the tensor is not quantized per tensor.
  public let quantizationParameters: QuantizationParameters?

  package init(
    name: String, dataType: DataType, shape: Shape, data: Data,
    quantizationParameters: QuantizationParameters? = nil
  ) {
    self.name = name
    self.dataType = dataType
    self.shape = shape
    self.data = data
    self.quantizationParameters = quantizationParameters
  }
}

extension Tensor {
  /// The element types of this API.
  public enum DataType: Equatable, Hashable {
    case bool
    case uInt8
    case int16
    case int32
    case int64
    case float16
    case float32
    case float64

    init?(_ type: OcellusEngine.ElementType) {
      switch type {
      case .bool: self = .bool
      case .uint8: self = .uInt8
      case .int16: self = .int16
      case .int32: self = .int32
      case .int64: self = .int64
      case .float16: self = .float16
      case .float32: self = .float32
      case .float64: self = .float64
      default: return nil
      }
    }
  }

  /// The dimensions of a tensor, outermost first.
  public struct Shape: Equatable, Hashable {
    /// The number of dimensions.
    public let rank: Int
    /// The size of each dimension.
    public let dimensions: [Int]

    /// Creates a shape from an array of dimensions.
    public init(_ dimensions: [Int]) {
      self.rank = dimensions.count
      self.dimensions = dimensions
    }

    /// Creates a shape from its dimensions.
    public init(_ elements: Int...) {
      self.init(elements)
    }
  }
}

extension Tensor.Shape: ExpressibleByArrayLiteral {
  /// Creates a shape from an array literal of dimensions.
  public init(arrayLiteral elements: Int...) {
    self.init(elements)
  }
}

/// The side of a model that a tensor is on, with the word for error texts.
internal enum TensorType: String {
  case input
  case output
}
