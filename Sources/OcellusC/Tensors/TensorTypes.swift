// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusEngine
import OcellusHandles
import OcellusModelFile

extension TfLiteType {
  /// Converts a type of the file format, whose numbers differ from those of the C API.
  init(_ type: TensorType) {
    self =
      switch type {
      case .float32: kTfLiteFloat32
      case .float16: kTfLiteFloat16
      case .int32: kTfLiteInt32
      case .uint8: kTfLiteUInt8
      case .int64: kTfLiteInt64
      case .string: kTfLiteString
      case .bool: kTfLiteBool
      case .int16: kTfLiteInt16
      case .complex64: kTfLiteComplex64
      case .int8: kTfLiteInt8
      case .float64: kTfLiteFloat64
      case .complex128: kTfLiteComplex128
      case .uint64: kTfLiteUInt64
      case .resource: kTfLiteResource
      case .variant: kTfLiteVariant
      case .uint32: kTfLiteUInt32
      case .uint16: kTfLiteUInt16
      case .int4: kTfLiteInt4
      case .bfloat16: kTfLiteBFloat16
      case .int2: kTfLiteInt2
      case .uint4: kTfLiteUInt4
      case .float8E4M3FN: kTfLiteFloat8E4M3FN
      case .float8E5M2: kTfLiteFloat8E5M2
      }
  }

  /// Converts a type of the engine, which has the file format's numbers.
  init(_ type: ElementType) {
    self = TensorType(rawValue: type.rawValue).map { TfLiteType($0) } ?? kTfLiteNoType
  }

  /// The type of the file format, or `nil` if it has none with this number.
  var tensorType: TensorType? { TensorType.allCases.first { TfLiteType($0) == self } }
}

/// The names of types, indexed by their numbers in this interface.
private let typeNames = CStrings(
  (0..<24).map { number in
    number == 0 ? "NOTYPE" : TfLiteType(number).tensorType?.name.uppercased() ?? ""
  } + ["Unknown type"])

@c @implementation public func TfLiteTypeGetName(_ type: TfLiteType) -> UnsafePointer<CChar>? {
  typeNames.pointers[min(Int(type.rawValue), typeNames.pointers.count - 1)]
}
