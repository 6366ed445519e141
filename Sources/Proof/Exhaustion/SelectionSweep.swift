import OcellusAudit
import OcellusEngine

/// Compares which element of a group a node selects with the reference kernel's choice.
///
/// What takes nothing but maxima of pairs, in whatever order, gives the greatest of the elements that
/// take part. So at each place in turn, one element of each group stands out from all others: by one,
/// and from the farthest value, for every value.
struct SelectionSweep {
  let tuned: any NodeSession
  let reference: any NodeSession
  let operand: TensorDescription
  let groups: ElementGroups
  let selection: NodeFamily.Selection

  /// The number of values that may stand out: all but the farthest one.
  private static let valueCount = 255
  /// The greatest number of elements that are compared in all.
  private static let mostElements = 1 << 31

  /// - Returns: the number of results that were compared; `nil` if there are too many elements.
  func run() throws -> Int? {
    let elementCount = operand.shape.elementCount
    // Lanes have other values, so that a few rounds suffice. Where it takes no longer than a second
    // or two, every lane gets all.
    let everyRound = Self.valueCount * groups.size * 2
    let isSmall = everyRound <= (1 << 30) / elementCount / groups.size
    let step = isSmall ? 1 : groups.laneCount
    let values = stride(from: 0, to: Self.valueCount, by: step)
    guard values.underestimatedCount * groups.size * 2 <= Self.mostElements / elementCount else {
      return nil
    }
    var comparisonCount = 0
    for place in 0..<groups.size {
      for value in values {
        for isNear in [true, false] {
          comparisonCount += try compare(place, from: value, isNear: isNear)
        }
      }
    }
    return comparisonCount
  }

  private func compare(_ place: Int, from first: Int, isNear: Bool) throws -> Int {
    // Ranks count from the value that is never selected.
    func byte(_ rank: Int) -> UInt8 {
      let value = selection == .greatest ? rank : 255 - rank
      return UInt8(truncatingIfNeeded: operand.type == .int8 ? value - 128 : value)
    }
    let ranks = (0..<groups.laneCount).map { 1 + (first + $0) % Self.valueCount }
    let outstanding = ranks.map(byte)
    let others = ranks.map { byte(isNear ? $0 - 1 : 0) }
    let bytes = (0..<operand.shape.elementCount).map { element in
      let lane = Int(groups.lanes[element])
      return groups.places[element] == place ? outstanding[lane] : others[lane]
    }
    let tensor = StoredTensor(type: operand.type, shape: operand.shape, bytes: bytes)
    let (found, wanted) = (try tuned.results(of: [tensor]), try reference.results(of: [tensor]))
    guard found.map(\.bytes) == wanted.map(\.bytes) else {
      throw KernelFault(
        "a result differs from the reference kernel's if element \(place) of its group stands out")
    }
    return wanted.reduce(0) { $0 + $1.shape.elementCount }
  }
}
