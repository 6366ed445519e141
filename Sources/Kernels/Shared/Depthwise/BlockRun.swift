import OcellusKernelABI

/// A run of neighbouring windows, in one block of channels.
struct BlockRun<Writer: SumWriter> {
  /// The first vector under the first window.
  var vectors: UnsafeRawPointer
  var window: WindowOffsets
  var block: UnsafeRawPointer
  var packing: DepthwisePacking
  /// The number of windows in an output row, and the bytes from one to the next.
  var count: Int
  var vectorStep: Int
  /// The distance in bytes to the window below, or 0 if it has the same vectors and weights shifted
  /// by one row.
  var vectorRowStep: Int
  var output: UnsafeMutableRawPointer
  /// The distances in bytes to the next result, and to the same result in the next output row.
  var outputStep: Int
  var outputRowStep: Int
  /// The number of lanes to store.
  var width: Int
  var scratch: UnsafeMutableRawPointer

  /// Returns the window after all windows, of which only `width` lanes are stored.
  @inline(__always)
  func last(width: Int) -> BlockRun {
    var last = self
    last.vectors += count &* vectorStep
    last.output += count &* outputStep
    last.count = 1
    last.width = width
    return last
  }

  @inline(__always)
  func convolve(isPair: Bool, _ scaling: Writer.Scaling) {
    let isShort = window.count == 3 && DepthwiseBlockHeader(block).terms == 1
    switch (isPair && vectorRowStep == 0, isShort) {
    case (true, true): convolvePairs(scaling, ThreeTaps.self)
    case (true, false): convolvePairs(scaling, AnyTaps.self)
    case (false, true): convolve(outputRows: isPair ? 2 : 1, scaling, ThreeTaps.self)
    case (false, false): convolve(outputRows: isPair ? 2 : 1, scaling, AnyTaps.self)
    }
  }

  private var taps: AnyTaps {
    @inline(__always)
    get {
      AnyTaps(
        weights: block + (DepthwiseBlockHeader.byteCount &+ scaleBytes), window: window,
        outputRows: packing.outputRows, terms: DepthwiseBlockHeader(block).terms)
    }
  }

  /// Computes four windows at a time: of one output row, or two of each of two output rows.
  @inline(never)
  private func convolve<Taps: WindowTaps>(outputRows: Int, _ scaling: Writer.Scaling, _: Taps.Type)
  {
    let starts = block + DepthwiseBlockHeader.byteCount
    let start = loadSums(starts)
    let writer = Writer(starts + sumVectorBytes, scaling)
    let taps = Taps(taps)
    let step = vectorStep
    let windows = 4 / outputRows
    // The distance from the first two windows to the last two.
    let pairStep = outputRows == 2 ? vectorRowStep : 2 &* step
    var destination = ResultDestination(
      output: output, stride: outputStep,
      pairStride: outputRows == 2 ? outputRowStep : 2 &* outputStep,
      width: width, scratch: scratch)
    var anchor = vectors
    var left = count
    while left >= windows || left > 0 && count >= windows {
      if left < windows {
        // The last windows overlap those before.
        anchor -= (windows &- left) &* step
        destination.output -= (windows &- left) &* outputStep
        left = windows
      }
      var a = start, b = start, c = start, d = start
      taps.forEach { offset, weight, _ in
        let vector = anchor + offset
        a = dot(a, loadSums(vector), weight)
        b = dot(b, loadSums(vector + step), weight)
        c = dot(c, loadSums(vector + pairStep), weight)
        d = dot(d, loadSums(vector + (pairStep &+ step)), weight)
      }
      writer.write(a, b, c, d, count: 4, to: destination)
      anchor += windows &* step
      destination.output += windows &* outputStep
      left &-= windows
    }
    // Too few windows to overlap any others are computed one by one.
    while left > 0 {
      for row in 0..<outputRows {
        var sum = start
        let first = anchor + row &* vectorRowStep
        taps.forEach { offset, weight, _ in sum = dot(sum, loadSums(first + offset), weight) }
        var single = destination
        single.output += row &* outputRowStep
        writer.write(sum, sum, sum, sum, count: 1, to: single)
      }
      anchor += step
      destination.output += outputStep
      left &-= 1
    }
  }

  /// Computes two windows of each of two output rows at a time.
  @inline(never)
  private func convolvePairs<Taps: WindowTaps>(_ scaling: Writer.Scaling, _: Taps.Type) {
    let starts = block + DepthwiseBlockHeader.byteCount
    let start = loadSums(starts)
    let writer = Writer(starts + sumVectorBytes, scaling)
    let taps = Taps(taps)
    let step = vectorStep
    var destination = ResultDestination(
      output: output, stride: outputStep, pairStride: outputRowStep, width: width, scratch: scratch)
    var anchor = vectors
    var left = count
    while left >= 2 || left > 0 && count >= 2 {
      if left < 2 {
        // The last two windows overlap those before.
        anchor -= step
        destination.output -= outputStep
        left = 2
      }
      var a = start, b = start, c = start, d = start
      taps.forEach { offset, upper, lower in
        let first = loadSums(anchor + offset)
        let second = loadSums(anchor + (offset &+ step))
        a = dot(a, first, upper)
        b = dot(b, second, upper)
        c = dot(c, first, lower)
        d = dot(d, second, lower)
      }
      writer.write(a, b, c, d, count: 4, to: destination)
      anchor += 2 &* step
      destination.output += 2 &* outputStep
      left &-= 2
    }
    if left > 0 {
      var a = start, b = start
      taps.forEach { offset, upper, lower in
        let vector = loadSums(anchor + offset)
        a = dot(a, vector, upper)
        b = dot(b, vector, lower)
      }
      destination.stride = outputRowStep
      writer.write(a, b, b, b, count: 2, to: destination)
    }
  }
}
