import OcellusKernelABI

// XNNPACK's bilinear interpolation: along a row first, then between rows, with distances in single
// precision, or in units of 1/2048 pixel for bytes.

extension Resize {
  func delegatedNeighbors(_ position: Int, _ input: Int, _ output: Int) -> Neighbors<Float> {
    let scale = scale(from: input, to: output)
    let offset = 0.5 * scale - 0.5
    // Compilers for Arm fuse this sum.
    let center =
      fusesMixes
      ? offset.addingProduct(Float(position), scale) : Float(position) * scale + offset
    let coordinate = hasHalfPixelCenters ? max(center, 0) : Float(position) * scale
    let bounded = min(coordinate, Float(input - 1))
    let lower = Int(bounded)
    return Neighbors(
      lower: lower, upper: min(lower + 1, input - 1), fraction: bounded - Float(lower))
  }

  func delegatedFixedPointNeighbors(
    _ position: Int, _ input: Int, _ output: Int
  ) -> Neighbors<Int> {
    let neighbors = delegatedNeighbors(position, input, output)
    return Neighbors(
      lower: neighbors.lower, upper: neighbors.upper,
      fraction: Int((neighbors.fraction * 0x1p11).rounded(.toNearestOrEven)))
  }

  @inline(__always)
  static func mixOfXNNPACK(_ corners: Corners<Float>, _ y: Float, _ x: Float) -> Float {
    let top = corners.topLeft + (corners.topRight - corners.topLeft) * x
    let bottom = corners.bottomLeft + (corners.bottomRight - corners.bottomLeft) * x
    return top + (bottom - top) * y
  }

  @inline(__always)
  static func mixOfArmXNNPACK(_ corners: Corners<Float>, _ y: Float, _ x: Float) -> Float {
    let top = FusedMixing.alongRow(corners.topLeft, corners.topRight, x)
    let bottom = FusedMixing.alongRow(corners.bottomLeft, corners.bottomRight, x)
    return FusedMixing.betweenRows(top, bottom, y)
  }

  @inline(__always)
  static func mixOfXNNPACK<Element: FixedWidthInteger>(
    _ corners: Corners<Element>, _ y: Int, _ x: Int
  ) -> Element {
    let (left, lowerLeft) = (Int(corners.topLeft), Int(corners.bottomLeft))
    let top = left << 11 + (Int(corners.topRight) - left) * x
    let bottom = lowerLeft << 11 + (Int(corners.bottomRight) - lowerLeft) * x
    return Element(truncatingIfNeeded: (top << 11 + (bottom - top) * y + 1 << 21) >> 22)
  }
}

// MARK: - Steps

extension Resize {
  /// Returns a step that mixes neighbours along a row first, in both input rows between which an
  /// output row lies: adjacent output rows of an enlarged image lie between the same.
  func delegatedStep(_ context: PlanContext) throws(ModelError) -> Step? {
    switch context.node.outputs[0].type {
    case .float32 where fusesMixes:
      try delegatedStep(context, FusedMixing.self, between: delegatedNeighbors)
    case .float32:
      try delegatedStep(context, FloatMixing.self, between: delegatedNeighbors)
    case .int8:
      try delegatedStep(context, ByteMixing<Int8>.self, between: delegatedFixedPointNeighbors)
    case .uint8:
      try delegatedStep(context, ByteMixing<UInt8>.self, between: delegatedFixedPointNeighbors)
    default: nil
    }
  }

  private func delegatedStep<Mixing: DelegatedMixing>(
    _ context: PlanContext, _: Mixing.Type,
    between neighbors: (_ position: Int, _ input: Int, _ output: Int) -> Neighbors<Mixing.Fraction>
  ) throws(ModelError) -> Step? {
    let output = context.outputShapes[0]
    let (height, width) = (output[1], output[2])
    guard let input = context.inputShapes[0], height + width <= Self.maximumTableLength,
      saturatingProduct(max(width, input[2]), input[3]) <= Self.longestRow
    else { return nil }
    typealias Position = Neighbors<Mixing.Fraction>
    let table = try context.makeTable(
      byteCount: (height + width) * MemoryLayout<Position>.stride)
    let positions = table.base.bindMemory(to: Position.self, capacity: height + width)
    for y in 0..<height { positions[y] = neighbors(y, input[1], height) }
    for x in 0..<width { positions[height + x] = neighbors(x, input[2], width) }

    let rowBytes = ArenaPlanner.aligned(
      saturatingProduct(width, input[3], MemoryLayout<Mixing.Number>.stride))
    let grid = WorkItemGrid(
      rows: output[0] * height, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: output.elementCount, threadCount: context.threadCount,
      maximumBlockWork: Step.longestSlice)
    return Step(
      kernelName: "bilinear \(context.node.outputs[0].type.name)",
      scratchByteCount: 2 * rowBytes * grid.count, itemCount: grid.count
    ) { step, item in
      let scratch = step.scratch + 2 * item * rowBytes
      var rows = DelegatedRows<Mixing>(
        input: input, positions: table.base.assumingMemoryBound(to: Position.self),
        height: height, width: width,
        source: step.input(0).assumingMemoryBound(to: Mixing.Element.self),
        upper: scratch.assumingMemoryBound(to: Mixing.Number.self),
        lower: (scratch + rowBytes).assumingMemoryBound(to: Mixing.Number.self))
      let target = step.output(0).assumingMemoryBound(to: Mixing.Element.self)
      grid.forEachBlock(of: item, step.workers) { block, _ in
        for row in block { rows.mix(row, to: target + row * width * input[3]) }
      }
    }
  }
}

/// The arithmetic of one type.
private protocol DelegatedMixing: SendableMetatype {
  associatedtype Element: BitwiseCopyable
  associatedtype Fraction: BitwiseCopyable
  /// A number between two elements of a row.
  associatedtype Number: BitwiseCopyable

  static func alongRow(_ left: Element, _ right: Element, _ x: Fraction) -> Number
  static func betweenRows(_ top: Number, _ bottom: Number, _ y: Fraction) -> Element
}

private enum FloatMixing: DelegatedMixing {
  @inline(__always)
  static func alongRow(_ left: Float, _ right: Float, _ x: Float) -> Float {
    left + (right - left) * x
  }

  @inline(__always)
  static func betweenRows(_ top: Float, _ bottom: Float, _ y: Float) -> Float {
    top + (bottom - top) * y
  }
}

/// Floats with fused multiply-adds.
private enum FusedMixing: DelegatedMixing {
  @inline(__always)
  static func alongRow(_ left: Float, _ right: Float, _ x: Float) -> Float {
    left.addingProduct(right - left, x)
  }

  @inline(__always)
  static func betweenRows(_ top: Float, _ bottom: Float, _ y: Float) -> Float {
    top.addingProduct(bottom - top, y)
  }
}

/// Bytes with distances in units of 1/2048: the greatest numbers have 30 bits.
private enum ByteMixing<Element: FixedWidthInteger & BitwiseCopyable & SendableMetatype>:
  DelegatedMixing
{
  @inline(__always)
  static func alongRow(_ left: Element, _ right: Element, _ x: Int) -> Int32 {
    let start = Int32(truncatingIfNeeded: left)
    let difference = Int32(truncatingIfNeeded: right) &- start
    return start &<< 11 &+ difference &* Int32(truncatingIfNeeded: x)
  }

  @inline(__always)
  static func betweenRows(_ top: Int32, _ bottom: Int32, _ y: Int) -> Element {
    let difference = (bottom &- top) &* Int32(truncatingIfNeeded: y)
    return Element(truncatingIfNeeded: (top &<< 11 &+ difference &+ 1 &<< 21) &>> 22)
  }
}

/// The two input rows around an output row, mixed along the row.
private struct DelegatedRows<Mixing: DelegatedMixing> {
  let input: Shape
  /// The neighbours of all output rows, and then of all columns.
  let positions: UnsafePointer<Neighbors<Mixing.Fraction>>
  let height: Int
  let width: Int
  let source: UnsafePointer<Mixing.Element>
  var upper: UnsafeMutablePointer<Mixing.Number>
  var lower: UnsafeMutablePointer<Mixing.Number>
  /// The input rows, counted over all images, that are in `upper` and `lower`.
  private var upperRow = -1
  private var lowerRow = -1

  init(
    input: Shape, positions: UnsafePointer<Neighbors<Mixing.Fraction>>, height: Int, width: Int,
    source: UnsafePointer<Mixing.Element>, upper: UnsafeMutablePointer<Mixing.Number>,
    lower: UnsafeMutablePointer<Mixing.Number>
  ) {
    (self.input, self.positions, self.height, self.width) = (input, positions, height, width)
    (self.source, self.upper, self.lower) = (source, upper, lower)
  }

  /// Computes an output row, counted over all images.
  mutating func mix(_ row: Int, to results: UnsafeMutablePointer<Mixing.Element>) {
    let (image, y) = row.quotientAndRemainder(dividingBy: height)
    let position = positions[y]
    prepare(image * input[1] + position.lower, image * input[1] + position.upper)
    let (top, bottom) = (UnsafePointer(upper), UnsafePointer(lower))
    for index in 0..<width * input[3] {
      results[index] = Mixing.betweenRows(top[index], bottom[index], position.fraction)
    }
  }

  private mutating func prepare(_ top: Int, _ bottom: Int) {
    if lowerRow == top, upperRow != top {
      (upper, lower) = (lower, upper)
      (upperRow, lowerRow) = (lowerRow, upperRow)
    }
    if upperRow != top {
      mixAlongRow(top, to: upper)
      upperRow = top
    }
    if lowerRow != bottom {
      mixAlongRow(bottom, to: lower)
      lowerRow = bottom
    }
  }

  private func mixAlongRow(_ row: Int, to numbers: UnsafeMutablePointer<Mixing.Number>) {
    let channels = input[3]
    let pixels = source + row * input[2] * channels
    var target = numbers
    for index in 0..<width {
      let column = positions[height + index]
      let (left, right) = (pixels + column.lower * channels, pixels + column.upper * channels)
      for channel in 0..<channels {
        target[channel] = Mixing.alongRow(left[channel], right[channel], column.fraction)
      }
      target += channels
    }
  }
}
