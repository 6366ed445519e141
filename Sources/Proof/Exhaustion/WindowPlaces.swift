import OcellusModelFile

/// Places of windows that lie inside the image and do not overlap.
///
/// A transposed convolution has other weights in each *phase*: outputs that are a stride apart share
/// them. All others have one phase.
struct WindowPlaces {
  struct Place {
    let row: AxisPlace
    let column: AxisPlace
    /// The number of the pixel, or row, in the output.
    let output: Int
  }

  /// An output along an axis, and the inputs that its weights are multiplied with.
  struct AxisPlace {
    let output: Int
    let terms: [(weight: Int, input: Int)]
  }

  /// A weight of a channel, and the position in the input that it is multiplied with.
  struct Term {
    let weight: Int
    let position: Int
  }

  /// The places of each phase.
  let places: [[Place]]
  private let isDepthwise: Bool
  private let inputWidth: Int
  private let depth: Int
  private let windowWidth: Int

  init?(of node: WeightedNode, _ record: OperatorRecord, inputShape: [Int], outputShape: [Int]) {
    isDepthwise = node.kind == .depthwise
    var (input, output, window) = (inputShape, outputShape, node.weightShape)
    if node.kind == .fullyConnected {
      // Rows are pixels of an image that is one pixel wide.
      guard let depth = node.channels.first?.count, depth > 0 else { return nil }
      let rows = inputShape.reduce(1, *) / depth
      (input, output, window) = ([1, rows, 1, depth], [1, rows, 1, 0], [0, 1, 1, depth])
    }
    guard input.count == 4, output.count == 4, window.count == 4 else { return nil }
    (inputWidth, depth, windowWidth) = (input[2], input[3], window[2])
    let options = OptionFields(record)
    func axis(_ axis: Int, _ suffix: String) -> WindowLine {
      WindowLine(
        input: input[axis], output: output[axis], size: window[axis],
        stride: max(options.integer("stride_\(suffix)", default: 1), 1),
        dilation: max(options.integer("dilation_\(suffix)_factor", default: 1), 1),
        isSame: options.integer("padding", default: 0) == 0,
        isTransposed: node.kind == .transposed)
    }
    let (rows, columns) = (axis(1, "h").phases, axis(2, "w").phases)
    places = rows.flatMap { rows in
      columns.map { columns in
        rows.flatMap { row in
          columns.map { column in
            Place(row: row, column: column, output: row.output * output[2] + column.output)
          }
        }
      }
    }
    if places.isEmpty || places.contains(where: \.isEmpty) { return nil }
  }

  /// Returns the products of which a result is the sum.
  func terms(of channel: Int, channelCount: Int, at place: Place) -> [Term] {
    let multiplier = max(channelCount / max(depth, 1), 1)
    var terms: [Term] = []
    for row in place.row.terms {
      for column in place.column.terms {
        let weight = row.weight * windowWidth + column.weight
        let pixel = (row.input * inputWidth + column.input) * depth
        if isDepthwise {
          terms.append(Term(weight: weight, position: pixel + channel / multiplier))
        } else {
          terms += (0..<depth).map { Term(weight: weight * depth + $0, position: pixel + $0) }
        }
      }
    }
    return terms
  }
}

/// A window along an axis of an image.
private struct WindowLine {
  let input: Int
  let output: Int
  let size: Int
  let stride: Int
  let dilation: Int
  let isSame: Bool
  let isTransposed: Bool

  /// Returns the places of each phase that overlap no other.
  var phases: [[WindowPlaces.AxisPlace]] {
    let phaseCount = isTransposed ? min(stride, output) : 1
    return (0..<phaseCount).compactMap { phase in
      let outputs = Swift.stride(from: phase, to: output, by: phaseCount).map { output in
        WindowPlaces.AxisPlace(output: output, terms: terms(of: output))
      }
      // At the edges, windows lack inputs.
      let most = outputs.map(\.terms.count).max() ?? 0
      var places: [WindowPlaces.AxisPlace] = []
      var next = 0
      for output in outputs where output.terms.count == most {
        let inputs = output.terms.map(\.input)
        guard let first = inputs.min(), let last = inputs.max(), first >= next else { continue }
        places.append(output)
        next = last + 1
      }
      // Windows that are smaller than their stride leave outputs without any input.
      return most == 0 ? nil : places
    }
  }

  private func terms(of output: Int) -> [(weight: Int, input: Int)] {
    (0..<size).compactMap { weight in
      let (input, isInside) = isTransposed ? source(output, weight) : pixel(output, weight)
      return isInside ? (weight, input) : nil
    }
  }

  private func pixel(_ output: Int, _ weight: Int) -> (Int, Bool) {
    let reach = (size - 1) * dilation + 1
    let missing = isSame ? max((self.output - 1) * stride + reach - input, 0) : 0
    let place = output * stride - missing / 2 + weight * dilation
    return (place, (0..<input).contains(place))
  }

  /// The input that adds a weight of its window to an output.
  private func source(_ output: Int, _ weight: Int) -> (Int, Bool) {
    let count =
      isSame ? (self.output + stride - 1) / stride : (self.output + stride - size) / stride
    let missing = max((count - 1) * stride + size - self.output, 0)
    let distance = output + missing / 2 - weight
    return (distance / stride, distance >= 0 && distance % stride == 0 && distance / stride < input)
  }
}
