/// The loop nest of every operator with weights, for one item of the batch: each result is the sum
/// of the products of some inputs and weights, in the order in which the official kernels add them.
///
/// A matrix product is a window over a single pixel, an image is a volume of one plane, and a
/// depthwise convolution is one whose groups have one channel.
struct ProductLoop {
  var planes = ProductAxis.single
  var rows = ProductAxis.single
  var columns = ProductAxis.single
  let outputChannels: Int
  var groupCount = 1
  /// The input channels that a result sums up.
  let channelsPerGroup: Int
  let weightStrides: WeightStrides
  let control: RunControl

  /// From a weight to the one of the next output channel, tap and input channel of the group.
  struct WeightStrides {
    var output: Int
    var tap: Int
    var input: Int
  }

  /// The bytes of working memory that the loop takes.
  var workingByteCount: Int {
    (planes.tapCount + rows.tapCount + columns.tapCount) * MemoryLayout<ProductAxis.Tap>.stride
  }

  /// Computes one item, or a part of it when the run is stopped.
  func run<Arithmetic: ProductArithmetic>(
    _ arithmetic: Arithmetic, _ input: UnsafeBufferPointer<Arithmetic.Input>,
    _ weights: UnsafeBufferPointer<Arithmetic.Weight>,
    to output: UnsafeMutableBufferPointer<Arithmetic.Output>
  ) {
    let outputsPerGroup = outputChannels / groupCount
    let inputChannels = channelsPerGroup * groupCount
    var position = 0
    for plane in 0..<planes.resultCount {
      let planeTaps = planes.taps(at: plane)
      for row in 0..<rows.resultCount where !control.isOver {
        let rowTaps = rows.taps(at: row)
        for column in 0..<columns.resultCount {
          let columnTaps = columns.taps(at: column)
          for channel in 0..<outputChannels {
            var sum = Arithmetic.zero
            for plane in planeTaps {
              for row in rowTaps {
                for column in columnTaps {
                  let line = plane.source * rows.sourceCount + row.source
                  let pixel = line * columns.sourceCount + column.source
                  let tapLine = plane.index * rows.tapCount + row.index
                  let tap = tapLine * columns.tapCount + column.index
                  let inputs = pixel * inputChannels + channel / outputsPerGroup * channelsPerGroup
                  let firstWeight = channel * weightStrides.output + tap * weightStrides.tap
                  for index in 0..<channelsPerGroup {
                    sum = arithmetic.adding(
                      input[inputs + index],
                      times: weights[firstWeight + index * weightStrides.input],
                      of: channel, to: sum)
                  }
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

extension ProductLoop {
  /// The product of a row with a matrix that has a row for each output channel.
  init(rowsOf outputChannels: Int, depth: Int, _ control: RunControl) {
    self.init(
      outputChannels: outputChannels, channelsPerGroup: depth,
      weightStrides: .init(output: depth, tap: depth, input: 1), control: control)
  }
}

/// One axis of a window, as a result on it sees it.
struct ProductAxis {
  /// A tap of the window, and the element of the input that it meets.
  struct Tap {
    var index: Int
    var source: Int
  }

  private let window: WindowAxis
  /// Whether the window moves over the results, and has a position for each element of the input.
  private let isTransposed: Bool

  init(_ window: WindowAxis, isTransposed: Bool = false) {
    self.window = window
    self.isTransposed = isTransposed
  }

  /// An axis of one element under a window of one tap.
  static let single = ProductAxis(.single)

  var tapCount: Int { window.tapCount }
  var resultCount: Int { isTransposed ? window.inputExtent : window.outputExtent }
  var sourceCount: Int { isTransposed ? window.outputExtent : window.inputExtent }

  /// The taps that make a result, in the order of the input.
  func taps(at result: Int) -> [Tap] {
    if isTransposed {
      return window.outputs(coveringInput: result).compactMap { position in
        let (index, rest) = (result - window.origin(of: position))
          .quotientAndRemainder(dividingBy: window.dilation)
        return rest == 0 ? Tap(index: index, source: position) : nil
      }
    }
    let origin = window.origin(of: result)
    return window.taps(at: result).map { Tap(index: $0, source: origin + $0 * window.dilation) }
  }
}
