// TRANSPOSE_CONV of floats that the delegate does not take, with the bits of LiteRT's built-in
// kernel: it multiplies each pixel by the weights of all taps, and adds the products to the output
// pixel by pixel.

extension TransposeConv {
  /// Returns the operator with the bits of LiteRT's built-in kernel, where it has other ones than
  /// the reference kernel.
  func asBuiltIn() -> Self {
    var operation = self
    if case .float = arithmetic { operation.isBuiltIn = true }
    return operation
  }

  func runBuiltIn(
    _ geometry: WindowGeometry, _ operands: WeightedOperands, range: ClosedRange<Float>,
    _ context: RunContext
  ) {
    let (input, weights) = (operands.input.shape, operands.weights.shape)
    let output = operands.output.values(Float.self)
    let (images, filter) = (
      operands.input.values(Float.self), operands.weights.values(Float.self)
    )
    output.update(repeating: 0, context.control)
    guard let first = images.baseAddress, let taps = filter.baseAddress else { return }
    let pixels = input[1] * input[2]
    let (channels, depth) = (weights[0], input[3])
    let tapCount = weights[1] * weights[2]
    let product = BuiltInProduct(rows: pixels, columns: tapCount * channels, depth: depth)
    let rowLength = geometry.columns.inputExtent * channels
    let imageLength = geometry.rows.inputExtent * rowLength
    for pixel in context.chunks(
      of: input[0] * pixels, workOfEach: saturatingProduct(product.columns, depth)
    ).joined() {
      let (image, position) = pixel.quotientAndRemainder(dividingBy: pixels)
      let (row, column) = position.quotientAndRemainder(dividingBy: input[2])
      let top = row * geometry.rows.stride - geometry.rows.leadingPadding
      let left = column * geometry.columns.stride - geometry.columns.leadingPadding
      product.forEach(
        0..<product.columns, ofRow: position, first + pixel * depth,
        weights: { index in
          let (tap, channel) = index.quotientAndRemainder(dividingBy: channels)
          return UnsafePointer(taps) + (channel * tapCount + tap) * depth
        }
      ) { index, value in
        let (tap, channel) = index.quotientAndRemainder(dividingBy: channels)
        let (y, x) = (top + tap / weights[2], left + tap % weights[2])
        guard (0..<geometry.rows.inputExtent).contains(y),
          (0..<geometry.columns.inputExtent).contains(x)
        else { return }
        output[image * imageLength + y * rowLength + x * channels + channel] += value
      }
    }
    let bias = operands.bias?.values(Float.self)
    for chunk in context.chunks(of: output.count) {
      for index in chunk {
        output[index] = (output[index] + (bias?[index % channels] ?? 0)).clamped(to: range)
      }
    }
  }
}
