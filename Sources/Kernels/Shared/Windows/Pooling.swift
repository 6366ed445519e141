import OcellusKernelABI

// The reductions of pooling; WindowRuns.swift visits the windows.

var pooling: Pooling {
  Pooling(
    maximumFloat: { reduceWindows($0, LargestFloats($0)) },
    averageFloat: { reduceWindows($0, MeanFloats($0)) },
    maximumUInt8: { reduceLargestBytes($0, UnsignedElements.self) },
    maximumInt8: { reduceLargestBytes($0, SignedElements.self) },
    averageUInt8: { reduceWindows($0, MeanBytes<UnsignedElements>($0)) },
    averageInt8: { reduceWindows($0, MeanBytes<SignedElements>($0)) },
    maximumFloatWithIndex: { reduceWindows($0, LargestFloatsWithIndices($0)) },
    unpoolFloat: unpoolFloat, scratchByteCount: windowScratchBytes)
}

/// A reduction of the pixels of a window, for as many channels as a vector has lanes.
protocol WindowReduction {
  /// The intermediate result of a window.
  associatedtype Partial

  /// The size of an element in bytes.
  static var elementBytes: Int { get }
  /// The number of channels that are computed together.
  static var lanes: Int { get }

  /// The intermediate result before the first pixel.
  var initial: Partial { get }
  /// Prepares for windows of the given number of pixels.
  mutating func prepare(pixelCount: Int)
  /// Adds one pixel, by its address and its index in the window.
  func add(_ partial: Partial, _ pixel: UnsafeRawPointer, _ index: Int) -> Partial
  /// Stores the result of a window, and its index in the window if it is wanted.
  func finish(
    _ partial: Partial, _ target: UnsafeMutableRawPointer, _ indexTarget: UnsafeMutableRawPointer)
}

extension WindowReduction {
  /// Does nothing by default, since most reductions do not depend on the number of pixels.
  @inline(__always)
  mutating func prepare(pixelCount: Int) {}
}

/// The bounds to which floats are clamped.
private struct FloatBounds {
  private let low: FloatVector
  private let high: FloatVector

  @inline(__always)
  init(_ arguments: PoolingArguments) {
    low = FloatVector(repeating: arguments.lowerBound)
    high = FloatVector(repeating: arguments.upperBound)
  }

  @inline(__always)
  func callAsFunction(_ x: FloatVector) -> FloatVector { clamp(x, low, high) }
}

private let lowestFloat = -Float.greatestFiniteMagnitude

private struct LargestFloats: WindowReduction {
  private let bounded: FloatBounds

  @inline(__always)
  init(_ arguments: PoolingArguments) { bounded = FloatBounds(arguments) }

  @inline(__always)
  static var elementBytes: Int { 4 }
  @inline(__always)
  static var lanes: Int { FloatVector.scalarCount }

  @inline(__always)
  var initial: FloatVector { FloatVector(repeating: lowestFloat) }

  @inline(__always)
  func add(_ largest: FloatVector, _ pixel: UnsafeRawPointer, _: Int) -> FloatVector {
    maximum(loadFloats(pixel), largest)
  }

  @inline(__always)
  func finish(
    _ largest: FloatVector, _ target: UnsafeMutableRawPointer, _: UnsafeMutableRawPointer
  ) { store(bounded(largest), to: target) }
}

private struct MeanFloats: WindowReduction {
  private let bounded: FloatBounds
  private var divided = IntegerDivisor(1)

  @inline(__always)
  init(_ arguments: PoolingArguments) { bounded = FloatBounds(arguments) }

  @inline(__always)
  static var elementBytes: Int { 4 }
  @inline(__always)
  static var lanes: Int { FloatVector.scalarCount }

  @inline(__always)
  var initial: FloatVector { FloatVector.zero }

  @inline(__always)
  mutating func prepare(pixelCount: Int) { divided = IntegerDivisor(Float(pixelCount)) }

  @inline(__always)
  func add(_ sum: FloatVector, _ pixel: UnsafeRawPointer, _: Int) -> FloatVector {
    sum + loadFloats(pixel)
  }

  @inline(__always)
  func finish(_ sum: FloatVector, _ target: UnsafeMutableRawPointer, _: UnsafeMutableRawPointer) {
    store(bounded(divided(sum)), to: target)
  }
}

private struct LargestFloatsWithIndices: WindowReduction {
  private let bounded: FloatBounds

  @inline(__always)
  init(_ arguments: PoolingArguments) { bounded = FloatBounds(arguments) }

  @inline(__always)
  static var elementBytes: Int { 4 }
  @inline(__always)
  static var lanes: Int { FloatVector.scalarCount }

  @inline(__always)
  var initial: (largest: FloatVector, index: SumVector) {
    (FloatVector(repeating: lowestFloat), SumVector())
  }

  @inline(__always)
  func add(
    _ best: (largest: FloatVector, index: SumVector), _ pixel: UnsafeRawPointer, _ index: Int
  ) -> (largest: FloatVector, index: SumVector) {
    let larger = maximum(loadFloats(pixel), best.largest)
    let changed = nonZeroLanes(asLanes(larger) ^ asLanes(best.largest))
    let indices = SumVector(repeating: Int32(truncatingIfNeeded: index))
    return (larger, (indices & changed) | (best.index & ~changed))
  }

  @inline(__always)
  func finish(
    _ best: (largest: FloatVector, index: SumVector), _ target: UnsafeMutableRawPointer,
    _ indexTarget: UnsafeMutableRawPointer
  ) {
    store(bounded(best.largest), to: target)
    // A reader that truncates the float gets the exact integer.
    store(floats(best.index) + FloatVector(repeating: 0.1), to: indexTarget)
  }
}

// MARK: Bytes

/// The mean of bytes by a float division, whose truncation is exact because both operands are below
/// 2²⁴.
private struct MeanBytes<Sign: ByteSign>: WindowReduction {
  private let low: SumVector
  private let high: SumVector
  private var half = SumVector()
  private var divisor = FloatVector.zero

  @inline(__always)
  init(_ arguments: PoolingArguments) {
    low = SumVector(repeating: Int32(arguments.lowerBound))
    high = SumVector(repeating: Int32(arguments.upperBound))
  }

  @inline(__always)
  static var elementBytes: Int { 1 }
  @inline(__always)
  static var lanes: Int { SumVector.scalarCount }

  @inline(__always)
  var initial: SumVector { SumVector() }

  @inline(__always)
  mutating func prepare(pixelCount: Int) {
    half = SumVector(repeating: Int32(truncatingIfNeeded: pixelCount / 2))
    divisor = FloatVector(repeating: Float(larger(pixelCount, 1)))
  }

  @inline(__always)
  func add(_ sum: SumVector, _ pixel: UnsafeRawPointer, _: Int) -> SumVector {
    sum &+ bytesToLanes(pixel, isSigned: Sign.isSigned)
  }

  @inline(__always)
  func finish(_ sum: SumVector, _ target: UnsafeMutableRawPointer, _: UnsafeMutableRawPointer) {
    let sign = shiftRight(sum, SumVector(repeating: 31))
    let mean = truncated(floats(sum &+ ((half ^ sign) &- sign)) / divisor)
    storeBytes(minimum(high, maximum(low, mean)), to: target)
  }
}
