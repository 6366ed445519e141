/// Bounds on sums of products in float32, in any order, fused or not.
///
/// With exact sums S = Σ xᵢwᵢ and M = Σ |xᵢ|·|wᵢ|, every order of n terms gives a result within
/// γₙ·M of S. If the factors are only known to be in intervals with the centres x and w and the
/// largest magnitudes x⁺ and w⁺, M becomes Σ x⁺w⁺, and the sums of the factors themselves are within
/// Σ x⁺w⁺ − Σ |xᵢ|·|wᵢ| of S.
struct ProductSums {
  /// Factors of sums: rows of the same number of elements.
  struct Rows {
    /// The centres of the factors' intervals, and the largest magnitudes in them.
    var centers: [Double]
    var magnitudes: [Double]

    init(count: Int) {
      centers = Array(repeating: 0, count: count)
      magnitudes = centers
    }

    init(_ intervals: Intervals, _ format: BoundsArithmetic.Factors) {
      self.init(count: intervals.count)
      for index in 0..<intervals.count {
        let interval = format.rounded(intervals[index])
        centers[index] = interval.low == interval.high ? interval.low : interval.center
        magnitudes[index] = interval.magnitude
      }
    }
  }

  /// The columns that a loop computes together.
  private typealias Lanes = SIMD8<Double>

  private let depth: Int
  private let columnCount: Int
  /// Groups of columns, row by row.
  private var centers: [Lanes] = []
  private var magnitudes: [Lanes] = []
  /// Whether every weight is a number, so that zeros can be skipped.
  private let isFinite: Bool
  private let biases: Intervals?

  /// Makes sums of rows with each of the columns, whose element `position` is at `place`.
  init(
    _ weights: Rows, depth: Int, columnCount: Int, biases: Intervals?,
    place: (_ column: Int, _ position: Int) -> Int
  ) {
    self.depth = depth
    self.columnCount = columnCount
    self.biases = biases
    let groupCount = (columnCount + Lanes.scalarCount - 1) / Lanes.scalarCount
    centers = Array(repeating: .zero, count: groupCount * depth)
    magnitudes = centers
    for column in 0..<columnCount {
      let (group, lane) = (column / Lanes.scalarCount, column % Lanes.scalarCount)
      for position in 0..<depth {
        let index = place(column, position)
        centers[group * depth + position][lane] = weights.centers[index]
        magnitudes[group * depth + position][lane] = weights.magnitudes[index]
      }
    }
    isFinite = weights.magnitudes.allSatisfy(\.isFinite)
  }

  /// Reports the bounds of the sums of one row with every column.
  ///
  /// All factors of the row but `termCount` are zeros that are not added.
  func bounds(
    _ row: UnsafeBufferPointer<Double>, _ rowMagnitudes: UnsafeBufferPointer<Double>,
    termCount: Int, _ report: (_ column: Int, Interval) -> Void
  ) {
    let count = termCount + (biases == nil ? 0 : 1)
    centers.withUnsafeBufferPointer { centers in
      magnitudes.withUnsafeBufferPointer { magnitudes in
        for start in stride(from: 0, to: columnCount, by: Lanes.scalarCount) {
          let offset = start / Lanes.scalarCount * depth
          var (sum, plain, most) = (Lanes.zero, Lanes.zero, Lanes.zero)
          for position in 0..<depth where rowMagnitudes[position] != 0 || !isFinite {
            let product = centers[offset + position] * row[position]
            sum += product
            plain += product.magnitudes
            most += magnitudes[offset + position] * rowMagnitudes[position]
          }
          for lane in 0..<min(Lanes.scalarCount, columnCount - start) {
            report(
              start + lane,
              Self.interval(
                sum[lane], plain[lane], most[lane], bias: biases?[start + lane], count: count))
          }
        }
      }
    }
  }

  /// Returns what sums can give whose products go through `count` roundings.
  ///
  /// `sum` is Σ xw of the centres, `plain` Σ |xw|, and `most` Σ |xw| of the largest magnitudes.
  static func interval(
    _ sum: Double, _ plain: Double, _ most: Double, bias: Interval?, count: Int
  ) -> Interval {
    let bias = bias ?? Interval(0)
    let most = most + bias.magnitude
    let radius =
      max(most - bias.magnitude - plain, 0) + Float32Rounding.gamma(count) * most
      + 4 * Double(count + 4) * doubleUnit * most
      // Each operation may flush its result to zero.
      + (count == 0 ? 0 : 2 * Double(count) * Float32Rounding.smallestNormal)
    let result = Interval(low: sum + bias.low - radius, high: sum + bias.high + radius)
    // A sum that may overflow on the way may end as anything.
    return most * (1 + Float32Rounding.gamma(count)) < Double(Float.greatestFiniteMagnitude)
      ? result.orAnything : .anything
  }
}

extension SIMD8<Double> {
  fileprivate var magnitudes: Self {
    unsafeBitCast(
      unsafeBitCast(self, to: SIMD8<UInt64>.self) & SIMD8<UInt64>(repeating: 1 << 63 - 1),
      to: Self.self)
  }
}

extension Interval {
  var center: Double { low + (high - low) / 2 }
}
