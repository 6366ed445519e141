import OcellusAudit
import OcellusEngine

/// Compares what a node makes of sums with the reference kernel's results, for every sum.
///
/// An average depends on nothing but the sum of its integers, which is exact in any order. Each lane
/// of a run has another sum.
struct AverageSweep {
  let tuned: any NodeSession
  let reference: any NodeSession
  let operand: TensorDescription
  let groups: ElementGroups

  /// The greatest number of elements that are summed in all.
  private static let mostElements = 1 << 34

  /// Whether some windows may be cut off at an edge.
  private let hasEdges: Bool

  init(
    _ tuned: any NodeSession, _ reference: any NodeSession, _ operand: TensorDescription,
    _ groups: ElementGroups, resultCount: Int
  ) {
    (self.tuned, self.reference, self.operand, self.groups) = (tuned, reference, operand, groups)
    hasEdges = groups.areWindows && resultCount > groups.laneCount
  }

  private var sumCount: Int { 255 * groups.size + 1 }
  private var roundCount: Int { (sumCount + groups.laneCount - 1) / groups.laneCount }

  /// - Returns: the number of results that were compared; `nil` if there are too many sums.
  func run() throws -> Int? {
    let elementCount = operand.shape.elementCount
    guard roundCount <= Self.mostElements / elementCount else { return nil }
    var comparisonCount = 0
    for round in 0..<roundCount {
      let first = round * groups.laneCount
      comparisonCount += try compare(from: first, turnsLanes: true)
      // If elements grow in the same order in all lanes, so do the sums of windows that are cut off
      // at an edge, one by one: they take every value, too.
      if hasEdges { comparisonCount += try compare(from: first, turnsLanes: false) }
    }
    return comparisonCount
  }

  private func compare(from first: Int, turnsLanes: Bool) throws -> Int {
    let least = operand.type == .int8 ? -128 : 0
    let sums = (0..<groups.laneCount).map {
      min(first + $0, sumCount - 1).quotientAndRemainder(dividingBy: groups.size)
    }
    let turns = (0..<groups.laneCount).map { Int32(turnsLanes ? $0 % groups.size : 0) }
    let (bases, rests) = (
      sums.map { UInt8(truncatingIfNeeded: least + $0.quotient) }, sums.map { Int32($0.remainder) }
    )
    let size = Int32(groups.size)
    let bytes = zip(groups.places, groups.lanes).map { place, lane in
      let lane = Int(lane)
      let turned = place + turns[lane]
      let rank = turned < size ? turned : turned - size
      return bases[lane] &+ (rank < rests[lane] ? 1 : 0)
    }
    let tensor = StoredTensor(type: operand.type, shape: operand.shape, bytes: bytes)
    let (found, wanted) = (try tuned.results(of: [tensor]), try reference.results(of: [tensor]))
    guard found.map(\.bytes) == wanted.map(\.bytes) else {
      throw KernelFault(
        "a result of sums from \(first + least * groups.size) on differs from the reference kernel's"
      )
    }
    return wanted.reduce(0) { $0 + $1.shape.elementCount }
  }
}
