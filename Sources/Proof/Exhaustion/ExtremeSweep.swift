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
    inputShape = subgraph.tensors[record.inputs[node.kind.inputPosition]].shape
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
    for places in window.places {
      for start in stride(from: 0, to: extremes.count, by: places.count) {
        let shown = extremes[start..<min(start + places.count, extremes.count)]
        count += try show(Array(zip(shown, places)), in: session)
      }
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

  private func show(
    _ extremes: [(Extreme, WindowPlaces.Place)], in session: any NodeSession
  ) throws -> Int {
    var bytes = [UInt8](repeating: node.input.byte(0), count: inputShape.reduce(1, *))
    var results: [(channel: Int, index: Int, sum: Int64)] = []
    for (extreme, place) in extremes {
      for channel in extreme.channels {
        let sum = write(channel, extreme.isGreatest, at: place, to: &bytes)
        results.append((channel, place.output * node.channels.count + channel, sum))
      }
    }
    let type: ElementType = node.input.isSigned ? .int8 : .uint8
    let input = StoredTensor(type: type, shape: Shape(inputShape), bytes: bytes)
    guard let found = try session.results(of: [input]).first?.bytes else { return 0 }
    for result in results {
      let number = Int64(node.output.value(found[result.index]) + node.output.zeroPoint)
      let steps = steps[result.channel]
      let wanted = steps.steps[steps.step(of: result.sum)].result
      guard number == wanted else {
        throw KernelFault(channel: result.channel, sum: result.sum, found: number, wanted: wanted)
      }
    }
    return results.count
  }

  /// Writes the input that makes a channel extreme, and returns the sum.
  private func write(
    _ channel: Int, _ isGreatest: Bool, at place: WindowPlaces.Place, to bytes: inout [UInt8]
  ) -> Int64 {
    let values = node.input.values
    let weights = node.channels[channel]
    var sum = node.biases[channel]
    for term in window.terms(of: channel, channelCount: node.channels.count, at: place) {
      let weight = weights[term.weight]
      let value = (weight > 0) == isGreatest ? values.upperBound : values.lowerBound
      bytes[term.position] = node.input.byte(value)
      sum += Int64(weight * value)
    }
    return sum
  }
}
