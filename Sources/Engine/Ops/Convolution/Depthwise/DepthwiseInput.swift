import OcellusKernelABI

/// The input of a depthwise convolution; where channels have several filters, every channel is
/// repeated once for each filter.
///
/// The items of the batch are repeated a few at a time, so they are still in a cache when they are
/// read.
struct DepthwiseInput {
  private static let largestRun = 1 << 18
  /// The most memory for a repeated item: the reference kernel needs none.
  private static let largestItem = 1 << 26

  let repetitions: Int
  /// The number of items of the batch that are computed at once, and the number of such runs.
  let itemsPerRun: Int
  let runCount: Int
  private let elementsPerItem: Int
  private let elementBytes: Int
  private let repetition:
    WorkItemLoop<(source: UnsafeRawPointer, target: UnsafeMutableRawPointer, step: Int)>

  /// Plans for a tensor of the shape `input` and `channels` output channels, computing at most
  /// `maximumItems` at once.
  ///
  /// - Returns: `nil` where repeated items would take too much memory.
  init?(
    _ input: Shape, channels: Int, elementBytes: Int, maximumItems: Int = .max, kernels: KernelTable
  ) {
    repetitions = channels / input[3]
    elementsPerItem = input[1] * input[2] * input[3]
    self.elementBytes = elementBytes
    var items = min(input[0], maximumItems)
    if repetitions > 1 {
      let itemBytes = saturatingProduct(elementsPerItem, repetitions, elementBytes)
      guard itemBytes <= Self.largestItem else { return nil }
      items = min(max(Self.largestRun / itemBytes, 1), items)
    }
    while input[0] % items != 0 { items -= 1 }
    itemsPerRun = items
    runCount = input[0] / items
    let (count, repetitions) = (elementsPerItem * items, repetitions)
    let repeatChannels = kernels.repeatChannels
    repetition = WorkItemLoop { run, workItem in
      let first = workItem * run.step
      repeatChannels(
        ChannelRepetitionArguments(
          input: run.source + first * elementBytes, elementBytes: elementBytes,
          count: max(min(run.step, count - first), 0), repetitions: repetitions,
          output: run.target + first * repetitions * elementBytes))
    }
  }

  /// The scratch of one run in bytes, a multiple of 64.
  var scratchByteCount: Int {
    guard repetitions > 1 else { return 0 }
    return ArenaPlanner.aligned(repetitions * elementBytes * elementsPerItem * itemsPerRun)
  }

  /// Returns the pixels that one run reads, repeated in `scratch` if necessary.
  func run(
    _ run: Int, of input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    workers: WorkersReference
  ) -> UnsafeRawPointer {
    let count = elementsPerItem * itemsPerRun
    let source = input + run * count * elementBytes
    guard repetitions > 1 else { return source }
    let workItemCount = count * repetitions > 1 << 16 ? workers.threadCount : 1
    let step = (count + workItemCount - 1) / workItemCount
    workers.run(workItemCount, repetition, (source, scratch, step))
    return UnsafeRawPointer(scratch)
  }
}
