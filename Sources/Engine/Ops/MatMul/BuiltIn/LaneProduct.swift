/// Products of a matrix and a vector as LiteRT's built-in kernels for x86 compute them: four sums of
/// every fourth product, and then the products that are left.
enum LaneProduct {
  typealias Lanes = SIMD4<Float>

  /// The order in which the sums and the rest are added.
  enum Order {
    /// The sums crosswise, then the rest; the result is added to what it is for. (Eigen's order.)
    case crosswise
    /// The sums one after the other to what the result is for, then the rest one after the other.
    /// (The order of LiteRT's vector loops.)
    case accumulated
  }

  // MARK: Crosswise

  /// Calls `body` with the dot product of each row and the vector.
  @inline(__always)
  static func forEach(
    _ rows: Range<Int>, of matrix: UnsafePointer<Float>, depth: Int,
    times vector: UnsafePointer<Float>, _ body: (_ row: Int, _ product: Float) -> Void
  ) {
    forEachOfLanes(rows, of: matrix, depth: depth, times: vector) { row, lanes, rest in
      var sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
      for index in rest { sum += matrix[row &* depth &+ index] * vector[index] }
      body(row, sum)
    }
  }

  /// Adds a number to a product as the built-in kernels do, which turn infinities into the greatest
  /// finite numbers.
  @inline(__always)
  static func sum(_ product: Float, _ addend: Float) -> Float {
    let largest = Float.greatestFiniteMagnitude
    return (product + addend).clamped(to: -largest...largest)
  }

  // MARK: Accumulated

  /// Adds the product of each row and the vector to a sum.
  @inline(__always)
  static func accumulate(
    _ rows: Range<Int>, of matrix: UnsafePointer<Float>, depth: Int,
    times vector: UnsafePointer<Float>, in sums: UnsafeMutablePointer<Float>
  ) {
    forEachOfLanes(rows, of: matrix, depth: depth, times: vector) { row, lanes, rest in
      var sum = sums[row]
      if rest.lowerBound > 0 { sum += ((lanes[0] + lanes[1]) + lanes[2]) + lanes[3] }
      for index in rest { sum += matrix[row &* depth &+ index] * vector[index] }
      sums[row] = sum
    }
  }

  // MARK: Lanes

  /// Calls `body` with four sums of each row, and the indices of the products that are left.
  @inline(__always)
  private static func forEachOfLanes(
    _ rows: Range<Int>, of matrix: UnsafePointer<Float>, depth: Int,
    times vector: UnsafePointer<Float>, _ body: (_ row: Int, Lanes, _ rest: Range<Int>) -> Void
  ) {
    let rest = depth / 4 * 4..<depth
    var row = rows.lowerBound
    // Four rows hide the time that an addition takes.
    while row &+ 4 <= rows.upperBound {
      let first = matrix + row &* depth
      let (second, third, fourth) = (first + depth, first + 2 &* depth, first + 3 &* depth)
      var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
      var index = 0
      while index < rest.lowerBound {
        let numbers = lanes(vector + index)
        a += lanes(first + index) * numbers
        b += lanes(second + index) * numbers
        c += lanes(third + index) * numbers
        d += lanes(fourth + index) * numbers
        index &+= 4
      }
      body(row, a, rest)
      body(row &+ 1, b, rest)
      body(row &+ 2, c, rest)
      body(row &+ 3, d, rest)
      row &+= 4
    }
    while row < rows.upperBound {
      let weights = matrix + row &* depth
      var products = Lanes.zero
      var index = 0
      while index < rest.lowerBound {
        products += lanes(weights + index) * lanes(vector + index)
        index &+= 4
      }
      body(row, products, rest)
      row &+= 1
    }
  }

  @inline(__always)
  private static func lanes(_ address: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(address).loadUnaligned(as: Lanes.self)
  }
}
