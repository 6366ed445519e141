import OcellusKernelABI

// Adjacent windows with the same number of pixels, which are most of a row, are reduced together:
// some channels of all windows, then the next channels.

/// Three vectors: for pixels at the end of the tensor, for results, and for indices of maxima.
let windowScratchBytes = 3 &* sumVectorBytes

/// Adjacent windows of one output row, with the same pixels inside the image.
struct WindowRun {
  /// The first pixel of the first window, and the rows and pixels per row of a window.
  var input: UnsafeRawPointer
  var rowCount: Int
  var tapCount: Int
  /// The index of that pixel in the whole window, and the pixels in a row of the whole window.
  var firstWindowIndex: Int
  var indicesPerRow: Int
  var rowBytes: Int
  var pixelBytes: Int
  /// The distance in bytes from one window to the next.
  var step: Int
  var output: UnsafeMutableRawPointer
  var indices: UnsafeMutableRawPointer
  /// The number of windows.
  var count: Int
}

/// Reduces the windows of some rows.
@inline(__always)
func reduceWindows<Reduction: WindowReduction>(
  _ arguments: PoolingArguments, _ reduction: Reduction
) {
  forEachRun(arguments, reduction) { run, reduction, rows in reduce(run, reduction, rows) }
}

/// Visits the runs of windows of some rows, with the reduction prepared for each.
@inline(__always)
func forEachRun<Reduction: WindowReduction>(
  _ arguments: PoolingArguments, _ reduction: Reduction,
  _ visit: (WindowRun, Reduction, WindowRows) -> Void
) {
  let windows = arguments.windows
  let rows = WindowRows(arguments, elementBytes: Reduction.elementBytes)
  var reduction = reduction
  var pixelCount = -1
  for row in arguments.rows {
    var column = 0
    while column < windows.outputWidth {
      let run = rows.run(row, from: column)
      if run.rowCount &* run.tapCount != pixelCount {
        pixelCount = run.rowCount &* run.tapCount
        reduction.prepare(pixelCount: pixelCount)
      }
      visit(run, reduction, rows)
      column &+= run.count
    }
  }
}

/// The positions of windows in the rows of an image.
struct WindowRows {
  let windows: PatchGeometry
  let input: UnsafeRawPointer
  let output: UnsafeMutableRawPointer
  let indices: UnsafeMutableRawPointer?
  let scratch: UnsafeMutableRawPointer
  let pixelBytes: Int
  let rowBytes: Int
  let inputEnd: UnsafeRawPointer
  /// The end of the results of this call.
  let outputEnd: UnsafeMutableRawPointer
  /// The windows of a row that have all their columns inside the image.
  private let whole: Range<Int>

  @inline(__always)
  init(_ arguments: PoolingArguments, elementBytes: Int) {
    windows = arguments.windows
    input = arguments.input
    output = arguments.output
    indices = arguments.indices
    scratch = arguments.scratch
    pixelBytes = windows.pixelStride &* elementBytes
    rowBytes = windows.inputWidth &* pixelBytes
    inputEnd = input + arguments.imageCount &* windows.inputHeight &* rowBytes
    outputEnd =
      output + arguments.rows.upperBound &* windows.outputWidth &* pixelBytes
    let stride = windows.strideWidth
    let first = smaller((windows.paddingLeft &+ stride &- 1) / stride, windows.outputWidth)
    let lastStart = windows.inputWidth &+ windows.paddingLeft &- windows.windowWidth
    let end = lastStart < 0 ? first : smaller(lastStart / stride &+ 1, windows.outputWidth)
    whole = first..<larger(first, end)
  }

  /// The size of an output row in bytes.
  @inline(__always)
  var outputRowBytes: Int { windows.outputWidth &* pixelBytes }

  /// Returns the windows of a row that have the same columns inside the image as the given one.
  @inline(never)
  func run(_ row: Int, from column: Int) -> WindowRun {
    let image = row / windows.outputHeight
    let y =
      (row &- image &* windows.outputHeight) &* windows.strideHeight &- windows.paddingTop
    let x = column &* windows.strideWidth &- windows.paddingLeft
    let rows = Span(at: y, windows.windowHeight, in: windows.inputHeight)
    let columns = Span(at: x, windows.windowWidth, in: windows.inputWidth)
    let inputRow = image &* windows.inputHeight &+ y &+ rows.first
    let target = row &* outputRowBytes &+ column &* pixelBytes
    return WindowRun(
      input: input + (inputRow &* rowBytes &+ (x &+ columns.first) &* pixelBytes),
      rowCount: rows.count, tapCount: columns.count,
      firstWindowIndex: rows.first &* windows.windowWidth &+ columns.first,
      indicesPerRow: windows.windowWidth, rowBytes: rowBytes, pixelBytes: pixelBytes,
      step: windows.strideWidth &* pixelBytes, output: output + target,
      indices: (indices ?? output) + target,
      count: column == whole.lowerBound && !whole.isEmpty ? whole.count : 1)
  }
}

/// The part of a window that is inside the input, along one axis.
private struct Span {
  var first: Int
  var count: Int

  @inline(__always)
  init(at origin: Int, _ extent: Int, in inputExtent: Int) {
    first = larger(0 &- origin, 0)
    count = larger(smaller(extent, inputExtent &- origin) &- first, 0)
  }
}

// MARK: Runs

/// The number of bytes of a pixel that are read before the next window.
///
/// Few enough for the L1 cache to hold them for all pixels of a window until other windows share
/// them, and enough for the hardware to prefetch.
private let blockBytes = 2048

@inline(__always)
func reduce<Reduction: WindowReduction>(
  _ run: WindowRun, _ reduction: Reduction, _ rows: WindowRows
) {
  let vectorBytes = Reduction.lanes &* Reduction.elementBytes
  guard run.pixelBytes >= vectorBytes else { return reduceFewChannels(run, reduction, rows) }
  let blockCount = (run.pixelBytes &+ blockBytes &- 1) / blockBytes
  let block = roundUp(run.pixelBytes / blockCount, to: 4 &* vectorBytes)
  var offset = 0
  while offset < run.pixelBytes {
    // The last vector of a pixel begins earlier if it would not be whole.
    let end = smaller(offset &+ block, run.pixelBytes)
    reduce(run, smaller(offset, end &- vectorBytes)..<end, reduction)
    offset = end
  }
}

/// Reduces some channels of all windows of a run.
@inline(__always)
private func reduce<Reduction: WindowReduction>(
  _ run: WindowRun, _ channels: Range<Int>, _ reduction: Reduction
) {
  switch (run.rowCount, run.tapCount) {
  #if FAST_PATHS
    case (2, 2): reduce(run, channels, reduction, Two.self)
    case (3, 3): reduce(run, channels, reduction, Three.self)
  #endif
  // Windows that are not square, or have no unrolled variant.
  default: reduce(run, channels, reduction, AnyNumber.self)
  }
}

/// Reduces four vectors at a time, and then the rest of each window, vector by vector.
@inline(never)
private func reduce<Reduction: WindowReduction, Side: Literal>(
  _ run: WindowRun, _ channels: Range<Int>, _ reduction: Reduction, _: Side.Type
) {
  let vectorBytes = Reduction.lanes &* Reduction.elementBytes
  let groupBytes = 4 &* vectorBytes
  if channels.upperBound &- channels.lowerBound <= 2 &* vectorBytes {
    return reduceNeighbours(run, channels, reduction, Side.self)
  }
  let groups = VectorOffsets.ofNeighbours(vectorBytes)
  // The last vector ends with the channels, and may overlap the one before.
  let last = channels.upperBound &- vectorBytes
  var address = WindowAddress(run)
  for _ in 0..<run.count {
    var offset = channels.lowerBound
    while offset &+ groupBytes <= channels.upperBound {
      reduceWindow(run, address, at: offset, groups, reduction, Four.self, Side.self)
      offset &+= groupBytes
    }
    while offset < channels.upperBound {
      reduceWindow(
        run, address, at: smaller(offset, last), groups, reduction, One.self, Side.self)
      offset &+= vectorBytes
    }
    address.advance(by: 1, of: run)
  }
}

/// Reduces one or two vectors of channels, of as many windows at a time as make four vectors.
@inline(never)
private func reduceNeighbours<Reduction: WindowReduction, Side: Literal>(
  _ run: WindowRun, _ channels: Range<Int>, _ reduction: Reduction, _: Side.Type
) {
  let vectorBytes = Reduction.lanes &* Reduction.elementBytes
  let first = channels.lowerBound
  let second = channels.upperBound &- vectorBytes &- first
  let windows = second == 0 ? 4 : 2
  let neighbours =
    second == 0 ? VectorOffsets.ofFourWindows(run) : .ofTwoWindows(run, second: second)
  var address = WindowAddress(run)
  var left = run.count
  while left >= windows {
    reduceWindow(run, address, at: first, neighbours, reduction, Four.self, Side.self)
    address.advance(by: windows, of: run)
    left &-= windows
  }
  while left > 0 {
    for vector in 0..<(second == 0 ? 1 : 2) {
      let offset = first &+ vector &* second
      reduceWindow(run, address, at: offset, neighbours, reduction, One.self, Side.self)
    }
    address.advance(by: 1, of: run)
    left &-= 1
  }
}

/// The addresses of one window of a run: its first pixel and its results.
private struct WindowAddress {
  var input: UnsafeRawPointer
  var output: UnsafeMutableRawPointer
  var indices: UnsafeMutableRawPointer

  /// Creates the addresses of the first window.
  @inline(__always)
  init(_ run: WindowRun) {
    input = run.input
    output = run.output
    indices = run.indices
  }

  @inline(__always)
  mutating func advance(by windows: Int, of run: WindowRun) {
    input += windows &* run.step
    output += windows &* run.pixelBytes
    indices += windows &* run.pixelBytes
  }
}

/// The offsets of three vectors from the first, in the input and in the output.
private struct VectorOffsets {
  var input: (second: Int, third: Int, fourth: Int)
  var output: (second: Int, third: Int, fourth: Int)

  /// Returns offsets of four contiguous vectors of a pixel.
  @inline(__always)
  static func ofNeighbours(_ vectorBytes: Int) -> VectorOffsets {
    let offsets = (second: vectorBytes, third: 2 &* vectorBytes, fourth: 3 &* vectorBytes)
    return VectorOffsets(input: offsets, output: offsets)
  }

  /// Returns offsets of one vector in each of four adjacent windows.
  @inline(__always)
  static func ofFourWindows(_ run: WindowRun) -> VectorOffsets {
    let pixel = run.pixelBytes
    return VectorOffsets(
      input: (run.step, 2 &* run.step, 3 &* run.step),
      output: (pixel, 2 &* pixel, 3 &* pixel))
  }

  /// Returns offsets of two vectors, `second` bytes apart, in each of two adjacent windows.
  @inline(__always)
  static func ofTwoWindows(_ run: WindowRun, second: Int) -> VectorOffsets {
    VectorOffsets(
      input: (second, run.step, run.step &+ second),
      output: (second, run.pixelBytes, run.pixelBytes &+ second))
  }
}

/// Reduces one or four vectors of one window or of adjacent windows.
@inline(__always)
private func reduceWindow<Reduction: WindowReduction, Vectors: Literal, Side: Literal>(
  _ run: WindowRun, _ window: WindowAddress, at offset: Int, _ vectors: VectorOffsets,
  _ reduction: Reduction, _: Vectors.Type, _: Side.Type
) {
  var (first, second) = (reduction.initial, reduction.initial)
  var (third, fourth) = (first, first)
  let input = vectors.input, output = vectors.output
  @inline(__always)
  func add(_ pixel: UnsafeRawPointer, _ index: Int) {
    first = reduction.add(first, pixel, index)
    if Vectors.value == 1 { return }
    second = reduction.add(second, pixel + input.second, index)
    third = reduction.add(third, pixel + input.third, index)
    fourth = reduction.add(fourth, pixel + input.fourth, index)
  }
  @inline(__always)
  func addRow(_ row: Int) {
    let address = window.input + (offset &+ row &* run.rowBytes)
    let index = run.firstWindowIndex &+ row &* run.indicesPerRow
    if Side.value == 0 {
      for tap in 0..<run.tapCount { add(address + tap &* run.pixelBytes, index &+ tap) }
    }
    if Side.value > 0 { add(address, index) }
    if Side.value > 1 { add(address + run.pixelBytes, index &+ 1) }
    if Side.value > 2 { add(address + 2 &* run.pixelBytes, index &+ 2) }
  }
  if Side.value == 0 {
    for row in 0..<run.rowCount { addRow(row) }
  }
  if Side.value > 0 { addRow(0) }
  if Side.value > 1 { addRow(1) }
  if Side.value > 2 { addRow(2) }
  // From left to right: the bytes beyond a pixel are overwritten by the next vector.
  let target = window.output + offset, indices = window.indices + offset
  reduction.finish(first, target, indices)
  if Vectors.value == 1 { return }
  reduction.finish(second, target + output.second, indices + output.second)
  reduction.finish(third, target + output.third, indices + output.third)
  reduction.finish(fourth, target + output.fourth, indices + output.fourth)
}

/// Reduces windows with fewer channels than a vector has lanes.
///
/// Vectors read and write beyond a pixel if that stays inside the tensor and the results of this
/// call; the next pixel overwrites the excess. At the ends they go through scratch memory.
@inline(__always)
private func reduceFewChannels<Reduction: WindowReduction>(
  _ run: WindowRun, _ reduction: Reduction, _ rows: WindowRows
) {
  let vectorBytes = Reduction.lanes &* Reduction.elementBytes
  let windowBytes =
    larger(run.rowCount &- 1, 0) &* run.rowBytes
    &+ larger(run.tapCount &- 1, 0) &* run.pixelBytes &+ vectorBytes
  // The numbers of windows that whole vectors can read, and also write.
  let readable = countOfFitting(
    (rows.inputEnd - run.input) &- windowBytes, run.step, atMost: run.count)
  let writable = countOfFitting(
    (rows.outputEnd - run.output) &- vectorBytes, run.pixelBytes, atMost: readable)
  var inner = run
  inner.count = writable
  if writable > 0 { reduce(inner, 0..<vectorBytes, reduction) }
  for index in writable..<run.count {
    var window = run
    window.count = 1
    window.input += index &* run.step
    window.output = rows.scratch + sumVectorBytes
    window.indices = window.output + sumVectorBytes
    if index < readable {
      reduce(window, 0..<vectorBytes, reduction)
    } else {
      reduceStaged(window, reduction, rows)
    }
    let offset = index &* run.pixelBytes
    copyEnd(window.output, to: run.output + offset, count: run.pixelBytes)
    if rows.indices != nil {
      copyEnd(window.indices, to: run.indices + offset, count: run.pixelBytes)
    }
  }
}

/// Returns how many positions, `step` bytes apart from zero on, do not exceed `byteCount`.
@inline(__always)
private func countOfFitting(_ byteCount: Int, _ step: Int, atMost count: Int) -> Int {
  byteCount < 0 ? 0 : smaller(count, byteCount / larger(step, 1) &+ 1)
}

/// Reduces a window with few channels whose last pixels are at the end of the tensor.
@inline(never)
private func reduceStaged<Reduction: WindowReduction>(
  _ run: WindowRun, _ reduction: Reduction, _ rows: WindowRows
) {
  let staging = rows.scratch
  // The last address from which a whole vector can be read.
  let end = rows.inputEnd - Reduction.lanes &* Reduction.elementBytes
  var partial = reduction.initial
  for row in 0..<run.rowCount {
    var pixel = run.input + row &* run.rowBytes
    let index = run.firstWindowIndex &+ row &* run.indicesPerRow
    for tap in 0..<run.tapCount {
      if pixel <= end {
        partial = reduction.add(partial, pixel, index &+ tap)
      } else {
        copyEnd(pixel, to: staging, count: run.pixelBytes)
        partial = reduction.add(partial, UnsafeRawPointer(staging), index &+ tap)
      }
      pixel += run.pixelBytes
    }
  }
  reduction.finish(partial, run.output, run.indices)
}
