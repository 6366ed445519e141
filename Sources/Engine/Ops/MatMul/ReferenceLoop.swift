/// The reference loop nest of every operator with weights, for one item of the batch.
///
/// Each result is a sum of products of inputs and weights, added in the order of the official
/// kernels. A matrix multiplication is a window over a single pixel, an image is a volume of one
/// plane, and a depthwise convolution has groups of one channel.
struct ReferenceLoop {
  var planes = ReferenceAxis.single
  var rows = ReferenceAxis.single
  var columns = ReferenceAxis.single
  let outputChannels: Int
  var groupCount = 1
  /// The number of input channels that contribute to a result.
  let channelsPerGroup: Int
  let weightStrides: WeightStrides
  /// Whether windows are followed column by column, as in XNNPACK's depthwise convolutions.
  var followsColumns = false
  /// Whether taps are visited in the opposite order, as in XNNPACK's transposed convolutions.
  var reversesTaps = false
  /// The order of the sums of floats that XNNPACK computes.
  var chains = FloatChains.one
  let control: RunControl

  /// The distances from a weight to that of the next output channel, tap and input channel of the
  /// group.
  struct WeightStrides {
    var output: Int
    var tap: Int
    var input: Int
  }

  /// The number of bytes that the loop allocates.
  var workingByteCount: Int {
    (planes.tapCount + rows.tapCount + columns.tapCount) * MemoryLayout<ReferenceAxis.Tap>.stride
  }

  /// Computes one item, or a part of it when the run is stopped.
  func run<Arithmetic: ReferenceArithmetic>(
    _ arithmetic: Arithmetic, _ input: UnsafeBufferPointer<Arithmetic.Input>,
    _ weights: UnsafeBufferPointer<Arithmetic.Weight>,
    to output: UnsafeMutableBufferPointer<Arithmetic.Output>
  ) {
    let outputsPerGroup = outputChannels / groupCount
    let inputChannels = channelsPerGroup * groupCount
    var position = 0
    var question = StoppableWork(control)
    for plane in 0..<planes.resultCount {
      let planeTaps = planes.taps(at: plane, control)
      for row in 0..<rows.resultCount {
        let rowTaps = taps(rows, at: row)
        for column in 0..<columns.resultCount {
          let columnTaps = taps(columns, at: column)
          let outerTaps = followsColumns ? columnTaps : rowTaps
          let innerTaps = followsColumns ? rowTaps : columnTaps
          for channel in 0..<outputChannels {
            if question.isOver(after: 4) { return }
            var sum = arithmetic.start(of: channel)
            // Indices, because iterators would retain their arrays in each turn of the outer loop.
            for plane in planeTaps.indices {
              let plane = planeTaps[plane]
              for outer in outerTaps.indices {
                for inner in innerTaps.indices {
                  let row = followsColumns ? innerTaps[inner] : outerTaps[outer]
                  let column = followsColumns ? outerTaps[outer] : innerTaps[inner]
                  let sourceRow = plane.source * rows.sourceCount + row.source
                  let pixel = sourceRow * columns.sourceCount + column.source
                  let tapRow = plane.index * rows.tapCount + row.index
                  let tap = tapRow * columns.tapCount + column.index
                  let inputs = pixel * inputChannels + channel / outputsPerGroup * channelsPerGroup
                  let firstWeight = channel * weightStrides.output + tap * weightStrides.tap
                  let place =
                    followsColumns ? column.index * rows.tapCount + row.index : tap
                  let next = adding(
                    arithmetic, input, at: inputs, weights, at: firstWeight, of: channel,
                    under: place, to: sum, &question)
                  guard let next else { return }
                  sum = next
                }
              }
            }
            output[position] = arithmetic.output(sum, of: channel)
            position += 1
          }
        }
      }
    }
  }
}

extension ReferenceLoop {
  private func taps(_ axis: ReferenceAxis, at position: Int) -> [ReferenceAxis.Tap] {
    let taps = axis.taps(at: position, control)
    return reversesTaps ? taps.reversed() : taps
  }

  /// Returns a sum plus the products of all channels under one tap of an output channel; `nil` when
  /// the run is stopped.
  @inline(__always)
  private func adding<Arithmetic: ReferenceArithmetic>(
    _ arithmetic: Arithmetic, _ input: UnsafeBufferPointer<Arithmetic.Input>, at firstInput: Int,
    _ weights: UnsafeBufferPointer<Arithmetic.Weight>, at firstWeight: Int, of channel: Int,
    under place: Int, to sum: Arithmetic.Sum, _ question: inout StoppableWork
  ) -> Arithmetic.Sum? {
    var sum = sum
    var start = 0
    repeat {
      let end = min(start &+ StoppableWork.workBetweenPolls, channelsPerGroup)
      for index in start..<end {
        sum = arithmetic.reaching(place: place, channel: index, sum)
        sum = arithmetic.adding(
          input[firstInput + index], times: weights[firstWeight + index * weightStrides.input],
          of: channel, to: sum)
      }
      if question.isOver(after: end &- start &+ 1) { return nil }
      start = end
    } while start < channelsPerGroup
    return sum
  }
}

extension ReferenceLoop {
  /// Makes the loop of a row times a matrix that has a row for each output channel.
  init(rowsOf outputChannels: Int, depth: Int, _ control: RunControl) {
    self.init(
      outputChannels: outputChannels, channelsPerGroup: depth,
      weightStrides: .init(output: depth, tap: depth, input: 1), control: control)
  }
}

/// One axis of a window, seen from the results.
struct ReferenceAxis {
  /// A tap of the window, and the index of the input element that it covers.
  struct Tap {
    var index: Int
    var source: Int
  }

  private let window: WindowAxis
  /// Whether the window moves over the results, with a position for each element of the input.
  private let isTransposed: Bool

  init(_ window: WindowAxis, isTransposed: Bool = false) {
    self.window = window
    self.isTransposed = isTransposed
  }

  /// An axis of one element under a window of one tap.
  static let single = ReferenceAxis(.single)

  var tapCount: Int { window.tapCount }
  var resultCount: Int { isTransposed ? window.inputExtent : window.outputExtent }
  var sourceCount: Int { isTransposed ? window.outputExtent : window.inputExtent }

  /// Returns the taps that contribute to a result, in the order of the input; if the run is
  /// stopped, some may be missing.
  func taps(at result: Int, _ control: RunControl) -> [Tap] {
    let range = isTransposed ? window.outputs(coveringInput: result) : window.taps(at: result)
    let origin = window.origin(of: result)
    var taps: [Tap] = []
    taps.reserveCapacity(range.count)
    for chunk in StoppableChunks(of: range.count, control) {
      for offset in chunk {
        let position = range.lowerBound + offset
        guard isTransposed else {
          taps.append(Tap(index: position, source: origin + position * window.dilation))
          continue
        }
        let (index, rest) = (result - window.origin(of: position))
          .quotientAndRemainder(dividingBy: window.dilation)
        if rest == 0 { taps.append(Tap(index: index, source: position)) }
      }
    }
    return taps
  }
}
