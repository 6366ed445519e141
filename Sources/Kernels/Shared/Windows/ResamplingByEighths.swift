import OcellusKernelABI

// Images are mostly made twice or four times as large, where all weights are eighths. Mixed bytes are then
// whole 64ths below 2¹⁴, exact in whatever order they are added up, and two of them fit a lane. A vector
// of bytes is mixed as two: of its even bytes, and of its odd ones.

/// The weights of two neighbours.
private struct Eighths {
  var lower, upper: SumVector

  @inline(__always)
  init(_ place: PixelPlace, isSigned: Bool) {
    // Beyond the edges of the image both neighbours are the same pixel, and one weight may be negative.
    let isAlone = place.lower == place.upper
    lower = SumVector(repeating: isAlone ? 8 : Eighths.count(place.lowerWeight, isSigned: isSigned))
    upper = SumVector(repeating: isAlone ? 0 : Eighths.count(place.upperWeight, isSigned: isSigned))
  }

  /// The eighths that a weight is, rounded toward zero.
  @inline(__always)
  private static func count(_ bits: Int32, isSigned: Bool) -> Int32 {
    isSigned ? bits / 128 : Int32(weight(bits) * 8)
  }

  /// Whether all weights are eighths, and one in all.
  @inline(__always)
  static func are(_ places: UnsafePointer<PixelPlace>, count: Int, isSigned: Bool) -> Bool {
    for index in 0..<count {
      let place = places[index]
      guard isEighths(place.lowerWeight, isSigned: isSigned),
        isEighths(place.upperWeight, isSigned: isSigned)
      else { return false }
      let lower = Eighths.count(place.lowerWeight, isSigned: isSigned)
      let upper = Eighths.count(place.upperWeight, isSigned: isSigned)
      let isBetween = lower >= 0 && upper >= 0
      guard lower &+ upper == 8, isBetween || place.lower == place.upper else { return false }
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

/// Whether all weights are eighths, and pixels fill a quarter of a vector.
///
/// A pixel takes two bytes for each of its vectors' then, which lines of eight bytes an element have room for.
func mixesByEighths(_ arguments: ResamplingArguments, isSigned: Bool) -> Bool {
  4 &* arguments.channels >= sumVectorBytes
    && Eighths.are(arguments.rows, count: arguments.rowCount, isSigned: isSigned)
    && Eighths.are(arguments.columns, count: arguments.columnCount, isSigned: isSigned)
}

/// Mixes bytes by weights that are eighths.
@inline(__always)
func interpolateByEighths(_ arguments: ResamplingArguments, isSigned: Bool) {
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
  let pixels = BlockedPixels<Size>(arguments)
  let inputLine = arguments.inputWidth &* arguments.channels
  let outputLine = arguments.columnCount &* arguments.channels
  for row in 0..<arguments.rowCount {
    let place = arguments.rows[row]
    mixLines(
      arguments.input + Int(place.lower) &* inputLine,
      arguments.input + Int(place.upper) &* inputLine, Eighths(place, isSigned: isSigned), pixels,
      isSigned: isSigned)
    let output = arguments.output + row &* outputLine
    for index in 0..<arguments.columnCount {
      let column = arguments.columns[index]
      mixPixels(
        Int(column.lower), Int(column.upper), Eighths(column, isSigned: isSigned), pixels,
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

/// Pixels as vectors of bytes, the last of which begins so much earlier that it is whole.
///
/// Smaller pixels take one that goes beyond them. What it holds there is overwritten by the next pixel.
private struct BlockedPixels<Size: PixelSize> {
  var channels: Int
  var blocks: Int
  var inputWidth: Int
  var outputWidth: Int
  /// A mixed line, and behind it room for a vector.
  var line: UnsafeMutableRawPointer

  @inline(__always)
  init(_ arguments: ResamplingArguments) {
    channels = arguments.channels
    blocks = Size.isWhole ? (channels &+ sumVectorBytes &- 1) / sumVectorBytes : 1
    inputWidth = arguments.inputWidth
    outputWidth = arguments.columnCount
    line = arguments.scratch
  }

  @inline(__always)
  func firstChannel(_ block: Int) -> Int {
    Size.isWhole ? smaller(block &* sumVectorBytes, channels &- sumVectorBytes) : 0
  }

  /// The bytes of a pixel of the mixed line: even bytes and odd ones of every vector.
  @inline(__always)
  var mixedBytes: Int { 2 &* blocks &* sumVectorBytes }

  @inline(__always)
  private var staging: UnsafeMutableRawPointer { line + inputWidth &* mixedBytes }

  /// Reads a vector of an input line, or what the line has of it.
  @inline(__always)
  func load(_ row: UnsafeRawPointer, _ place: Int) -> SumVector {
    let left = inputWidth &* channels &- place
    if Size.isWhole || left >= sumVectorBytes { return loadSums(row + place) }
    copyEnd(row + place, to: staging, count: left)
    return loadSums(staging)
  }

  /// Writes a vector of an output line, or what the line has room for.
  @inline(__always)
  func write(_ bytes: SumVector, to row: UnsafeMutableRawPointer, _ place: Int) {
    let left = outputWidth &* channels &- place
    if Size.isWhole || left >= sumVectorBytes { return store(bytes, to: row + place) }
    store(bytes, to: staging)
    copyEnd(staging, to: row + place, count: left)
  }
}

/// Every other byte of a vector.
@inline(__always)
private func evenBytes(_ x: SumVector) -> SumVector { x & SumVector(repeating: 0x00FF_00FF) }

/// Mixes two input lines in eighths, with what rounds the result in the end.
@inline(__always)
private func mixLines<Size: PixelSize>(
  _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, _ weights: Eighths,
  _ pixels: BlockedPixels<Size>, isSigned: Bool
) {
  // With the highest bit flipped, signed bytes are 128 more. Half of 64 is four eighths of eight.
  let flip = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  let half = SumVector(repeating: 0x0004_0004), eight = SumVector(repeating: 8)
  var target = pixels.line
  var offset = 0
  for _ in 0..<pixels.inputWidth {
    for block in 0..<pixels.blocks {
      let place = offset &+ pixels.firstChannel(block)
      let a = pixels.load(upper, place) ^ flip, b = pixels.load(lower, place) ^ flip
      store(weights.mix(evenBytes(a), evenBytes(b)) &+ half, to: target)
      let odd = weights.mix(evenBytes(a &>> eight), evenBytes(b &>> eight)) &+ half
      store(odd, to: target + sumVectorBytes)
      target += 2 &* sumVectorBytes
    }
    offset &+= pixels.channels
  }
}

/// Mixes two pixels of the mixed line to one of an output line.
@inline(__always)
private func mixPixels<Size: PixelSize>(
  _ left: Int, _ right: Int, _ weights: Eighths, _ pixels: BlockedPixels<Size>, isSigned: Bool,
  to row: UnsafeMutableRawPointer, _ column: Int
) {
  let flip = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  var left = pixels.line + left &* pixels.mixedBytes
  var right = pixels.line + right &* pixels.mixedBytes
  for block in 0..<pixels.blocks {
    var even = weights.mix(loadSums(left), loadSums(right))
    var odd = weights.mix(loadSums(left + sumVectorBytes), loadSums(right + sumVectorBytes))
    if isSigned {
      even = awayFromZero(even)
      odd = awayFromZero(odd)
    }
    // The odd ones' whole parts, which begin with the seventh bit, are where odd bytes are.
    let bytes =
      evenBytes(even &>> SumVector(repeating: 6))
      | (odd &<< SumVector(repeating: 2)) & SumVector(repeating: Int32(bitPattern: 0xFF00_FF00))
    pixels.write(bytes ^ flip, to: row, column &* pixels.channels &+ pixels.firstChannel(block))
    left += 2 &* sumVectorBytes
    right += 2 &* sumVectorBytes
  }
}

/// A 64th less for what stands for negative numbers, so that their halves are rounded down.
///
/// These are less than 128, which is 2¹³ 64ths, without the half that is added already.
@inline(__always)
private func awayFromZero(_ x: SumVector) -> SumVector {
  let ones = SumVector(repeating: 0x0001_0001), halves = SumVector(repeating: 0x0020_0020)
  let isPositive = ((x &- halves) &>> SumVector(repeating: 13)) & ones
  return x &- ones &+ isPositive
}
