import OcellusKernelABI

// Adjacent windows with a stride of one share all columns but one. So each column is reduced once,
// and the result stays in registers for all windows that contain it: a 5×5 window takes five loads
// instead of 25. Floats would not gain, because most of their images exceed the L1 and L2 caches,
// and memory limits the speed.

/// A reduction that accepts pixels in any order.
protocol ColumnReduction: WindowReduction {
  /// Combines the intermediate results of two parts of a window, the earlier one first.
  func combined(_ first: Partial, _ second: Partial) -> Partial
}

// Not taken: shared columns of floats (MAX_POOL 3×3, 28×28×256: 86 → 103 µs on Zen 3), or with a
// stride of two (uint8 40×40×240: 167 → 181 thousand instructions).
/// Reduces the windows of some rows; those of three or five columns, column by column.
@inline(__always)
func reduceSharedWindows<Reduction: ColumnReduction>(
  _ arguments: PoolingArguments, _ reduction: Reduction
) {
  let movesByOne = arguments.windows.strideWidth == 1
  forEachRun(arguments, reduction) { run, reduction, rows in
    let vectorBytes = Reduction.lanes &* Reduction.elementBytes
    // A short run has little to share.
    let sharesColumns =
      movesByOne && run.count >= 4 && run.rowCount > 1 && run.pixelBytes >= vectorBytes
    if sharesColumns && run.tapCount == 3 {
      reduceColumns(run, reduction, Three.self)
    } else if sharesColumns && run.tapCount == 5 {
      reduceColumns(run, reduction, Five.self)
    } else {
      reduce(run, reduction, rows)
    }
  }
}

/// Reduces two vectors of channels of a run at a time; the last two may overlap the ones before.
@inline(never)
private func reduceColumns<Reduction: ColumnReduction, Taps: Literal>(
  _ run: WindowRun, _ reduction: Reduction, _: Taps.Type
) {
  let vectorBytes = Reduction.lanes &* Reduction.elementBytes
  let second = smaller(vectorBytes, run.pixelBytes &- vectorBytes)
  let groupBytes = second &+ vectorBytes
  var offset = 0
  while offset < run.pixelBytes {
    let channels = smaller(offset, run.pixelBytes &- groupBytes)
    var columns = (Columns<Reduction, Taps>(reduction), Columns<Reduction, Taps>(reduction))
    var (pixel, target) = (run.input + channels, run.output + channels)
    @inline(__always)
    func push() -> (Reduction.Partial, Reduction.Partial) {
      var partials = (reduction.initial, reduction.initial)
      var address = pixel
      for _ in 0..<run.rowCount {
        partials.0 = reduction.add(partials.0, address, 0)
        partials.1 = reduction.add(partials.1, address + second, 0)
        address += run.rowBytes
      }
      pixel += run.pixelBytes
      return (columns.0.push(partials.0, reduction), columns.1.push(partials.1, reduction))
    }
    for _ in 1..<Taps.value { _ = push() }
    for _ in 0..<run.count {
      let windows = push()
      reduction.finish(windows.0, target, target)
      reduction.finish(windows.1, target + second, target + second)
      target += run.pixelBytes
    }
    offset &+= groupBytes
  }
}

/// The last columns, up to four: all of a window but the newest.
private struct Columns<Reduction: ColumnReduction, Taps: Literal> {
  private var a: Reduction.Partial
  private var b: Reduction.Partial
  private var c: Reduction.Partial
  private var d: Reduction.Partial

  @inline(__always)
  init(_ reduction: Reduction) {
    (a, b, c, d) = (reduction.initial, reduction.initial, reduction.initial, reduction.initial)
  }

  /// Adds the next column.
  ///
  /// - Returns: the result of the window that ends with it.
  @inline(__always)
  mutating func push(_ next: Reduction.Partial, _ reduction: Reduction) -> Reduction.Partial {
    let end = reduction.combined(d, next)
    defer { (a, b, c, d) = (b, c, d, next) }
    if Taps.value == 3 { return reduction.combined(c, end) }
    return reduction.combined(reduction.combined(a, b), reduction.combined(c, end))
  }
}
