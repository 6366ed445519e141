import OcellusKernelABI

// Most images are enlarged by two or four, where all weights are multiples of 1/8. Interpolated
// bytes are then fixed-point numbers with 6 fractional bits below 2¹⁴, which are exact in any order
// of addition, and two of them fit a lane. A vector of bytes is interpolated as two: its even and
// its odd bytes.

/// The weights of two neighbours, in fixed point with 3 fractional bits.
private struct FixedPointWeights {
  var lower, upper: SumVector

  @inline(__always)
  init(_ position: PixelPosition, isSigned: Bool) {
    // Beyond the edges of the image both neighbours are the same, and one weight may be negative.
    let isAlone = position.lower == position.upper
    lower = SumVector(
      repeating: isAlone ? 8 : FixedPointWeights.count(position.lowerWeight, isSigned: isSigned))
    upper = SumVector(
      repeating: isAlone ? 0 : FixedPointWeights.count(position.upperWeight, isSigned: isSigned))
  }

  /// Converts a weight to fixed point, rounded toward zero.
  @inline(__always)
  private static func count(_ bits: Int32, isSigned: Bool) -> Int32 {
    isSigned ? bits / 128 : Int32(weight(bits) * 8)
  }

  /// Whether all weights are multiples of 1/8, with a sum of one per position.
  @inline(__always)
  static func are(_ positions: UnsafePointer<PixelPosition>, count: Int, isSigned: Bool) -> Bool {
    for index in 0..<count {
      let position = positions[index]
      guard isEighths(position.lowerWeight, isSigned: isSigned),
        isEighths(position.upperWeight, isSigned: isSigned)
      else { return false }
      let lower = FixedPointWeights.count(position.lowerWeight, isSigned: isSigned)
      let upper = FixedPointWeights.count(position.upperWeight, isSigned: isSigned)
      let isBetween = lower >= 0 && upper >= 0
      guard lower &+ upper == 8, isBetween || position.lower == position.upper else { return false }
    }
    return true
  }

  @inline(__always)
  private static func isEighths(_ bits: Int32, isSigned: Bool) -> Bool {
    if isSigned { return bits & 127 == 0 }
    let eighths = weight(bits) * 8
    return eighths >= -16 && eighths <= 16 && Float(Int32(eighths)) == eighths
  }

  @inline(__always)
  func mix(_ a: SumVector, _ b: SumVector) -> SumVector { a &* lower &+ b &* upper }
}

/// Whether all weights are multiples of 1/8, and pixels fill at least a quarter of a vector.
///
/// Then the two bytes for each byte of a pixel's vectors fit the scratch rows, which have eight
/// bytes per element.
func hasFixedPointWeights(_ arguments: ResamplingArguments, isSigned: Bool) -> Bool {
  4 &* arguments.channels >= sumVectorBytes
    && FixedPointWeights.are(arguments.rows, count: arguments.rowCount, isSigned: isSigned)
    && FixedPointWeights.are(arguments.columns, count: arguments.columnCount, isSigned: isSigned)
}

/// Interpolates bytes with fixed-point weights.
@inline(__always)
func interpolateInFixedPoint(_ arguments: ResamplingArguments, isSigned: Bool) {
  if arguments.channels >= sumVectorBytes {
    interpolate(arguments, WholePixels.self, isSigned: isSigned)
  } else {
    interpolate(arguments, SmallPixels.self, isSigned: isSigned)
  }
}

@inline(__always)
private func interpolate<Size: PixelSize>(
  _ arguments: ResamplingArguments, _: Size.Type, isSigned: Bool
) {
  let pixels = PixelVectors<Size>(arguments)
  let inputRowBytes = arguments.inputWidth &* arguments.channels
  let outputRowBytes = arguments.columnCount &* arguments.channels
  for row in 0..<arguments.rowCount {
    let position = arguments.rows[row]
    mixRows(
      arguments.input + Int(position.lower) &* inputRowBytes,
      arguments.input + Int(position.upper) &* inputRowBytes,
      FixedPointWeights(position, isSigned: isSigned),
      pixels,
      isSigned: isSigned)
    let output = arguments.output + row &* outputRowBytes
    for index in 0..<arguments.columnCount {
      let column = arguments.columns[index]
      mixPixels(
        Int(column.lower), Int(column.upper), FixedPointWeights(column, isSigned: isSigned), pixels,
        isSigned: isSigned, to: output, index)
    }
  }
}

/// Whether pixels fill a vector, as a type.
private protocol PixelSize {
  static var isWhole: Bool { get }
}

private enum WholePixels: PixelSize {
  @inline(__always)
  static var isWhole: Bool { true }
}

private enum SmallPixels: PixelSize {
  @inline(__always)
  static var isWhole: Bool { false }
}

/// Pixels as vectors of bytes; the last vector of a pixel begins earlier to be whole.
///
/// Smaller pixels take one vector that extends beyond them; the next pixel overwrites the excess.
private struct PixelVectors<Size: PixelSize> {
  var channels: Int
  var blocks: Int
  var inputWidth: Int
  var outputWidth: Int
  /// A row after vertical interpolation, followed by space for one vector.
  var mixedRow: UnsafeMutableRawPointer

  @inline(__always)
  init(_ arguments: ResamplingArguments) {
    channels = arguments.channels
    blocks = Size.isWhole ? (channels &+ sumVectorBytes &- 1) / sumVectorBytes : 1
    inputWidth = arguments.inputWidth
    outputWidth = arguments.columnCount
    mixedRow = arguments.scratch
  }

  @inline(__always)
  func firstChannel(_ block: Int) -> Int {
    Size.isWhole ? smaller(block &* sumVectorBytes, channels &- sumVectorBytes) : 0
  }

  /// The size of a pixel in that row, in bytes: even and odd bytes of every vector.
  @inline(__always)
  var mixedBytes: Int { 2 &* blocks &* sumVectorBytes }

  @inline(__always)
  private var staging: UnsafeMutableRawPointer { mixedRow + inputWidth &* mixedBytes }

  /// Loads a vector of an input row, or the rest of the row.
  @inline(__always)
  func load(_ row: UnsafeRawPointer, _ offset: Int) -> SumVector {
    let left = inputWidth &* channels &- offset
    if Size.isWhole || left >= sumVectorBytes { return loadSums(row + offset) }
    copyEnd(row + offset, to: staging, count: left)
    return loadSums(staging)
  }

  /// Stores a vector to an output row, or as much as fits the row.
  @inline(__always)
  func write(_ bytes: SumVector, to row: UnsafeMutableRawPointer, _ offset: Int) {
    let left = outputWidth &* channels &- offset
    if Size.isWhole || left >= sumVectorBytes { return store(bytes, to: row + offset) }
    store(bytes, to: staging)
    copyEnd(staging, to: row + offset, count: left)
  }
}

/// Returns the even bytes of a vector as 16-bit numbers.
@inline(__always)
private func evenBytes(_ x: SumVector) -> SumVector { x & SumVector(repeating: 0x00FF_00FF) }

/// Interpolates two input rows in fixed point, and adds the half for the final rounding.
@inline(__always)
private func mixRows<Size: PixelSize>(
  _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, _ weights: FixedPointWeights,
  _ pixels: PixelVectors<Size>, isSigned: Bool
) {
  // Toggling the sign bit adds 128 to signed bytes. The half is 4/8, as weights sum up to 8/8.
  let signToggle = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  let half = SumVector(repeating: 0x0004_0004), eight = SumVector(repeating: 8)
  var target = pixels.mixedRow
  var offset = 0
  for _ in 0..<pixels.inputWidth {
    for block in 0..<pixels.blocks {
      let vectorOffset = offset &+ pixels.firstChannel(block)
      let a = pixels.load(upper, vectorOffset) ^ signToggle,
        b = pixels.load(lower, vectorOffset) ^ signToggle
      store(weights.mix(evenBytes(a), evenBytes(b)) &+ half, to: target)
      let odd = weights.mix(evenBytes(a &>> eight), evenBytes(b &>> eight)) &+ half
      store(odd, to: target + sumVectorBytes)
      target += 2 &* sumVectorBytes
    }
    offset &+= pixels.channels
  }
}

/// Interpolates two pixels of the intermediate row to one of an output row.
@inline(__always)
private func mixPixels<Size: PixelSize>(
  _ left: Int, _ right: Int, _ weights: FixedPointWeights, _ pixels: PixelVectors<Size>,
  isSigned: Bool,
  to row: UnsafeMutableRawPointer, _ column: Int
) {
  let signToggle = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  var left = pixels.mixedRow + left &* pixels.mixedBytes
  var right = pixels.mixedRow + right &* pixels.mixedBytes
  for block in 0..<pixels.blocks {
    var even = weights.mix(loadSums(left), loadSums(right))
    var odd = weights.mix(loadSums(left + sumVectorBytes), loadSums(right + sumVectorBytes))
    if isSigned {
      even = awayFromZero(even)
      odd = awayFromZero(odd)
    }
    // The integral part of odd bytes begins at bit 6; it moves to the odd byte.
    let bytes =
      evenBytes(even &>> SumVector(repeating: 6))
      | (odd &<< SumVector(repeating: 2)) & SumVector(repeating: Int32(bitPattern: 0xFF00_FF00))
    pixels.write(
      bytes ^ signToggle, to: row, column &* pixels.channels &+ pixels.firstChannel(block))
    left += 2 &* sumVectorBytes
    right += 2 &* sumVectorBytes
  }
}

/// Subtracts 1/64 from numbers that stand for negative ones, so that ties round down.
///
/// These numbers are below 128, that is 2¹³ / 64, without the half that was added before.
@inline(__always)
private func awayFromZero(_ x: SumVector) -> SumVector {
  let ones = SumVector(repeating: 0x0001_0001), halves = SumVector(repeating: 0x0020_0020)
  let isPositive = ((x &- halves) &>> SumVector(repeating: 13)) & ones
  return x &- ones &+ isPositive
}
