import OcellusKernelABI

// Not taken: software prefetching (229 KB of bytes take 1.73 µs with and without it on Zen 5, in C;
// only QUANTIZE and DEQUANTIZE of a megabyte or more gain, about 10 %).
/// Computes at least `lanes` results, a vector at a time.
///
/// The last vector overlaps the one before. It is computed first, because results may replace
/// operands, and stored last.
@inline(__always)
func mapElements<Result>(
  count: Int, lanes: Int, compute: (_ index: Int) -> Result,
  store: (_ result: Result, _ index: Int) -> Void
) {
  let last = count &- lanes
  let end = compute(last)
  var index = 0
  while index < last {
    store(compute(index), index)
    index &+= lanes
  }
  store(end, last)
}

/// Computes like `mapElements`, but four vectors at a time as long as enough are left.
@inline(__always)
func mapElementsByFours<Result>(
  count: Int, lanes: Int, compute: (_ index: Int) -> Result,
  store: (_ result: Result, _ index: Int) -> Void
) {
  let last = count &- lanes
  let end = compute(last)
  var index = 0
  while index &+ 3 &* lanes < last {
    let (second, third, fourth) = (index &+ lanes, index &+ 2 &* lanes, index &+ 3 &* lanes)
    let (a, b, c, d) = (compute(index), compute(second), compute(third), compute(fourth))
    store(a, index)
    store(b, second)
    store(c, third)
    store(d, fourth)
    index &+= 4 &* lanes
  }
  while index < last {
    store(compute(index), index)
    index &+= lanes
  }
  store(end, last)
}

/// Computes like the first `mapElements`, but ends with half a vector if that suffices.
///
/// This makes short rows faster.
@inline(__always)
func mapElements<Result>(
  count: Int, lanes: Int, compute: (_ index: Int, _ isHalf: Bool) -> Result,
  store: (_ result: Result, _ index: Int) -> Void,
  storeHalf: (_ result: Result, _ index: Int) -> Void
) {
  let rest = count % lanes
  let isHalf = rest > 0 && rest <= lanes / 2
  let last = count &- (isHalf ? lanes / 2 : lanes)
  let end = isHalf ? compute(last, true) : compute(last, false)
  var index = 0
  while index < last {
    store(compute(index, false), index)
    index &+= lanes
  }
  if isHalf { storeHalf(end, last) } else { store(end, last) }
}

/// Applies a function of vectors to an array.
@inline(__always)
func mapRow<Result>(
  _ row: ElementRow, inputBytes: Int, outputBytes: Int,
  compute: (_ input: UnsafeRawPointer) -> Result,
  store: (_ result: Result, _ output: UnsafeMutableRawPointer) -> Void
) {
  guard row.count >= SumVector.scalarCount else {
    // Elements of 64 bits take two vectors.
    var vector = (SumVector(), SumVector())
    return withUnsafeMutableBytes(of: &vector) { bytes in
      let memory = bytes.baseAddress.unsafelyUnwrapped
      copyEnd(row.input, to: memory, count: row.count &* inputBytes)
      store(compute(memory), memory)
      copyEnd(memory, to: row.output, count: row.count &* outputBytes)
    }
  }
  mapElements(count: row.count, lanes: SumVector.scalarCount) { index in
    compute(row.input + index &* inputBytes)
  } store: { result, index in
    store(result, row.output + index &* outputBytes)
  }
}
