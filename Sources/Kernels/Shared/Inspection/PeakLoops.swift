import OcellusKernelABI

// Twelve accumulators hide the latency of a multiply-add on all current processors, and leave
// registers for the operands where there are sixteen. They start from different numbers that the
// compiler does not know, because it would merge equal accumulators.

private let sumCount = 12

var peakLoops: PeakLoops {
  PeakLoops(
    multiplyFloats: multiplyFloats,
    floatProductsPerRound: sumCount * FloatVector.scalarCount,
    multiplyBytes: multiplyBytes,
    byteProductsPerRound: sumCount * SumVector.scalarCount * depthPerDot,
    read: read)
}

private func multiplyFloats(_ rounds: Int, _ memory: UnsafeMutableRawPointer) {
  @inline(__always) func start(_ index: Int) -> FloatVector {
    loadFloats(memory + index &* sumVectorBytes)
  }
  @inline(__always) func add(_ x: FloatVector, _ y: FloatVector, to sum: inout FloatVector) {
    sum = FusedMultiplyAdd.multiplyAdd(sum, x, y)
  }
  let x = start(12), y = start(13)
  var (a, b, c, d, e, f) = (start(0), start(1), start(2), start(3), start(4), start(5))
  var (g, h, i, j, k, l) = (start(6), start(7), start(8), start(9), start(10), start(11))
  for _ in 0..<rounds {
    add(x, y, to: &a)
    add(x, y, to: &b)
    add(x, y, to: &c)
    add(x, y, to: &d)
    add(x, y, to: &e)
    add(x, y, to: &f)
    add(x, y, to: &g)
    add(x, y, to: &h)
    add(x, y, to: &i)
    add(x, y, to: &j)
    add(x, y, to: &k)
    add(x, y, to: &l)
  }
  store(a + b + c + d + e + f + g + h + i + j + k + l, to: memory)
}

/// Multiplies bytes in a loop where each accumulator is an operand of the one before.
///
/// The compiler would move the multiplication of constant operands out of the loop.
private func multiplyBytes(_ rounds: Int, _ memory: UnsafeMutableRawPointer) {
  @inline(__always) func start(_ index: Int) -> SumVector {
    loadSums(memory + index &* sumVectorBytes)
  }
  let y = start(12)
  var (a, b, c, d, e, f) = (start(0), start(1), start(2), start(3), start(4), start(5))
  var (g, h, i, j, k, l) = (start(6), start(7), start(8), start(9), start(10), start(11))
  for _ in 0..<rounds {
    a = dot(a, b, y)
    b = dot(b, c, y)
    c = dot(c, d, y)
    d = dot(d, e, y)
    e = dot(e, f, y)
    f = dot(f, g, y)
    g = dot(g, h, y)
    h = dot(h, i, y)
    i = dot(i, j, y)
    j = dot(j, k, y)
    k = dot(k, l, y)
    l = dot(l, a, y)
  }
  store(a &+ b &+ c &+ d &+ e &+ f &+ g &+ h &+ i &+ j &+ k &+ l, to: memory)
}

private func read(
  _ memory: UnsafeRawPointer, _ byteCount: Int, _ result: UnsafeMutableRawPointer
) {
  var (a, b, c, d) = (SumVector.zero, SumVector.zero, SumVector.zero, SumVector.zero)
  var address = memory
  let end = memory + byteCount
  while address < end {
    a &+= loadSums(address)
    b &+= loadSums(address + sumVectorBytes)
    c &+= loadSums(address + 2 &* sumVectorBytes)
    d &+= loadSums(address + 3 &* sumVectorBytes)
    address += 4 &* sumVectorBytes
  }
  store(a &+ b &+ c &+ d, to: result)
}
