import OcellusKernelABI

var pictures: PictureKernels {
  PictureKernels(
    fixedAlong: { alongRow($0, channels: fixedAlong) }, fixedAcross: fixedAcross,
    linearAlong: { alongRow($0, channels: linearAlong) }, linearAcross: linearAcross,
    areaAlong: { alongRow($0, channels: areaAlong) }, areaAcross: areaAcross,
    bilinear: bilinearRow, nearest: { alongRow($0, channels: nearestAlong) },
    recolored: recolor, rgbFromYCbCr: rgbFromYCbCr)
}

/// A body for every number of channels, which it can then take for a literal.
@inline(__always)
private func alongRow(
  _ arguments: AlongRowArguments, channels body: (AlongRowArguments, Int) -> Void
) {
  switch arguments.channels {
  case 1: body(arguments, 1)
  case 2: body(arguments, 2)
  case 3: body(arguments, 3)
  default: body(arguments, 4)
  }
}

// MARK: Pillow's fixed point

@inline(__always)
private func fixedByte(_ sum: Int32) -> UInt8 {
  let value = sum &>> 22
  return UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
}

@inline(__always)
private func fixedAlong(_ arguments: AlongRowArguments, channels: Int) {
  var weights = arguments.weights
  var output = arguments.output
  for index in 0..<arguments.count {
    let first = arguments.input + Int(arguments.firsts[index]) &* channels
    for channel in 0..<channels {
      var sum: Int32 = 1 &<< 21
      for tap in 0..<arguments.taps {
        let value = Int32(truncatingIfNeeded: loadByte(first + (tap &* channels &+ channel)))
        sum = sum &+ value &* loadInt32(weights + tap &* 4)
      }
      store(fixedByte(sum), to: output + channel)
    }
    weights += arguments.taps &* 4
    output += channels
  }
}

private func fixedAcross(_ arguments: AcrossRowsArguments) {
  for index in 0..<arguments.count {
    var sum: Int32 = 1 &<< 21
    for tap in 0..<arguments.taps {
      let value = Int32(truncatingIfNeeded: loadByte(arguments.rows[tap] + index))
      sum = sum &+ value &* loadInt32(arguments.weights + tap &* 4)
    }
    store(fixedByte(sum), to: arguments.output + index)
  }
}

// MARK: OpenCV's linear interpolation

@inline(__always)
private func linearAlong(_ arguments: AlongRowArguments, channels: Int) {
  let next = arguments.taps > 1 ? channels : 0
  for index in 0..<arguments.count {
    let first = arguments.input + Int(arguments.firsts[index]) &* channels
    let near = Int32(loadInt16(arguments.weights + index &* 4))
    let far = Int32(loadInt16(arguments.weights + (index &* 4 &+ 2)))
    for channel in 0..<channels {
      let sum =
        Int32(truncatingIfNeeded: loadByte(first + channel)) &* near
        &+ Int32(truncatingIfNeeded: loadByte(first + (channel &+ next))) &* far
      store(
        Int16(truncatingIfNeeded: sum &>> 4),
        to: arguments.output + (index &* channels &+ channel) &* 2)
    }
  }
}

private func linearAcross(_ arguments: AcrossRowsArguments) {
  let (upper, lower) = (arguments.rows[0], arguments.rows[1])
  let near = Int32(loadInt16(arguments.weights))
  let far = Int32(loadInt16(arguments.weights + 2))
  for index in 0..<arguments.count {
    let sum =
      (Int32(loadInt16(upper + index &* 2)) &* near) &>> 16
      &+ (Int32(loadInt16(lower + index &* 2)) &* far) &>> 16 &+ 2
    store(UInt8(truncatingIfNeeded: sum &>> 2), to: arguments.output + index)
  }
}

// MARK: OpenCV's mean over areas

@inline(__always)
private func areaAlong(_ arguments: AlongRowArguments, channels: Int) {
  var weights = arguments.weights
  for index in 0..<arguments.count {
    let first = arguments.input + Int(arguments.firsts[index]) &* channels
    for channel in 0..<channels {
      var sum: Float = 0
      for tap in 0..<arguments.taps {
        let value = Float(loadByte(first + (tap &* channels &+ channel)))
        sum += value * loadFloat(weights + tap &* 4)
      }
      store(sum, to: arguments.output + (index &* channels &+ channel) &* 4)
    }
    weights += arguments.taps &* 4
  }
}

private func areaAcross(_ arguments: AcrossRowsArguments) {
  for index in 0..<arguments.count {
    var sum: Float = 0
    for tap in 0..<arguments.taps {
      sum += loadFloat(arguments.rows[tap] + index &* 4) * loadFloat(arguments.weights + tap &* 4)
    }
    let rounded = (sum * arguments.scale + arguments.offset).rounded(.toNearestOrEven)
    let value = Int32(rounded)
    store(
      UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value),
      to: arguments.output + index)
  }
}

// MARK: TensorFlow's bilinear interpolation

private func bilinearRow(_ arguments: BilinearRowArguments) {
  let channels = arguments.channels
  var output = arguments.output
  for index in 0..<arguments.count {
    let place = arguments.columns[index]
    let left = Int(place.lower) &* channels, right = Int(place.upper) &* channels
    let near = Float(bitPattern: UInt32(bitPattern: place.lowerWeight))
    let far = Float(bitPattern: UInt32(bitPattern: place.upperWeight))
    for channel in 0..<channels {
      let topLeft = Float(loadByte(arguments.upper + (left &+ channel)))
      let bottomLeft = Float(loadByte(arguments.lower + (left &+ channel)))
      let topRight = Float(loadByte(arguments.upper + (right &+ channel)))
      let bottomRight = Float(loadByte(arguments.lower + (right &+ channel)))
      let mixed =
        topLeft * arguments.upperWeight * near + bottomLeft * arguments.lowerWeight * near
        + topRight * arguments.upperWeight * far + bottomRight * arguments.lowerWeight * far
      let value = Int32(mixed + 0.5)
      store(
        UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value), to: output + channel)
    }
    output += channels
  }
}

// MARK: Nearest neighbours

@inline(__always)
private func nearestAlong(_ arguments: AlongRowArguments, channels: Int) {
  var output = arguments.output
  for index in 0..<arguments.count {
    let pixel = arguments.input + Int(arguments.firsts[index]) &* channels
    for channel in 0..<channels { store(loadByte(pixel + channel), to: output + channel) }
    output += channels
  }
}
