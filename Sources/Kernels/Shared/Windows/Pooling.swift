import OcellusKernelABI

// One vector of channels at a time goes over its window. Vectors read and write beyond the
// channels of a pixel where that stays inside the tensor and the line: what they write there is
// overwritten by the next pixel. At the ends they go through scratch memory.

var pooling: Pooling {
  Pooling(
    maximumFloat: maximumFloat, averageFloat: averageFloat,
    maximumUInt8: { maximumOfBytes($0, isSigned: false) },
    maximumInt8: { maximumOfBytes($0, isSigned: true) },
    averageUInt8: { averageOfBytes($0, isSigned: false) },
    averageInt8: { averageOfBytes($0, isSigned: true) },
    maximumFloatWithPlace: maximumFloatWithPlace, unpoolFloat: unpoolFloat,
    scratchByteCount: 3 &* sumVectorBytes)
}

// MARK: Floats

private let lowestFloat = -Float.greatestFiniteMagnitude

private func maximumFloat(_ arguments: PoolingArguments) {
  let low = FloatVector(repeating: arguments.lowerBound)
  let high = FloatVector(repeating: arguments.upperBound)
  pool(
    arguments, elementBytes: 4, lanes: FloatVector.scalarCount,
    initial: FloatVector(repeating: lowestFloat), window: { $0 },
    add: { largest, pixel, _ in maximum(loadFloats(pixel), largest) },
    finish: { largest, _, target, _ in store(clamp(largest, low, high), to: target) })
}

private func averageFloat(_ arguments: PoolingArguments) {
  let low = FloatVector(repeating: arguments.lowerBound)
  let high = FloatVector(repeating: arguments.upperBound)
  pool(
    arguments, elementBytes: 4, lanes: FloatVector.scalarCount, initial: FloatVector.zero,
    window: { WholeDivisor(Float($0)) },
    add: { sum, pixel, _ in sum + loadFloats(pixel) },
    finish: { sum, divisor, target, _ in store(clamp(divisor(sum), low, high), to: target) })
}

private func maximumFloatWithPlace(_ arguments: PoolingArguments) {
  let low = FloatVector(repeating: arguments.lowerBound)
  let high = FloatVector(repeating: arguments.upperBound)
  pool(
    arguments, elementBytes: 4, lanes: FloatVector.scalarCount,
    initial: (largest: FloatVector(repeating: lowestFloat), place: SumVector()), window: { $0 },
    add: { best, pixel, place in
      let larger = maximum(loadFloats(pixel), best.largest)
      let changed = nonZeroLanes(
        asLanes(larger)
          ^ asLanes(best.largest))
      let places = SumVector(repeating: Int32(truncatingIfNeeded: place))
      return (larger, (places & changed) | (best.place & ~changed))
    },
    finish: { best, _, target, placeTarget in
      store(clamp(best.largest, low, high), to: target)
      // Readers who cut off the fraction find the whole number.
      store(floats(best.place) + FloatVector(repeating: 0.1), to: placeTarget)
    })
}

// MARK: Bytes

@inline(__always)
private func maximumOfBytes(_ arguments: PoolingArguments, isSigned: Bool) {
  let low = repeatedByte(arguments.lowerBound), high = repeatedByte(arguments.upperBound)
  pool(
    arguments, elementBytes: 1, lanes: sumVectorBytes, initial: low, window: { $0 },
    add: { largest, pixel, _ in
      maximumOfBytes(loadSums(pixel), largest, isSigned: isSigned)
    },
    finish: { largest, _, target, _ in
      store(~maximumOfBytes(~largest, ~high, isSigned: isSigned), to: target)
    })
}

@inline(__always)
private func repeatedByte(_ value: Float) -> SumVector {
  SumVector(repeating: Int32(truncatingIfNeeded: (Int64(value) & 0xFF) &* 0x0101_0101))
}

/// The quotient of floats has the right whole part, since both numbers stay below 2²⁴.
@inline(__always)
private func averageOfBytes(_ arguments: PoolingArguments, isSigned: Bool) {
  let low = SumVector(repeating: Int32(arguments.lowerBound))
  let high = SumVector(repeating: Int32(arguments.upperBound))
  pool(
    arguments, elementBytes: 1, lanes: SumVector.scalarCount, initial: SumVector(),
    window: { $0 },
    add: { sum, pixel, _ in sum &+ bytesToLanes(pixel, isSigned: isSigned) },
    finish: { sum, count, target, _ in
      let half = SumVector(repeating: Int32(truncatingIfNeeded: count / 2))
      let sign = sum &>> 31
      let mean = truncated(
        floats(sum &+ ((half ^ sign) &- sign))
          / FloatVector(repeating: Float(larger(count, 1))))
      storeBytes(minimum(high, maximum(low, mean)), to: target)
    })
}

// MARK: Windows

/// Reduces the windows of some lines: `window` prepares for windows of so many pixels, `add` takes one
/// pixel into a partial result, by its address and its number in the window, and `finish` stores the result
/// of a window.
@inline(__always)
private func pool<Partial, Window>(
  _ arguments: PoolingArguments, elementBytes: Int, lanes: Int, initial: Partial,
  window makeWindow: (_ count: Int) -> Window,
  add: (_ partial: Partial, _ pixel: UnsafeRawPointer, _ place: Int) -> Partial,
  finish: (
    _ partial: Partial, _ window: Window, _ target: UnsafeMutableRawPointer,
    _ placeTarget: UnsafeMutableRawPointer
  ) -> Void
) {
  let windows = arguments.windows
  let pixelBytes = windows.pixelStride &* elementBytes
  let lineBytes = windows.inputWidth &* pixelBytes
  let outputLineBytes = windows.outputWidth &* pixelBytes
  let inputBytes = arguments.imageCount &* windows.inputHeight &* lineBytes
  let vectorBytes = lanes &* elementBytes
  let staging = arguments.scratch
  // At the edges windows have fewer pixels; most have the same number as the one before.
  var pixelCount = windows.windowHeight &* windows.windowWidth
  var window = makeWindow(pixelCount)
  for line in arguments.lines {
    let image = line / windows.outputHeight
    let y = (line &- image &* windows.outputHeight) &* windows.strideHeight
    let rows = Span(at: y &- windows.paddingTop, windows.windowHeight, in: windows.inputHeight)
    let inputLine = image &* windows.inputHeight &+ y &- windows.paddingTop &+ rows.first
    for column in 0..<windows.outputWidth {
      let x = column &* windows.strideWidth &- windows.paddingLeft
      let columns = Span(at: x, windows.windowWidth, in: windows.inputWidth)
      let corner = inputLine &* lineBytes &+ (x &+ columns.first) &* pixelBytes
      let lastPixel =
        corner &+ (rows.count &- 1) &* lineBytes &+ (columns.count &- 1) &* pixelBytes
      let firstPlace = rows.first &* windows.windowWidth &+ columns.first
      let windowPlace = line &* outputLineBytes &+ column &* pixelBytes
      if rows.count &* columns.count != pixelCount {
        pixelCount = rows.count &* columns.count
        window = makeWindow(pixelCount)
      }
      var offset = 0
      // Several vectors at a time go along the lines of the memory instead of across, and need not
      // wait for each other. The last one overlaps those before.
      @inline(__always)
      func reduceVectors(_ count: Int) {
        let last = pixelBytes &- vectorBytes
        let first = smaller(offset, last), second = smaller(offset &+ vectorBytes, last)
        let third = smaller(offset &+ 2 &* vectorBytes, last)
        let fourth = smaller(offset &+ 3 &* vectorBytes, last)
        var partials = (initial, initial, initial, initial)
        for row in 0..<rows.count {
          for tap in 0..<columns.count {
            let pixel = arguments.input + (corner &+ row &* lineBytes &+ tap &* pixelBytes)
            let place = firstPlace &+ row &* windows.windowWidth &+ tap
            partials.0 = add(partials.0, pixel + first, place)
            if count > 1 { partials.1 = add(partials.1, pixel + second, place) }
            if count > 2 { partials.2 = add(partials.2, pixel + third, place) }
            if count > 3 { partials.3 = add(partials.3, pixel + fourth, place) }
          }
        }
        let target = arguments.output + windowPlace
        let placeTarget = (arguments.places ?? arguments.output) + windowPlace
        finish(partials.0, window, target + first, placeTarget + first)
        if count > 1 { finish(partials.1, window, target + second, placeTarget + second) }
        if count > 2 { finish(partials.2, window, target + third, placeTarget + third) }
        if count > 3 { finish(partials.3, window, target + fourth, placeTarget + fourth) }
        offset &+= count &* vectorBytes
      }
      while pixelBytes >= vectorBytes && offset < pixelBytes {
        let rest = pixelBytes &- offset
        if rest > 3 &* vectorBytes {
          reduceVectors(4)
        } else if rest > 2 &* vectorBytes {
          reduceVectors(3)
        } else if rest > vectorBytes {
          reduceVectors(2)
        } else {
          reduceVectors(1)
        }
      }
      while offset < pixelBytes {
        let width = smaller(pixelBytes &- offset, vectorBytes)
        var partial = initial
        var pixel = arguments.input + (corner &+ offset)
        if lastPixel &+ offset &+ vectorBytes <= inputBytes {
          for row in 0..<rows.count {
            for tap in 0..<columns.count {
              partial = add(
                partial, pixel + tap &* pixelBytes,
                firstPlace &+ row &* windows.windowWidth &+ tap)
            }
            pixel += lineBytes
          }
        } else {
          for row in 0..<rows.count {
            for tap in 0..<columns.count {
              copyEnd(pixel + tap &* pixelBytes, to: staging, count: width)
              partial = add(
                partial, UnsafeRawPointer(staging),
                firstPlace &+ row &* windows.windowWidth &+ tap)
            }
            pixel += lineBytes
          }
        }
        let place = windowPlace &+ offset
        let target = arguments.output + place
        let placeTarget = (arguments.places ?? arguments.output) + place
        if column &* pixelBytes &+ offset &+ vectorBytes <= outputLineBytes {
          finish(partial, window, target, placeTarget)
        } else {
          let results = staging + sumVectorBytes, resultPlaces = results + sumVectorBytes
          finish(partial, window, results, resultPlaces)
          if arguments.places != nil { copyEnd(resultPlaces, to: placeTarget, count: width) }
          copyEnd(results, to: target, count: width)
        }
        offset &+= vectorBytes
      }
    }
  }
}

/// The part of a window along one axis that lies inside the input.
private struct Span {
  var first: Int
  var count: Int

  @inline(__always)
  init(at origin: Int, _ extent: Int, in inputExtent: Int) {
    first = larger(0 &- origin, 0)
    count = larger(smaller(extent, inputExtent &- origin) &- first, 0)
  }
}

// MARK: Unpooling

private func unpoolFloat(_ arguments: UnpoolingArguments) -> Bool {
  let channels = arguments.channels, columnCount = arguments.columnCount
  let outputLine = columnCount &* arguments.windowWidth &* channels
  let placeCount = arguments.windowHeight &* arguments.windowWidth
  var areInside = true
  for line in arguments.lines {
    let firstLine = arguments.output + line &* arguments.windowHeight &* outputLine
    for column in 0..<columnCount {
      let pixel = (line &* columnCount &+ column) &* channels
      let window = firstLine + column &* arguments.windowWidth &* channels
      for place in 0..<placeCount {
        let row = place / arguments.windowWidth
        let target =
          window + (row &* outputLine &+ (place &- row &* arguments.windowWidth) &* channels)
        spread(
          arguments.input + pixel, arguments.places + pixel, place: place, channels: channels,
          to: target)
      }
      for channel in 0..<channels {
        let place = arguments.places[pixel &+ channel]
        // NaN and negative numbers have places of their own in the reference.
        if !(place >= 0 && place < Float(placeCount)) { areInside = false }
      }
    }
  }
  return areInside
}

/// Stores the floats whose place is the given one, and zero for the others.
@inline(__always)
private func spread(
  _ values: UnsafePointer<Float>, _ places: UnsafePointer<Float>, place: Int, channels: Int,
  to target: UnsafeMutablePointer<Float>
) {
  let lanes = FloatVector.scalarCount
  let wanted = SumVector(repeating: Int32(truncatingIfNeeded: place))
  var channel = 0
  while channel &+ lanes <= channels {
    let others = nonZeroLanes(truncated(loadFloats(places + channel)) ^ wanted)
    let value = loadSums(values + channel) & ~others
    store(value, to: UnsafeMutableRawPointer(target + channel))
    channel &+= lanes
  }
  while channel < channels {
    let isHere = places[channel] >= Float(place) && places[channel] < Float(place &+ 1)
    target[channel] = isHere ? values[channel] : 0
    channel &+= 1
  }
}
