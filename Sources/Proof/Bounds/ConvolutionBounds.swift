import OcellusModelFile

/// The bounds of convolutions.
struct ConvolutionBounds {
  let options: OperatorOptions
  let format: BoundsArithmetic.Factors
  let clamp: ClosedRange<Double>

  init?(_ node: OperatorRecord, _ arithmetic: BoundsArithmetic) {
    options = OperatorOptions(node)
    format = arithmetic.factors
    guard let clamp = options.clamp else { return nil }
    self.clamp = clamp
  }

  /// Where the taps of a window lie.
  private struct Taps {
    let height: Int
    let width: Int
    let source: (_ y: Int, _ x: Int, _ tapY: Int, _ tapX: Int) -> (Int, Int)?
  }

  private func axes(
    _ input: [Int], _ output: [Int], height: Int, width: Int
  ) -> (rows: WindowAxis, columns: WindowAxis)? {
    let isSame = options.integer("padding") == 0
    let strides = (options.integer("stride_h"), options.integer("stride_w"))
    let dilations = (
      options.integer("dilation_h_factor", default: 1),
      options.integer("dilation_w_factor", default: 1)
    )
    guard [strides.0, strides.1, dilations.0, dilations.1].allSatisfy((1...largestWindow).contains)
    else { return nil }
    return (
      WindowAxis(
        input: input[1], output: output[1], size: height, step: strides.0,
        dilation: dilations.0, isSame: isSame),
      WindowAxis(
        input: input[2], output: output[2], size: width, step: strides.1,
        dilation: dilations.1, isSame: isSame)
    )
  }

  // MARK: CONV_2D and TRANSPOSE_CONV

  func convolution(
    _ input: Intervals, _ weights: Intervals, _ biases: Intervals?, output: [Int]
  ) -> Intervals? {
    guard isValid(input, weights, biases, output, channels: weights.shape.first),
      let axes = axes(
        input.shape, output, height: weights.shape[1], width: weights.shape[2])
    else { return nil }
    let taps = Taps(height: weights.shape[1], width: weights.shape[2]) { y, x, tapY, tapX in
      guard let row = axes.rows.source(of: y, tapY), let column = axes.columns.source(of: x, tapX)
      else { return nil }
      return (row, column)
    }
    return sums(input, weights, biases, output, taps)
  }

  func transposed(
    _ input: Intervals, _ weights: Intervals, _ biases: Intervals?, output: [Int]
  ) -> Intervals? {
    let strides = (options.integer("stride_h"), options.integer("stride_w"))
    guard isValid(input, weights, biases, output, channels: weights.shape.first),
      (1...largestWindow).contains(strides.0), (1...largestWindow).contains(strides.1)
    else { return nil }
    let isSame = options.integer("padding") == 0
    let (height, width) = (weights.shape[1], weights.shape[2])
    let rows = TransposedAxis(
      input: input.shape[1], output: output[1], size: height, step: strides.0, isSame: isSame)
    let columns = TransposedAxis(
      input: input.shape[2], output: output[2], size: width, step: strides.1, isSame: isSame)
    let taps = Taps(height: height, width: width) { y, x, tapY, tapX in
      guard let row = rows.source(of: y, tapY), let column = columns.source(of: x, tapX) else {
        return nil
      }
      return (row, column)
    }
    return sums(input, weights, biases, output, taps)
  }

  private func isValid(
    _ input: Intervals, _ weights: Intervals, _ biases: Intervals?, _ output: [Int], channels: Int?
  ) -> Bool {
    guard input.shape.count == 4, weights.shape.count == 4, output.count == 4, let channels,
      channels > 0, output[3] == channels, input.shape[0] == output[0], weights.count > 0,
      biases == nil || biases?.count == channels
    else { return false }
    return true
  }

  /// Adds what lies under the taps, for each group of channels.
  private func sums(
    _ input: Intervals, _ weights: Intervals, _ biases: Intervals?, _ output: [Int], _ taps: Taps
  ) -> Intervals? {
    let (channels, depth) = (input.shape[3], weights.shape[3])
    guard depth > 0, channels.isMultiple(of: depth) else { return nil }
    let groupCount = channels / depth
    guard output[3].isMultiple(of: max(groupCount, 1)), groupCount > 0 else { return nil }
    var result = Intervals(shape: output)
    let factors = ProductSums.Rows(weights, format)
    let values = ProductSums.Rows(input, format)
    let columnCount = output[3] / groupCount
    let whole = taps.height * taps.width * depth
    for group in 0..<groupCount {
      let first = group * columnCount
      let sums = ProductSums(
        factors, depth: whole, columnCount: columnCount,
        biases: biases?.slice(first..<first + columnCount)
      ) { column, position in (first + column) * whole + position }
      for image in 0..<output[0] {
        for y in 0..<output[1] {
          for x in 0..<output[2] {
            let patch = patch(values, input.shape, image, y, x, taps, group * depth, depth)
            let start = ((image * output[1] + y) * output[2] + x) * output[3] + first
            patch.rows.centers.withUnsafeBufferPointer { row in
              patch.rows.magnitudes.withUnsafeBufferPointer { magnitudes in
                sums.bounds(row, magnitudes, termCount: patch.termCount) { column, interval in
                  result[start + column] = interval.clamped(to: clamp)
                }
              }
            }
          }
        }
      }
    }
    return result
  }

  /// Copies what lies under the taps of one window.
  private func patch(
    _ values: ProductSums.Rows, _ shape: [Int], _ image: Int, _ y: Int, _ x: Int, _ taps: Taps,
    _ firstChannel: Int, _ depth: Int
  ) -> (rows: ProductSums.Rows, termCount: Int) {
    var rows = ProductSums.Rows(count: taps.height * taps.width * depth)
    var termCount = 0
    for tapY in 0..<taps.height {
      for tapX in 0..<taps.width {
        guard let (row, column) = taps.source(y, x, tapY, tapX) else { continue }
        termCount += depth
        let source = ((image * shape[1] + row) * shape[2] + column) * shape[3] + firstChannel
        let target = (tapY * taps.width + tapX) * depth
        for channel in 0..<depth {
          rows.centers[target + channel] = values.centers[source + channel]
          rows.magnitudes[target + channel] = values.magnitudes[source + channel]
        }
      }
    }
    return (rows, termCount)
  }

  // MARK: DEPTHWISE_CONV_2D

  func depthwise(
    _ input: Intervals, _ weights: Intervals, _ biases: Intervals?, output: [Int]
  ) -> Intervals? {
    guard isValid(input, weights, biases, output, channels: weights.shape.last),
      input.shape[3] > 0, output[3].isMultiple(of: input.shape[3]),
      let axes = axes(input.shape, output, height: weights.shape[1], width: weights.shape[2])
    else { return nil }
    let values = ProductSums.Rows(input, format)
    let factors = ProductSums.Rows(weights, format)
    let multiplier = output[3] / input.shape[3]
    var result = Intervals(shape: output)
    for image in 0..<output[0] {
      for y in 0..<output[1] {
        for x in 0..<output[2] {
          let places = places(axes, weights.shape, input.shape, image, y, x)
          let start = ((image * output[1] + y) * output[2] + x) * output[3]
          for channel in 0..<output[3] {
            var (sum, plain, most) = (0.0, 0.0, 0.0)
            for (source, tap) in places {
              let (value, weight) = (source + channel / multiplier, tap + channel)
              let product = values.centers[value] * factors.centers[weight]
              sum += product
              plain += abs(product)
              most += values.magnitudes[value] * factors.magnitudes[weight]
            }
            result[start + channel] = ProductSums.interval(
              sum, plain, most, bias: biases?[channel],
              count: places.count + (biases == nil ? 0 : 1)
            ).clamped(to: clamp)
          }
        }
      }
    }
    return result
  }

  /// Returns where the first channel of a window's elements and of their weights is.
  private func places(
    _ axes: (rows: WindowAxis, columns: WindowAxis), _ weights: [Int], _ input: [Int], _ image: Int,
    _ y: Int, _ x: Int
  ) -> [(source: Int, tap: Int)] {
    var places: [(source: Int, tap: Int)] = []
    for tapY in 0..<weights[1] {
      guard let row = axes.rows.source(of: y, tapY) else { continue }
      for tapX in 0..<weights[2] {
        guard let column = axes.columns.source(of: x, tapX) else { continue }
        places.append(
          (
            ((image * input[1] + row) * input[2] + column) * input[3],
            (tapY * weights[2] + tapX) * weights[3]
          ))
      }
    }
    return places
  }
}

extension Intervals {
  /// Returns some of the elements, as a vector.
  func slice(_ range: Range<Int>) -> Intervals {
    var result = Intervals(shape: [range.count], exact: Array(lows[range]))
    result.highs = Array(highs[range])
    return result
  }
}
