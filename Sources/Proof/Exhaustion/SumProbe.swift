import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// A model of one node that gives its scaling every sum of some ranges.
///
/// The scaling sees only sums. The probe has the scales, types and activation of the examined node,
/// so that its sums are scaled by the same code with the same factors, but weights with which its
/// inputs count: each row of a column is another sum, and each column begins where it should by its
/// bias.
struct SumProbe {
  /// A column of the probe: a channel of the node, and the first of the sums that it scales.
  struct Column {
    let channel: Int
    let start: Int64
  }

  /// How the inputs of a probe count.
  enum Layout: CaseIterable {
    /// Pixels of a pointwise convolution, or rows, are numbers of two digits.
    case rows
    /// The same as the centres of windows of three by three.
    case windows
    /// A single row, computed once for each number.
    case single
  }

  let layout: Layout
  private let kind: WeightedNode.Kind
  let file: [UInt8]
  private let builder: ProbeBuilder

  /// The number of sums of a column.
  static let rowCount = 1 << 16

  /// Makes a probe of some columns.
  ///
  /// Planes of one channel are convolved as images, and transposed convolutions are several of the
  /// ordinary kind, so that its operator may be another `kind`. The
  /// probe also has the biases and scales of some channels themselves, the `witnesses`: kernels
  /// choose among codes for scaling by the extremes of all channels.
  init?(
    of node: WeightedNode, as kind: WeightedNode.Kind, _ layout: Layout, columns: [Column],
    witnesses: [Int]
  ) {
    guard let counter = Counter(node) else { return nil }
    self.layout = layout
    self.kind = kind
    var biases: [Int32] = []
    for column in columns {
      guard let bias = Int32(exactly: column.start - counter.least) else { return nil }
      biases.append(bias)
    }
    for channel in witnesses {
      guard let bias = Int32(exactly: node.biases[channel]) else { return nil }
      biases.append(bias)
    }
    builder = ProbeBuilder(
      node: node, kind: kind, counter: counter, layout: layout, biases: biases,
      channels: columns.map(\.channel) + witnesses)
    file = builder.file
  }

  /// The input with all numbers, or of a layout with a single row, with one of them.
  func operand(number: Int = 0) -> StoredTensor { builder.operand(number: number) }

  /// The place in the result of the row with each number.
  var places: [Int32] {
    kind == .depthwise ? DigitSequence.shared.places : (0..<Int32(Self.rowCount)).map { $0 }
  }
}

/// Weights with which inputs count in two digits of 256 values each.
struct Counter {
  /// The weight of the lower digit: 1 or -1.
  let unit: Int32
  /// The weights, 256 in sum, of the inputs that hold the higher digit.
  let carries: [Int32]
  /// The least sum without bias.
  let least: Int64
  private let values: ClosedRange<Int32>

  /// - Returns: `nil` if no weights of the type count.
  init?(_ node: WeightedNode) {
    let values = node.input.values
    self.values = values
    let weights = node.weights.values
    // -128 is left out, because signed weights of models have no such value.
    let (up, down) = (min(weights.upperBound, 127), max(weights.lowerBound, -127))
    let sign: Int32 = up >= -down ? 1 : -1
    let largest = sign > 0 ? up : -down
    guard largest >= 64 else { return nil }
    unit = sign
    var carries: [Int32] = []
    var rest: Int32 = 256
    while rest > 0 {
      let weight = min(rest, largest)
      carries.append(sign * weight)
      rest -= weight
    }
    self.carries = carries
    let digit = sign > 0 ? values.lowerBound : -values.upperBound
    least = 257 * Int64(digit)
  }

  /// Returns the input values that stand for a number from 0 to 65,535, the lower digit first.
  func digits(of number: Int) -> (low: Int32, high: Int32) {
    let (low, high) = (Int32(number & 255), Int32(number >> 8))
    return unit > 0
      ? (values.lowerBound + low, values.lowerBound + high)
      : (values.upperBound - low, values.upperBound - high)
  }
}

/// A cyclic sequence of bytes in which each pair of neighbours occurs once, for convolutions whose
/// windows overlap.
struct DigitSequence: Sendable {
  static let shared = DigitSequence()

  /// The bytes; the first one follows the last one.
  let bytes: [UInt8]
  /// The position of each number of two digits, the lower one first.
  let places: [Int32]

  private init() {
    // An Eulerian cycle: from each byte on, every byte follows once (Hierholzer's method).
    var next = [Int](repeating: 0, count: 256)
    var stack: [UInt8] = [0]
    var cycle: [UInt8] = []
    while let byte = stack.last {
      if next[Int(byte)] < 256 {
        stack.append(UInt8(next[Int(byte)]))
        next[Int(byte)] += 1
      } else {
        cycle.append(byte)
        stack.removeLast()
      }
    }
    cycle.removeLast()
    bytes = cycle
    var places = [Int32](repeating: 0, count: 1 << 16)
    for position in cycle.indices {
      let follower = cycle[(position + 1) % cycle.count]
      places[Int(cycle[position]) | Int(follower) << 8] = Int32(position)
    }
    self.places = places
  }
}
