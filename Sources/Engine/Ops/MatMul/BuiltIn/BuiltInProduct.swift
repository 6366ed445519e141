/// A product of float matrices in the order of LiteRT's built-in kernels on x86.
///
/// They use the library Eigen with vectors of 128 bits and without fused multiply-adds. Which of the
/// orders below a result has depends on its place in the matrix.
struct BuiltInProduct: Sendable {
  /// The rows of the input; the columns of the result, which are rows of the weights.
  let rows: Int
  let columns: Int
  let depth: Int

  /// The order in which the products of one result are added.
  private enum Order {
    /// One after the other.
    case sequence
    /// Every second one as long as there are eight, then the sum of the two sums, then the rest.
    case pairs
    /// Every fourth one as long as there are four, then the sums in pairs, then the rest.
    case fours
  }

  init(rows: Int, columns: Int, depth: Int) {
    (self.rows, self.columns, self.depth) = (rows, columns, depth)
  }

  /// Whether a vector is multiplied, or matrices so small that each result is computed by itself.
  var isInLanes: Bool { rows == 1 || columns == 1 || rows + columns + depth < 20 }

  /// The columns of which some results are not added in sequence; `nil` if all columns are such.
  var exceptions: Range<Int>? {
    isInLanes || blockDepth < depth ? nil : columns / 8 * 8..<columns
  }

  /// The number of products that are added at a time; sums of longer rows are added block by block.
  ///
  /// Blocks fill the cache of the first level, here one of 32 KiB.
  private var blockDepth: Int {
    let longest = (32_768 - 128) / 48 / 8 * 8
    guard depth > longest else { return depth }
    let rest = depth % longest
    guard rest > 0 else { return longest }
    return longest - 8 * ((longest - 1 - rest) / (8 * (depth / longest + 1)))
  }

  /// Calls `body` with the products of one row of the input and some columns.
  @inline(__always)
  func forEach(
    _ wanted: Range<Int>, ofRow row: Int, _ vector: UnsafePointer<Float>,
    weights: (_ column: Int) -> UnsafePointer<Float>,
    _ body: (_ column: Int, _ product: Float) -> Void
  ) {
    if isInLanes {
      for column in wanted {
        LaneProduct.forEach(0..<1, of: weights(column), depth: depth, times: vector) {
          body(column, $1)
        }
      }
      return
    }
    // Rows after the last four have one order for all columns.
    let isGrouped = row < rows / 4 * 4
    let sequenceEnd = isGrouped ? columns / 8 * 8 : columns
    let pairsEnd = isGrouped ? columns / 4 * 4 : columns
    var column = wanted.lowerBound
    while column &+ 4 <= min(sequenceEnd, wanted.upperBound) {
      let products = fourProducts(
        vector, (weights(column), weights(column + 1), weights(column + 2), weights(column + 3)))
      for lane in 0..<4 { body(column &+ lane, products[lane]) }
      column &+= 4
    }
    while column < wanted.upperBound {
      let order: Order =
        column < sequenceEnd ? .sequence : column < pairsEnd ? .pairs : .fours
      body(column, product(vector, weights(column), order))
      column &+= 1
    }
  }

  /// Returns four products in sequence, which hide the time that an addition takes.
  @inline(__always)
  private func fourProducts(
    _ vector: UnsafePointer<Float>,
    _ weights: (
      UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
    )
  ) -> SIMD4<Float> {
    var total = SIMD4<Float>.zero
    let length = blockDepth
    for first in stride(from: 0, to: depth, by: length) {
      var (a, b, c, d) = (Float(0), Float(0), Float(0), Float(0))
      for index in first..<min(first + length, depth) {
        a += weights.0[index] * vector[index]
        b += weights.1[index] * vector[index]
        c += weights.2[index] * vector[index]
        d += weights.3[index] * vector[index]
      }
      total += SIMD4(a, b, c, d)
    }
    return total
  }

  private func product(
    _ vector: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ order: Order
  ) -> Float {
    var total: Float = 0
    let length = blockDepth
    for first in stride(from: 0, to: depth, by: length) {
      let count = min(length, depth - first)
      total += blockSum(vector + first, weights + first, count, order)
    }
    return total
  }

  private func blockSum(
    _ vector: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int, _ order: Order
  ) -> Float {
    var sums = SIMD4<Float>.zero
    var (sum, end) = (Float(0), 0)
    switch order {
    case .sequence: break
    case .pairs:
      end = count / 8 * 8
      for index in 0..<end { sums[index & 1] += weights[index] * vector[index] }
      sum = sums[0] + sums[1]
    case .fours:
      end = count / 4 * 4
      for index in 0..<end { sums[index & 3] += weights[index] * vector[index] }
      sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
    for index in end..<count { sum += weights[index] * vector[index] }
    return sum
  }
}
