public import Foundation
import OcellusEngine

/// A copy of an input or output tensor.
public struct Tensor: Equatable, Hashable {
  /// The name in the model.
  public let name: String
  /// The type of the elements.
  public let dataType: DataType
  /// The extents.
  public let shape: Shape
  /// The elements' bytes, copied when the tensor was asked for.
  public let data: Data
  /// What the integers of a quantized tensor stand for.
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
  /// The element types that this API knows.
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

  /// The extents of a tensor, outermost first.
  public struct Shape: Equatable, Hashable {
    /// The number of dimensions.
    public let rank: Int
    /// The extents.
    public let dimensions: [Int]

    /// Makes a shape of an array of extents.
    public init(_ dimensions: [Int]) {
      self.rank = dimensions.count
      self.dimensions = dimensions
    }

    /// Makes a shape of the given extents.
    public init(_ elements: Int...) {
      self.init(elements)
    }
  }
}

extension Tensor.Shape: ExpressibleByArrayLiteral {
  /// Makes a shape of a list of extents.
  public init(arrayLiteral elements: Int...) {
    self.init(elements)
  }
}

/// Which side of a model a tensor is on; the word that error texts use.
internal enum TensorType: String {
  case input
  case output
}
