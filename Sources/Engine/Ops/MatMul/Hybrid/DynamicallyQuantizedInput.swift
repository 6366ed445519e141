import OcellusKernelABI

/// The float input of an operator with quantized weights, rounded at run time to `int8`, or to
/// `uint8` values that are 128 higher.
struct DynamicallyQuantizedInput {
  /// The number of elements that are rounded at once; the remainder at the end of an item is
  /// rounded differently.
  static let elementsAtOnce = 8
  /// Below this number of elements waking a thread takes longer than rounding.
  private static let minimumElementsPerWorkItem = 1 << 16
  /// The number of elements of one kernel call: a multiple of `elementsAtOnce`.
  private static let longestSlice = 1 << 20

  let itemCount: Int
  let elementsPerItem: Int
  private let rounding: HybridRounding
  /// Whether the search for extremes begins with zero, which an item has as padding that is not
  /// stored: otherwise, if its first element is NaN, both extremes are NaN.
  private let beginsWithZero: Bool
  private let makesUnsigned: Bool
  private let kernel: FloatQuantization
  /// The number of work items that an item of the batch is divided into.
  private let workItemCount: Int
  private let searches:
    WorkItemLoop<
      (
        values: UnsafePointer<Float>, extremes: UnsafeMutablePointer<FloatExtremes>,
        workers: WorkersReference
      )
    >
  private let roundings:
    WorkItemLoop<(whole: FloatQuantizationArguments, workers: WorkersReference)>

  init(
    itemCount: Int, elementsPerItem: Int, rounding: HybridRounding,
    padding: ImagePadding? = nil, makesUnsigned: Bool = false, _ context: PlanContext
  ) {
    self.itemCount = itemCount
    let beginsWithZero = rounding == .delegated || padding?.isFirstInMemory == true
    self.beginsWithZero = beginsWithZero
    self.elementsPerItem = elementsPerItem
    self.rounding = rounding
    self.makesUnsigned = makesUnsigned
    let workItemCount = min(
      context.threadCount, max(elementsPerItem / Self.minimumElementsPerWorkItem, 1))
    self.workItemCount = workItemCount
    // Only the last work item may have a remainder that is no multiple of eight.
    let unit = Self.elementsAtOnce
    let workItemLength =
      (elementsPerItem + unit * workItemCount - 1) / (unit * workItemCount) * unit
    let kernel = context.kernels.floatQuantization
    self.kernel = kernel
    searches = WorkItemLoop { item, workItem in
      item.extremes[workItem] = Self.extremes(
        of: item.values + workItem * workItemLength,
        count: min(workItemLength, elementsPerItem - workItem * workItemLength),
        from: beginsWithZero ? 0 : item.values[0], kernel, item.workers)
    }
    roundings = WorkItemLoop { item, workItem in
      var arguments = item.whole
      arguments.input += workItem * workItemLength
      arguments.count = min(workItemLength, elementsPerItem - workItem * workItemLength)
      arguments.output += workItem * workItemLength
      Self.round(arguments, kernel, item.workers)
    }
  }

  /// Returns the extremes of some elements and of a first one.
  private static func extremes(
    of values: UnsafePointer<Float>, count: Int, from first: Float, _ kernel: FloatQuantization,
    _ workers: WorkersReference
  ) -> FloatExtremes {
    if count <= longestSlice { return kernel.extremes(values, count, first) }
    var found = kernel.extremes(values, longestSlice, first)
    workers.forEachSlice(of: longestSlice..<count, length: longestSlice) { slice in
      let next = kernel.extremes(values + slice.lowerBound, slice.count, first)
      if next.lowest < found.lowest { found.lowest = next.lowest }
      if next.highest > found.highest { found.highest = next.highest }
    }
    return found
  }

  private static func round(
    _ whole: FloatQuantizationArguments, _ kernel: FloatQuantization, _ workers: WorkersReference
  ) {
    workers.forEachSlice(of: 0..<whole.count, length: longestSlice) { slice in
      var arguments = whole
      arguments.input += slice.lowerBound
      arguments.count = slice.count
      arguments.output += slice.lowerBound
      kernel.round(arguments)
    }
  }

  // The scratch: the rounding of every item, the extremes of an item's work items, the rounded
  // bytes.

  private var extremesOffset: Int {
    ArenaPlanner.aligned(itemCount * MemoryLayout<RowQuantization>.stride)
  }
  private var bytesOffset: Int {
    extremesOffset + ArenaPlanner.aligned(workItemCount * MemoryLayout<FloatExtremes>.stride)
  }
  /// The scratch for the rounded items in bytes, a multiple of 64.
  var scratchByteCount: Int { bytesOffset + ArenaPlanner.aligned(itemCount * elementsPerItem) }

  /// The rounded items: the rounding of each, and their bytes, one item after the other.
  typealias Items = (rows: UnsafePointer<RowQuantization>, bytes: UnsafeMutableRawPointer)

  /// Returns the rounded items, after `round`.
  func items(in scratch: UnsafeMutableRawPointer) -> Items {
    (rows(in: scratch), scratch + bytesOffset)
  }

  /// Returns the rounding of every item, after `round`.
  func rows(in scratch: UnsafeMutableRawPointer) -> UnsafePointer<RowQuantization> {
    UnsafePointer(scratch.assumingMemoryBound(to: RowQuantization.self))
  }

  /// Rounds all items, or the first `count` items.
  func round(
    _ input: UnsafeRawPointer, count: Int? = nil, scratch: UnsafeMutableRawPointer,
    workers: WorkersReference
  ) -> Items {
    let values = input.assumingMemoryBound(to: Float.self)
    let rows = scratch.assumingMemoryBound(to: RowQuantization.self)
    let extremes = (scratch + extremesOffset).assumingMemoryBound(to: FloatExtremes.self)
    let bytes = scratch + bytesOffset
    let itemsAtOnce = max(Self.longestSlice / max(elementsPerItem, 1), 1)
    workers.forEachSlice(of: 0..<(count ?? itemCount), length: itemsAtOnce) { items in
      for item in items {
        let first = item * elementsPerItem
        rows[item] = round(
          values + first, to: bytes + first, extremes: extremes, workers: workers)
      }
    }
    return (UnsafePointer(rows), bytes)
  }

  private func round(
    _ values: UnsafePointer<Float>, to bytes: UnsafeMutableRawPointer,
    extremes: UnsafeMutablePointer<FloatExtremes>, workers: WorkersReference
  ) -> RowQuantization {
    let (lowest, highest) = extent(of: values, extremes: extremes, workers: workers)
    let rounding = rounding.rule(lowest, highest)
    let quantization = rounding.quantization
    let row = RowQuantization(
      scale: quantization.scale, zeroPoint: Int32(truncatingIfNeeded: quantization.zeroPoint))
    guard let factor = rounding.factor else {
      let zero: UInt8 = makesUnsigned ? 128 : 0
      workers.forEachSlice(of: 0..<elementsPerItem, length: Self.longestSlice) { slice in
        (bytes + slice.lowerBound).initializeMemory(
          as: UInt8.self, repeating: zero, count: slice.count)
      }
      return row
    }
    let arguments = FloatQuantizationArguments(
      input: values, count: elementsPerItem, factor: factor, zeroPoint: row.zeroPoint,
      roundsToEven: rounding.roundsToEven, minimum: Int32(truncatingIfNeeded: rounding.lowest),
      maximum: 127,
      makesUnsigned: makesUnsigned, output: bytes)
    // Small items, which the smallest models have, are not worth dispatching to threads.
    if workItemCount == 1 {
      Self.round(arguments, kernel, workers)
    } else {
      workers.run(workItemCount, roundings, (arguments, workers))
    }
    return row
  }

  @inline(__always)
  private func extent(
    of values: UnsafePointer<Float>, extremes: UnsafeMutablePointer<FloatExtremes>,
    workers: WorkersReference
  ) -> (lowest: Float, highest: Float) {
    if workItemCount == 1 {
      let whole = Self.extremes(
        of: values, count: elementsPerItem, from: beginsWithZero ? 0 : values[0], kernel,
        workers)
      return (whole.lowest, whole.highest)
    }
    workers.run(workItemCount, searches, (values, extremes, workers))
    var (lowest, highest) = (extremes[0].lowest, extremes[0].highest)
    for workItem in 1..<workItemCount {
      if extremes[workItem].lowest < lowest { lowest = extremes[workItem].lowest }
      if extremes[workItem].highest > highest { highest = extremes[workItem].highest }
    }
    return (lowest, highest)
  }
}
