import OcellusKernelABI

/// Quantized elements in memory, and as lanes of 32 bits.
protocol QuantizedLanes {
  static var elementBytes: Int { get }
  /// Reads a vector of elements, of which `laneMask` gives the bits to keep.
  static func load(_ address: UnsafeRawPointer, mask: SumVector) -> SumVector
  /// Stores lanes that fit the elements.
  static func store(_ lanes: SumVector, to address: UnsafeMutableRawPointer)
}

/// `Int8` and `UInt8`: read with sign, which is masked out where there is none.
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

/// The bits of lanes that elements read with sign keep.
@inline(__always)
func laneMask(_ element: QuantizedElement) -> SumVector {
  SumVector(repeating: element == .uint8 ? 0xFF : -1)
}

/// How lanes become quantized results.
protocol ResultScaling {
  init(_ result: FixedPointResult)
  /// Results less an offset, clamped only as far as that must not overflow.
  func scaled(_ numbers: SumVector, offset: Int32) -> SumVector
}

/// Scales lanes to quantized results.
struct ResultScale<Scale: VectorScale>: ResultScaling {
  var scale: Scale
  var low: SumVector
  var high: SumVector

  @inline(__always)
  init(_ result: FixedPointResult) {
    let right = result.exponent < 0 ? 0 &- result.exponent : 0
    // As packed weights hold them.
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
