/// Products of a matrix and a vector in the order of LiteRT's built-in kernels for x86: four sums of
/// every fourth product, added crosswise, and then the products that are left.
enum LaneProduct {
  private typealias Lanes = SIMD4<Float>

  /// Calls `body` with the dot product of each row and the vector.
  @inline(__always)
  static func forEach(
    _ rows: Range<Int>, of matrix: UnsafePointer<Float>, depth: Int,
    times vector: UnsafePointer<Float>, _ body: (_ row: Int, _ product: Float) -> Void
  ) {
    var row = rows.lowerBound
    // Four rows hide the time that an addition takes.
    while row &+ 4 <= rows.upperBound {
      let first = matrix + row &* depth
      let (second, third, fourth) = (first + depth, first + 2 &* depth, first + 3 &* depth)
      var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
      var index = 0
      while index &+ 4 <= depth {
        let numbers = lanes(vector + index)
        a += lanes(first + index) * numbers
        b += lanes(second + index) * numbers
        c += lanes(third + index) * numbers
        d += lanes(fourth + index) * numbers
        index &+= 4
      }
      body(row, sum(a, first, vector, index..<depth))
      body(row &+ 1, sum(b, second, vector, index..<depth))
      body(row &+ 2, sum(c, third, vector, index..<depth))
      body(row &+ 3, sum(d, fourth, vector, index..<depth))
      row &+= 4
    }
    while row < rows.upperBound {
      let weights = matrix + row &* depth
      var products = Lanes.zero
      var index = 0
      while index &+ 4 <= depth {
        products += lanes(weights + index) * lanes(vector + index)
        index &+= 4
      }
      body(row, sum(products, weights, vector, index..<depth))
      row &+= 1
    }
  }

  /// Adds the lanes, and the products that are left.
  @inline(__always)
  private static func sum(
    _ lanes: Lanes, _ weights: UnsafePointer<Float>, _ vector: UnsafePointer<Float>,
    _ rest: Range<Int>
  ) -> Float {
    var sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    for index in rest { sum += weights[index] * vector[index] }
    return sum
  }

  @inline(__always)
  private static func lanes(_ address: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(address).loadUnaligned(as: Lanes.self)
  }

  /// Adds a number to a product as the built-in kernels do, which turn infinities into the greatest
  /// finite numbers.
  @inline(__always)
  static func sum(_ product: Float, _ addend: Float) -> Float {
    let largest = Float.greatestFiniteMagnitude
    return (product + addend).clamped(to: -largest...largest)
  }
}
