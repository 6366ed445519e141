import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// Shows the node itself the inputs that lead to the least and the greatest sum of each channel,
/// where an accumulator that is too narrow would be noticed.
struct ExtremeSweep {
  private let node: WeightedNode
  private let steps: [ResultSteps]
  private let window: WindowPlaces
  private let inputShape: [Int]

  init?(
    of node: WeightedNode, _ steps: [ResultSteps], _ record: OperatorRecord,
    in subgraph: SubgraphRecord
  ) {
    self.node = node
    self.steps = steps
    inputShape = subgraph.tensors[record.inputs[0]].shape
    guard
      let window = WindowPlaces(
        of: node, record, inputShape: inputShape,
        outputShape: subgraph.tensors[record.outputs[0]].shape)
    else { return nil }
    self.window = window
  }

  /// An input that is to be shown, and the channels whose results it makes extreme.
  private struct Extreme {
    let channels: [Int]
    let isGreatest: Bool
  }

  /// Compares the extreme results with the specification.
  ///
  /// - Returns: the number of results that were compared.
  func run(in session: any NodeSession) throws -> Int {
    let extremes = channelGroups.flatMap { channels in
      [
        Extreme(channels: channels, isGreatest: false),
        Extreme(channels: channels, isGreatest: true),
      ]
    }
    var count = 0
    for start in stride(from: 0, to: extremes.count, by: window.places.count) {
      let shown = extremes[start..<min(start + window.places.count, extremes.count)]
      count += try show(Array(shown), in: session)
    }
    return count
  }

  /// The channels that may be extreme at the same place: those that read different inputs.
  private var channelGroups: [[Int]] {
    let count = node.channels.count
    guard node.kind == .depthwise else { return (0..<count).map { [$0] } }
    let multiplier = max(count / max(inputShape.last ?? 1, 1), 1)
    return (0..<multiplier).map { Array(stride(from: $0, to: count, by: multiplier)) }
  }

  private func show(_ extremes: [Extreme], in session: any NodeSession) throws -> Int {
    var bytes = [UInt8](repeating: node.input.byte(0), count: inputShape.reduce(1, *))
    for (extreme, place) in zip(extremes, window.places) {
      for channel in extreme.channels { write(channel, extreme.isGreatest, at: place, to: &bytes) }
    }
    let type: ElementType = node.input.isSigned ? .int8 : .uint8
    let input = StoredTensor(type: type, shape: Shape(inputShape), bytes: bytes)
    guard let results = try session.results(of: [input]).first?.bytes else { return 0 }
    var count = 0
    for (extreme, place) in zip(extremes, window.places) {
      for channel in extreme.channels {
        let found = node.output.value(results[place.output * node.channels.count + channel])
        let sums = steps[channel].sums
        let wanted = extreme.isGreatest ? steps[channel].steps.last : steps[channel].steps.first
        let number = Int64(found + node.output.zeroPoint)
        guard number == wanted?.result else {
          throw KernelFault(
            channel: channel, sum: extreme.isGreatest ? sums.upperBound : sums.lowerBound,
            found: number, wanted: wanted?.result ?? 0)
        }
        count += 1
      }
    }
    return count
  }

  private func write(
    _ channel: Int, _ isGreatest: Bool, at place: WindowPlaces.Place, to bytes: inout [UInt8]
  ) {
    let values = node.input.values
    let (least, greatest) = (node.input.byte(values.lowerBound), node.input.byte(values.upperBound))
    let weights = node.channels[channel]
    let positions = window.positions(of: channel, channelCount: node.channels.count, at: place)
    for (weight, position) in zip(weights, positions) {
      bytes[position] = (weight > 0) == isGreatest ? greatest : least
    }
  }
}

/// Places of windows that lie inside the image and do not overlap.
struct WindowPlaces {
  struct Place {
    /// The first line and column of the window; of a row, its number.
    let top: Int
    let left: Int
    /// The number of the pixel, or row, in the output.
    let output: Int
  }

  let places: [Place]
  private let kind: WeightedNode.Kind
  private let inputShape: [Int]
  private let size: (height: Int, width: Int)
  private let dilation: (height: Int, width: Int)

  init?(of node: WeightedNode, _ record: OperatorRecord, inputShape: [Int], outputShape: [Int]) {
    kind = node.kind
    self.inputShape = inputShape
    guard kind != .fullyConnected else {
      (size, dilation) = ((1, 1), (1, 1))
      let depth = node.channels.first?.count ?? 0
      guard depth > 0 else { return nil }
      let rows = inputShape.reduce(1, *) / depth
      places = (0..<rows).map { Place(top: $0, left: 0, output: $0) }
      if places.isEmpty { return nil }
      return
    }
    guard inputShape.count == 4, outputShape.count == 4, node.weightShape.count == 4 else {
      return nil
    }
    let options = WindowNumbers(record)
    size = (node.weightShape[1], node.weightShape[2])
    dilation = options.dilation
    func lines(_ axis: Int, _ size: Int, _ stride: Int, _ dilation: Int) -> [(Int, Int)] {
      let reach = (size - 1) * dilation + 1
      let (input, output) = (inputShape[axis], outputShape[axis])
      let missing = options.isSame ? max((output - 1) * stride + reach - input, 0) : 0
      var lines: [(Int, Int)] = []
      var next = 0
      for index in 0..<output {
        let start = index * stride - missing / 2
        if start >= next, start + reach <= input {
          lines.append((start, index))
          next = start + reach
        }
      }
      return lines
    }
    let rows = lines(1, size.height, options.stride.height, dilation.height)
    let columns = lines(2, size.width, options.stride.width, dilation.width)
    places = rows.flatMap { top, y in
      columns.map { left, x in Place(top: top, left: left, output: y * outputShape[2] + x) }
    }
    if places.isEmpty { return nil }
  }

  /// Returns the positions in the input that a channel's weights are multiplied with.
  func positions(of channel: Int, channelCount: Int, at place: Place) -> [Int] {
    guard kind != .fullyConnected else {
      let depth = inputShape.reduce(1, *) / places.count
      return Array(place.top * depth..<(place.top + 1) * depth)
    }
    let depth = inputShape[3]
    let multiplier = max(channelCount / max(depth, 1), 1)
    var positions: [Int] = []
    for line in 0..<size.height {
      for column in 0..<size.width {
        let y = place.top + line * dilation.height
        let x = place.left + column * dilation.width
        let pixel = (y * inputShape[2] + x) * depth
        if kind == .depthwise {
          positions.append(pixel + channel / multiplier)
        } else {
          positions += pixel..<pixel + depth
        }
      }
    }
    return positions
  }
}

/// The padding, strides and dilations of a convolution, from the file.
private struct WindowNumbers {
  var isSame = true
  var stride = (height: 1, width: 1)
  var dilation = (height: 1, width: 1)

  init(_ record: OperatorRecord) {
    guard let table = record.options.table,
      let schema = OptionsSchema.builtinOptions(tag: record.options.tag),
      let fields = try? schema.values(of: table)
    else { return }
    func number(_ name: String, default fallback: Int) -> Int {
      guard let position = schema.fields.firstIndex(where: { $0.name == name }) else {
        return fallback
      }
      switch fields[position] {
      case .int8(let number): return Int(number)
      case .int32(let number): return Int(number)
      default: return fallback
      }
    }
    isSame = number("padding", default: 0) == 0
    stride = (number("stride_h", default: 0), number("stride_w", default: 0))
    dilation = (number("dilation_h_factor", default: 1), number("dilation_w_factor", default: 1))
    stride = (max(stride.height, 1), max(stride.width, 1))
    dilation = (max(dilation.height, 1), max(dilation.width, 1))
  }
}
