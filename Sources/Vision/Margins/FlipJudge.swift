import OcellusImaging

/// Tells which candidates are kept by suppression whatever their numbers are in their ranges, and
/// which are kept for none.
package struct FlipJudge {
  private let candidates: [CandidateRange]
  private let suppression: Suppression
  /// The most objects that are kept, in all and of a class.
  private let limits: (all: Int, ofClass: Int)
  private let overlapMargin: Double
  /// Whether candidates of equal scores keep their order.
  private let keepsOrder: Bool
  /// Whether a candidate is in the contest for certain, apart from better ones.
  private let isPresent: [Bool]
  /// The candidates that some certain object suppresses for certain, or that as many certain
  /// objects as are kept are better than.
  package private(set) var isDropped: [Bool]

  /// `isPresent` tells of each candidate whether its score and its box count for certain.
  package init(
    _ candidates: [CandidateRange], isPresent: [Bool], _ suppression: Suppression,
    limits: (all: Int, ofClass: Int), overlapMargin: Double, keepsOrder: Bool = true
  ) {
    self.candidates = candidates
    self.isPresent = isPresent
    self.suppression = suppression
    self.limits = limits
    self.overlapMargin = overlapMargin
    self.keepsOrder = keepsOrder
    isDropped = Array(repeating: false, count: candidates.count)
    // Whether a candidate is certain depends on those that may be better, and what it drops is
    // certainly worse: so one pass from the best to the worst decides everything.
    let byHigh = candidates.indices.sorted {
      (candidates[$0].highScore, $1) > (candidates[$1].highScore, $0)
    }
    var waiting = candidates.indices.filter { isPresent[$0] }
      .sorted { (candidates[$0].lowScore, $1) > (candidates[$1].lowScore, $0) }[...]
    var certain: [Int] = []
    for index in byHigh {
      while let next = waiting.first, isBetter(next, than: index) {
        waiting.removeFirst()
        if !isDropped[next], risks(of: next).isEmpty { certain.append(next) }
      }
      isDropped[index] =
        certain.count >= limits.all || certain.contains { drops($0, index) }
    }
  }

  /// Whether a candidate is better than another one for certain.
  private func isBetter(_ index: Int, than other: Int) -> Bool {
    let (a, b) = (candidates[index], candidates[other])
    return a.lowScore > b.highScore
      || keepsOrder && index < other && a.lowScore == b.highScore && a.hasExactScore
        && b.hasExactScore
  }

  /// Whether a certain object suppresses another for certain, if it is better for certain.
  private func drops(_ winner: Int, _ loser: Int) -> Bool {
    let (a, b) = (candidates[winner], candidates[loser])
    guard suppression.isAcrossClasses || a.categories.count == 1 && a.categories == b.categories,
      let limit = suppression.overlap
    else { return false }
    return a.box.overlap(with: b.box, margin: overlapMargin).lowerBound > limit
  }

  /// The candidates that may be better than another one and are not dropped for certain.
  private func rivals(of index: Int) -> [Int] {
    candidates.indices.filter {
      $0 != index && !isDropped[$0] && !isBetter(index, than: $0)
    }
  }

  /// Returns what may happen to a candidate that is present for certain, by better candidates.
  package func risks(of index: Int) -> [DetectionVerdict.Risk] {
    let mine = candidates[index]
    let rivals = rivals(of: index)
    var risks: [DetectionVerdict.Risk] = []
    let suppressors = rivals.compactMap { rival -> DetectionVerdict.Risk? in
      let other = candidates[rival]
      guard let limit = suppression.overlap,
        suppression.isAcrossClasses || sharesClass(mine, other)
      else { return nil }
      let overlap = mine.box.overlap(with: other.box, margin: overlapMargin)
      guard overlap.upperBound > limit else { return nil }
      return .suppression(byScore: other.highScore, overlap: overlap, limit: limit)
    }
    // One is enough to say that it may happen.
    if let suppressor = suppressors.first { risks.append(suppressor) }
    if rivals.count >= limits.all { risks.append(.limit(limits.all)) }
    if limits.ofClass < .max,
      rivals.count(where: { sharesClass(mine, candidates[$0]) }) >= limits.ofClass
    {
      risks.append(.limit(limits.ofClass))
    }
    return risks
  }

  private func sharesClass(_ a: CandidateRange, _ b: CandidateRange) -> Bool {
    a.categories.contains(where: b.categories.contains)
  }

  /// Returns the range of an object's box after those that it suppresses were blended into it.
  package func blendedBox(of index: Int) -> BoxRange {
    let mine = candidates[index]
    guard case .blend(let limit) = suppression else { return mine.box }
    var members = [BlendMember(mine, isCertain: true)]
    for other in candidates.indices where other != index && sharesClass(mine, candidates[other]) {
      let theirs = candidates[other]
      guard theirs.lowScore <= mine.highScore,
        mine.box.overlap(with: theirs.box, margin: overlapMargin).upperBound > limit
      else { continue }
      // Another object may have taken it, so only this object's claims are never certain.
      members.append(
        BlendMember(theirs, isCertain: isDropped[other] && isOnlyClaim(on: other, index)))
    }
    return BlendMember.mean(of: members)
  }

  /// Whether no other candidate may take a candidate before this object does.
  private func isOnlyClaim(on other: Int, _ index: Int) -> Bool {
    guard isPresent[other], drops(index, other), isBetter(index, than: other) else {
      return false
    }
    return !rivals(of: other).contains {
      $0 != index
        && (suppression.overlap ?? 0)
          < candidates[$0].box.overlap(with: candidates[other].box).upperBound
    }
  }
}

extension Suppression {
  /// The overlap above which the lesser of two boxes goes; `nil` if none does.
  fileprivate var overlap: Double? {
    switch self {
    case .none, .soft: nil
    case .perCategory(let overlap), .agnostic(let overlap), .blend(let overlap): overlap
    }
  }

  fileprivate var isAcrossClasses: Bool {
    if case .agnostic = self { true } else { false }
  }
}

/// A box that may be one of those that are blended, with the range of its weight.
private struct BlendMember {
  let box: BoxRange
  let lowWeight: Double
  let highWeight: Double

  init(_ candidate: CandidateRange, isCertain: Bool) {
    box = candidate.box
    lowWeight = isCertain ? max(Double(candidate.lowScore), 0) : 0
    highWeight = max(Double(candidate.highScore), 0)
  }

  /// Returns the range of the weighted mean of boxes.
  static func mean(of members: [BlendMember]) -> BoxRange {
    guard members.count > 1, members.allSatisfy(\.box.isFinite) else { return members[0].box }
    var (low, high) = (members[0].box.low, members[0].box.high)
    for edge in BoxRange.edges {
      low[keyPath: edge] = least(
        members.map { ($0.box.low[keyPath: edge], $0.lowWeight, $0.highWeight) })
      high[keyPath: edge] = -least(
        members.map { (-$0.box.high[keyPath: edge], $0.lowWeight, $0.highWeight) })
    }
    return BoxRange(low: low, high: high).widened(by: 0x1p-40)
  }

  /// Returns the least mean: small numbers weigh as much as they can, large ones as little.
  private static func least(_ members: [(value: Double, low: Double, high: Double)]) -> Double {
    let ordered = members.sorted { $0.value < $1.value }
    var best = Double.infinity
    for split in 0...ordered.count {
      let weights = ordered.enumerated().map { $0 < split ? $1.high : $1.low }
      let total = weights.reduce(0, +)
      guard total > 0 else { continue }
      best = min(best, zip(weights, ordered).reduce(0) { $0 + $1.0 * $1.1.value } / total)
    }
    return best.isFinite ? best : ordered[0].value
  }
}
