import OcellusKernelABI

/// A type of quantized elements in memory, with its conversion from and to 32-bit lanes.
protocol QuantizedLanes {
  static var elementBytes: Int { get }
  /// Loads a vector of sign-extended elements, and clears the bits that are not in `mask`.
  static func load(_ address: UnsafeRawPointer, mask: SumVector) -> SumVector
  /// Stores lanes that are in the range of the elements.
  static func store(_ lanes: SumVector, to address: UnsafeMutableRawPointer)
}

/// `Int8` and `UInt8`: sign-extended, and masked if they are unsigned.
enum ByteLanes: QuantizedLanes {
  static var elementBytes: Int { 1 }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer, mask: SumVector) -> SumVector {
    loadSignedBytes(address) & mask
  }

  @inline(__always)
  static func store(_ lanes: SumVector, to address: UnsafeMutableRawPointer) {
    storeBytes(lanes, to: address)
  }
}

/// `Int8`.
enum SignedByteLanes: QuantizedLanes {
  static var elementBytes: Int { 1 }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer, mask _: SumVector) -> SumVector {
    loadSignedBytes(address)
  }

  @inline(__always)
  static func store(_ lanes: SumVector, to address: UnsafeMutableRawPointer) {
    ByteLanes.store(lanes, to: address)
  }
}

/// `Int16`.
enum ShortLanes: QuantizedLanes {
  static var elementBytes: Int { 2 }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer, mask _: SumVector) -> SumVector {
    int16sToLanes(address)
  }

  @inline(__always)
  static func store(_ lanes: SumVector, to address: UnsafeMutableRawPointer) {
    storeInt16s(lanes, to: address)
  }
}

/// `Int32`.
enum SumLanes: QuantizedLanes {
  static var elementBytes: Int { 4 }

  @inline(__always)
  static func load(_ address: UnsafeRawPointer, mask _: SumVector) -> SumVector {
    loadSums(address)
  }

  @inline(__always)
  static func store(_ lanes: SumVector, to address: UnsafeMutableRawPointer) {
    address.storeBytes(of: lanes, as: SumVector.self)
  }
}

/// Returns the bits to keep of lanes that were sign-extended.
@inline(__always)
func laneMask(_ element: QuantizedElement) -> SumVector {
  SumVector(repeating: element == .uint8 ? 0xFF : -1)
}

/// A conversion of lanes to quantized results.
protocol ResultScaling {
  init(_ result: FixedPointResult)
  /// Whether this is one of the scalings of nearly all models, whose kernels are unrolled.
  static var isFrequent: Bool { get }
  /// Returns results minus an offset, clamped only if the subtraction might overflow.
  func scaled(_ numbers: SumVector, offset: Int32) -> SumVector
}

extension ResultScaling {
  @inline(__always)
  static var isFrequent: Bool { true }
}

/// A scaling of lanes to quantized results.
struct ResultScale<Scale: VectorScale>: ResultScaling {
  var scale: Scale
  var low: SumVector
  var high: SumVector

  @inline(__always)
  static var isFrequent: Bool { Scale.isBounded }

  @inline(__always)
  init(_ result: FixedPointResult) {
    let right = result.exponent < 0 ? 0 &- result.exponent : 0
    // The layout of packed weights.
    var words = (
      SumVector(repeating: result.multiplier),
      SumVector(repeating: result.exponent > 0 ? result.exponent : 0),
      SumVector(repeating: right > 0 ? right &- 1 : 0),
      SumVector(repeating: right > 0 ? 1 : 0)
    )
    let zeroPoint = SumVector(repeating: result.range.zeroPoint)
    scale = withUnsafeBytes(of: &words) {
      Scale($0.baseAddress.unsafelyUnwrapped, zeroPoint: zeroPoint)
    }
    low = SumVector(repeating: result.range.minimum)
    high = SumVector(repeating: result.range.maximum)
  }

  @inline(__always)
  func callAsFunction(_ numbers: SumVector) -> SumVector {
    minimum(high, maximum(low, scale(numbers)))
  }

  @inline(__always)
  func scaled(_ numbers: SumVector, offset: Int32) -> SumVector {
    (Scale.isBounded ? scale(numbers) : self(numbers)) &- SumVector(repeating: offset)
  }
}
