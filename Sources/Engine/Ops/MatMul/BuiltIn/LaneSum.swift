/// A sum of products in the order of `LaneProduct.accumulate`, one product at a time.
struct LaneSum {
  /// The number of products that go to the lanes.
  private let laneCount: Int
  private var position = 0
  private var lanes = LaneProduct.Lanes.zero
  private(set) var total: Float = 0

  init(of count: Int) { laneCount = count / 4 * 4 }

  @inline(__always)
  func adding(_ product: Float) -> Self {
    var sum = self
    if position < laneCount {
      sum.lanes[position & 3] += product
    } else {
      sum.total += product
    }
    sum.position += 1
    if sum.position == laneCount {
      sum.total = ((sum.lanes[0] + sum.lanes[1]) + sum.lanes[2]) + sum.lanes[3]
    }
    return sum
  }
}
