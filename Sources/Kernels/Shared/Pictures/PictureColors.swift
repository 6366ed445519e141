import OcellusKernelABI

// MARK: Other orders of bytes

func recolor(_ arguments: RecolorArguments) {
  switch (arguments.inputOrder, arguments.outputOrder) {
  case (.rgb, .gray): makeGray(arguments, from: .rgb)
  case (.rgba, .gray): makeGray(arguments, from: .rgba)
  case (.bgra, .gray): makeGray(arguments, from: .bgra)
  case (.rgba, .rgb): dropOpacity(arguments, from: .rgba)
  case (.bgra, .rgb): dropOpacity(arguments, from: .bgra)
  default:
    recolorPixels(
      arguments, from: arguments.inputOrder, to: arguments.outputOrder, startingAt: 0)
  }
}

/// Drops the fourth byte of pixels: each 16-byte segment becomes 12 bytes.
@inline(__always)
private func dropOpacity(_ arguments: RecolorArguments, from order: PixelOrder) {
  let pattern = repeated(
    order == .rgba
      ? SIMD4(0x0402_0100, 0x0908_0605, 0x0E0D_0C0A, -1)
      : SIMD4(0x0600_0102, 0x090A_0405, 0x0C0D_0E08, -1))
  var index = 0
  while index &+ SumVector.scalarCount <= arguments.count {
    let pixels = loadSums(arguments.input + index &* 4)
    storeTwelves(shuffled(pixels, by: pattern), to: arguments.output + index &* 3)
    index &+= SumVector.scalarCount
  }
  recolorPixels(arguments, from: order, to: .rgb, startingAt: index)
}

/// Stores 12 bytes of each 16-byte segment contiguously, and 4 arbitrary bytes at the end.
@inline(__always)
private func storeTwelves(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  MutableSegmentPointers(
    first: output, second: output + 12, third: output + 24, fourth: output + 36
  )
  .store(x, 0)
}

@inline(__always)
private func makeGray(_ arguments: RecolorArguments, from order: PixelOrder) {
  let isBlueFirst = order == .bgra
  let step = order.byteCount &* 4
  var index = 0
  // Segments of three-byte pixels read four bytes too many, which do not exist at the end.
  while index &+ SumVector.scalarCount &+ 2 <= arguments.count {
    let input = arguments.input + index &* order.byteCount
    let segments = SegmentPointers(
      first: input, second: input + step, third: input + 2 &* step, fourth: input + 3 &* step
    ).load(0)
    let pixels =
      order == .rgb
      ? shuffled(
        segments,
        by: repeated(
          SIMD4(
            Int32(bitPattern: 0xFF02_0100), Int32(bitPattern: 0xFF05_0403),
            Int32(bitPattern: 0xFF08_0706), Int32(bitPattern: 0xFF0B_0A09)))) : segments
    let byte = SumVector(repeating: 255)
    let first = pixels & byte
    let second = (pixels &>> 8) & byte
    let third = (pixels &>> 16) & byte
    let sum =
      (isBlueFirst ? third : first) &* SumVector(repeating: lumaWeights.red)
      &+ second &* SumVector(repeating: lumaWeights.green)
      &+ (isBlueFirst ? first : third) &* SumVector(repeating: lumaWeights.blue)
    storeBytes((sum &+ SumVector(repeating: 0x8000)) &>> 16, to: arguments.output + index)
    index &+= SumVector.scalarCount
  }
  recolorPixels(arguments, from: order, to: .gray, startingAt: index)
}

/// The luma weights of Pillow's mode L, those of BT.601 in units of 2⁻¹⁶.
private let lumaWeights: (red: Int32, green: Int32, blue: Int32) = (19595, 38470, 7471)

@inline(__always)
private func recolorPixels(
  _ arguments: RecolorArguments, from: PixelOrder, to: PixelOrder, startingAt start: Int
) {
  var input = arguments.input + start &* from.byteCount
  var output = arguments.output + start &* to.byteCount
  var index = start
  while index < arguments.count {
    let (red, green, blue, opacity) = loadPixel(input, from)
    storePixel(red, green, blue, opacity, to: output, to)
    input += from.byteCount
    output += to.byteCount
    index &+= 1
  }
}

@inline(__always)
private func loadPixel(
  _ pixel: UnsafeRawPointer, _ order: PixelOrder
) -> (red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8) {
  switch order {
  case .gray:
    let value = loadByte(pixel)
    return (value, value, value, 255)
  case .rgb: return (loadByte(pixel), loadByte(pixel + 1), loadByte(pixel + 2), 255)
  case .rgba:
    return (loadByte(pixel), loadByte(pixel + 1), loadByte(pixel + 2), loadByte(pixel + 3))
  case .bgra:
    return (loadByte(pixel + 2), loadByte(pixel + 1), loadByte(pixel), loadByte(pixel + 3))
  }
}

@inline(__always)
private func storePixel(
  _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ opacity: UInt8,
  to pixel: UnsafeMutableRawPointer, _ order: PixelOrder
) {
  switch order {
  case .gray:
    let sum =
      Int32(truncatingIfNeeded: red) &* lumaWeights.red
      &+ Int32(truncatingIfNeeded: green) &* lumaWeights.green
      &+ Int32(truncatingIfNeeded: blue) &* lumaWeights.blue
    return store(UInt8(truncatingIfNeeded: (sum &+ 0x8000) &>> 16), to: pixel)
  case .rgb, .rgba:
    store(red, to: pixel)
    store(blue, to: pixel + 2)
  case .bgra:
    store(blue, to: pixel)
    store(red, to: pixel + 2)
  }
  store(green, to: pixel + 1)
  if order != .rgb { store(opacity, to: pixel + 3) }
}

// MARK: Video

func rgbFromYCbCr(_ arguments: YCbCrRowArguments) {
  if arguments.colorStep == 2 {
    convertRow(arguments, isInterleaved: true)
  } else {
    convertRow(arguments, isInterleaved: false)
  }
}

@inline(__always)
private func convertRow(_ arguments: YCbCrRowArguments, isInterleaved: Bool) {
  var index = 0
  if arguments.startsOdd && arguments.count > 0 {
    convertPixel(arguments, 0)
    index = 1
  }
  let lanes = SumVector.scalarCount
  while index &+ 2 &* lanes <= arguments.count {
    let pair = (index &+ 1) / 2 &* arguments.colorStep
    let (red, green, blue) = colors(
      arguments.cb + pair, arguments.cr + pair, arguments.factors, isInterleaved: isInterleaved)
    convert(
      arguments, index, red: doubled(red).low, green: doubled(green).low, blue: doubled(blue).low)
    convert(
      arguments, index &+ lanes, red: doubled(red).high, green: doubled(green).high,
      blue: doubled(blue).high)
    index &+= 2 &* lanes
  }
  while index < arguments.count {
    convertPixel(arguments, index)
    index &+= 1
  }
}

/// Returns the contributions of chroma to the three colours, plus a half for rounding.
@inline(__always)
private func colors(
  _ cbs: UnsafeRawPointer, _ crs: UnsafeRawPointer, _ factors: YCbCrFactors, isInterleaved: Bool
) -> (red: SumVector, green: SumVector, blue: SumVector) {
  let byte = SumVector(repeating: 255)
  let middle = SumVector(repeating: 128)
  let pairs = isInterleaved ? int16sToLanes(cbs) : bytesToLanes(cbs, isSigned: false)
  let cb = (pairs & byte) &- middle
  let cr =
    (isInterleaved ? (pairs &>> 8) & byte : bytesToLanes(crs, isSigned: false)) &- middle
  let half = SumVector(repeating: 1 &<< 19)
  return (
    cr &* SumVector(repeating: factors.redFromCr) &+ half,
    cr &* SumVector(repeating: factors.greenFromCr)
      &+ cb &* SumVector(repeating: factors.greenFromCb) &+ half,
    cb &* SumVector(repeating: factors.blueFromCb) &+ half
  )
}

/// Converts a vector of pixels, given the contributions of chroma.
@inline(__always)
private func convert(
  _ arguments: YCbCrRowArguments, _ index: Int, red: SumVector, green: SumVector, blue: SumVector
) {
  let luma = bytesToLanes(arguments.luma + index, isSigned: false)
  let above = maximum(luma &- SumVector(repeating: arguments.lumaOffset), SumVector())
  let brightness = above &* SumVector(repeating: arguments.factors.luma)
  let pixels = narrowedThree(
    (brightness &+ red) &>> 20, (brightness &+ green) &>> 20, (brightness &+ blue) &>> 20)
  let pattern = repeated(SIMD4(0x0108_0400, 0x0602_0905, 0x0B07_030A, -1))
  storeTwelves(shuffled(pixels, by: pattern), to: arguments.output + index &* 3)
}

@inline(__always)
private func convertPixel(_ arguments: YCbCrRowArguments, _ index: Int) {
  let factors = arguments.factors
  let chromaOffset = (index &+ (arguments.startsOdd ? 1 : 0)) &>> 1 &* arguments.colorStep
  let cb = Int32(truncatingIfNeeded: loadByte(arguments.cb + chromaOffset)) &- 128
  let cr = Int32(truncatingIfNeeded: loadByte(arguments.cr + chromaOffset)) &- 128
  let above = Int32(truncatingIfNeeded: loadByte(arguments.luma + index)) &- arguments.lumaOffset
  let brightness = (above < 0 ? 0 : above) &* factors.luma &+ (1 &<< 19)
  let output = arguments.output + index &* 3
  store(byteOfFraction(brightness &+ cr &* factors.redFromCr), to: output)
  store(
    byteOfFraction(brightness &+ cr &* factors.greenFromCr &+ cb &* factors.greenFromCb),
    to: output + 1)
  store(byteOfFraction(brightness &+ cb &* factors.blueFromCb), to: output + 2)
}

@inline(__always)
private func byteOfFraction(_ sum: Int32) -> UInt8 {
  let value = sum &>> 20
  return UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
}

// MARK: Floats for networks

/// Normalizes by subtraction and division; a reciprocal would round differently.
func normalize(_ arguments: NormalizationArguments) {
  let lanes = FloatVector.scalarCount
  var index = 0
  var phase = 0
  while index &+ lanes <= arguments.count {
    let values = floats(bytesToLanes(arguments.input + index, isSigned: false))
    let means = loadFloats(arguments.means + phase)
    let deviations = loadFloats(arguments.deviations + phase)
    store((values - means) / deviations, to: arguments.output + index &* 4)
    index &+= lanes
    phase = phase &+ lanes == NormalizationArguments.period ? 0 : phase &+ lanes
  }
  while index < arguments.count {
    let periodIndex = index % NormalizationArguments.period
    let value =
      (Float(loadByte(arguments.input + index)) - arguments.means[periodIndex])
      / arguments.deviations[periodIndex]
    store(value, to: arguments.output + index &* 4)
    index &+= 1
  }
}
