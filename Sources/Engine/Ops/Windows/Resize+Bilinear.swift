/// The two input pixels on both sides of an output pixel along an axis.
struct Neighbors<Fraction: BitwiseCopyable>: BitwiseCopyable {
  var lower: Int
  var upper: Int
  /// The distance of the output pixel from the lower one; negative before the first pixel, where
  /// both neighbours are the same.
  var fraction: Fraction
}

/// The four input elements around an output element.
struct Corners<Element> {
  var topLeft: Element
  var bottomLeft: Element
  var topRight: Element
  var bottomRight: Element

  @inline(__always)
  func map<Other>(_ convert: (Element) -> Other) -> Corners<Other> {
    Corners<Other>(
      topLeft: convert(topLeft), bottomLeft: convert(bottomLeft), topRight: convert(topRight),
      bottomRight: convert(bottomRight))
  }
}

extension Resize {
  /// Resizes images of any type; only the neighbours and the mixing of corners depend on the type.
  @inline(__always)
  func interpolate<Element: BitwiseCopyable, Fraction: BitwiseCopyable>(
    _ context: RunContext, of _: Element.Type,
    between neighbors: (_ position: Int, _ input: Int, _ output: Int) -> Neighbors<Fraction>,
    mix: (_ corners: Corners<Element>, _ y: Fraction, _ x: Fraction) -> Element
  ) throws(ModelError) {
    let (inputShape, outputShape) = (context.input(0).shape, context.output(0).shape)
    let (input, output) = (
      context.input(0).values(Element.self), context.output(0).values(Element.self)
    )
    let (height, width, depth) = (outputShape[1], outputShape[2], outputShape[3])
    try context.withScratch(Neighbors<Fraction>.self, count: width) { columns in
      for chunk in context.chunks(of: width) {
        for x in chunk { columns[x] = neighbors(x, inputShape[2], width) }
      }
      var target = 0
      var question = StoppableWork(context.control)
      for row in 0..<outputShape[0] * height {
        let (image, y) = row.quotientAndRemainder(dividingBy: height)
        let rows = neighbors(y, inputShape[1], height)
        let top = (image * inputShape[1] + rows.lower) * inputShape[2]
        let bottom = (image * inputShape[1] + rows.upper) * inputShape[2]
        for column in columns {
          let (left, right) = (column.lower, column.upper)
          for chunk in context.chunks(of: depth) {
            for channel in chunk {
              let corners = Corners(
                topLeft: input[(top + left) * depth + channel],
                bottomLeft: input[(bottom + left) * depth + channel],
                topRight: input[(top + right) * depth + channel],
                bottomRight: input[(bottom + right) * depth + channel])
              output[target] = mix(corners, rows.fraction, column.fraction)
              target += 1
            }
          }
          if question.isOver(after: 1 + depth) { return }
        }
      }
    }
  }

  // MARK: Float arithmetic

  func floatNeighbors(_ position: Int, _ input: Int, _ output: Int) -> Neighbors<Float> {
    let scale = scale(from: input, to: output)
    let coordinate =
      hasHalfPixelCenters ? (Float(position) + 0.5) * scale - 0.5 : Float(position) * scale
    let lower = min(max(Int(saturating: coordinate.rounded(.down)), 0), input - 1)
    let upper = min(Int(saturating: coordinate.rounded(.up)), input - 1)
    return Neighbors(lower: lower, upper: upper, fraction: coordinate - Float(lower))
  }

  /// Returns the bilinear mean of the corners, in the order of the reference kernel.
  @inline(__always)
  static func mix(_ corners: Corners<Float>, _ y: Float, _ x: Float) -> Float {
    corners.topLeft * (1 - y) * (1 - x) + corners.bottomLeft * y * (1 - x)
      + corners.topRight * (1 - y) * x + corners.bottomRight * y * x
  }

  // MARK: Fixed-point arithmetic

  /// Returns the neighbours of an output pixel, with distances in units of 1/1024 pixel.
  func fixedPointNeighbors(_ position: Int, _ input: Int, _ output: Int) -> Neighbors<Int> {
    let one = 1 << 10
    let isAligned = alignsCorners && output > 1
    let (from, to) = isAligned ? (input - 1, output - 1) : (input, output)
    let scale = (one * from + to / 2) / to
    let coordinate = position * scale + (hasHalfPixelCenters ? scale / 2 - one / 2 : 0)
    let lower = min(max(coordinate / one, 0), input - 1)
    let upper = min((coordinate + one - 1) / one, input - 1)
    return Neighbors(lower: lower, upper: upper, fraction: coordinate - one * lower)
  }

  /// Returns the bilinear mean in fixed point, rounded to nearest with ties away from zero.
  @inline(__always)
  static func mix<Element: FixedWidthInteger>(
    _ corners: Corners<Element>, _ y: Int, _ x: Int
  ) -> Element {
    let one = 1 << 10
    let sum =
      Int(corners.topLeft) * (one - y) * (one - x) + Int(corners.bottomLeft) * y * (one - x)
      + Int(corners.topRight) * (one - y) * x + Int(corners.bottomRight) * y * x
    let half = sum > 0 ? 1 << 19 : -(1 << 19)
    return Element(truncatingIfNeeded: (sum + half) / (1 << 20))
  }
}
