import OcellusKernelABI

// MARK: Other orders of bytes

func recolor(_ arguments: RecolorArguments) {
  switch (arguments.inputOrder, arguments.outputOrder) {
  case (.rgb, .gray): recolor(arguments, from: .rgb, to: .gray)
  case (.rgba, .gray): recolor(arguments, from: .rgba, to: .gray)
  case (.bgra, .gray): recolor(arguments, from: .bgra, to: .gray)
  case (.rgba, .rgb): recolor(arguments, from: .rgba, to: .rgb)
  case (.bgra, .rgb): recolor(arguments, from: .bgra, to: .rgb)
  default: recolor(arguments, from: arguments.inputOrder, to: arguments.outputOrder)
  }
}

@inline(__always)
private func recolor(_ arguments: RecolorArguments, from: PixelOrder, to: PixelOrder) {
  var input = arguments.input
  var output = arguments.output
  for _ in 0..<arguments.count {
    let (red, green, blue, opacity) = loadPixel(input, from)
    storePixel(red, green, blue, opacity, to: output, to)
    input += from.byteCount
    output += to.byteCount
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
  case .gray: return store(luma(red, green, blue), to: pixel)
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

/// The brightness as Pillow computes its mode L: the weights of BT.601 in units of 2⁻¹⁶.
@inline(__always)
private func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
  let sum =
    Int32(truncatingIfNeeded: red) &* 19595 &+ Int32(truncatingIfNeeded: green) &* 38470
    &+ Int32(truncatingIfNeeded: blue) &* 7471 &+ 0x8000
  return UInt8(truncatingIfNeeded: sum &>> 16)
}

// MARK: Video

func rgbFromYCbCr(_ arguments: YCbCrRowArguments) {
  let factors = arguments.factors
  var output = arguments.output
  var place = arguments.startsOdd ? 1 : 0
  for index in 0..<arguments.count {
    let color = place &>> 1 &* arguments.colorStep
    let cb = Int32(truncatingIfNeeded: loadByte(arguments.cb + color)) &- 128
    let cr = Int32(truncatingIfNeeded: loadByte(arguments.cr + color)) &- 128
    let above = Int32(truncatingIfNeeded: loadByte(arguments.luma + index)) &- arguments.lumaOffset
    let brightness = (above < 0 ? 0 : above) &* factors.luma &+ 1 &<< 19
    store(byteOfFraction(brightness &+ cr &* factors.redFromCr), to: output)
    store(
      byteOfFraction(brightness &+ cr &* factors.greenFromCr &+ cb &* factors.greenFromCb),
      to: output + 1)
    store(byteOfFraction(brightness &+ cb &* factors.blueFromCb), to: output + 2)
    output += 3
    place &+= 1
  }
}

@inline(__always)
private func byteOfFraction(_ sum: Int32) -> UInt8 {
  let value = sum &>> 20
  return UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
}
