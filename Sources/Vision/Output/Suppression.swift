import OcellusImaging

/// The treatment of overlapping boxes, which usually show one object detected more than once.
public enum Suppression: Hashable, Sendable, CustomStringConvertible {
  /// Every box is kept.
  case none
  /// Non-maximum suppression by class: boxes that overlap a better one more than this are dropped.
  case perCategory(overlap: Double)
  /// Non-maximum suppression across classes, above this overlap.
  case agnostic(overlap: Double)
  /// Soft-NMS by class: scores are multiplied by exp(−overlap² ÷ sigma) for every better box.
  ///
  /// See Bodla et al., "Soft-NMS", 2017.
  case soft(sigma: Double)
  /// Weighted blending by class: boxes that overlap more than this become their weighted mean.
  ///
  /// Face detectors with many anchors for one face expect it.
  case blend(overlap: Double)

  /// The kind of suppression and its parameter.
  public var description: String {
    switch self {
    case .none: "none"
    case .perCategory(let overlap): "by class above \(overlap)"
    case .agnostic(let overlap): "of all classes above \(overlap)"
    case .soft(let sigma): "soft, sigma \(sigma)"
    case .blend(let overlap): "blending above \(overlap)"
    }
  }

  /// Returns the same kind with another overlap; by class if the kind has no overlap.
  func allowing(overlap: Double) -> Suppression {
    switch self {
    case .none, .perCategory, .soft: .perCategory(overlap: overlap)
    case .agnostic: .agnostic(overlap: overlap)
    case .blend: .blend(overlap: overlap)
    }
  }

  /// Returns the candidates that remain, best first; those of equal score keep their order.
  ///
  /// At most `limit` candidates remain.
  package func apply(to candidates: [Candidate], threshold: Float, limit: Int?) -> [Candidate] {
    apply(to: candidates, threshold: threshold, limit: limit, recorder: nil)
  }

  /// Returns the candidates that remain, and tells the recorder the fate of the others.
  func apply(
    to candidates: [Candidate], threshold: Float, limit: Int?, recorder: LedgerRecorder?
  ) -> [Candidate] {
    let ordered = candidates.stablySorted()
    let limit = limit.map { max($0, 0) } ?? .max
    switch self {
    case .none:
      for candidate in ordered.dropFirst(limit) { recorder?.drop(candidate, .overLimit) }
      return Array(ordered.prefix(limit))
    case .perCategory(let overlap):
      return Self.greedy(ordered, overlap: overlap, limit: limit, recorder) {
        $0.category == $1.category
      }
    case .agnostic(let overlap):
      return Self.greedy(ordered, overlap: overlap, limit: limit, recorder) { _, _ in true }
    case .soft(let sigma):
      return Self.soft(ordered, sigma, threshold: threshold, limit: limit, recorder)
    case .blend(let overlap):
      return Self.blend(ordered, overlap: overlap, limit: limit, recorder)
    }
  }

  private static func greedy(
    _ candidates: [Candidate], overlap: Double, limit: Int, _ recorder: LedgerRecorder?,
    rivals: (Candidate, Candidate) -> Bool
  ) -> [Candidate] {
    var kept: [Candidate] = []
    for candidate in candidates {
      guard kept.count < limit else {
        recorder?.drop(candidate, .overLimit)
        continue
      }
      let rival = kept.first {
        rivals($0, candidate) && $0.box.intersectionOverUnion(candidate.box) > overlap
      }
      if let rival {
        recorder?.drop(
          candidate,
          .suppressed(
            by: rival.number ?? 0, overlap: rival.box.intersectionOverUnion(candidate.box)))
      } else {
        kept.append(candidate)
      }
    }
    return kept
  }

  private static func soft(
    _ candidates: [Candidate], _ sigma: Double, threshold: Float, limit: Int,
    _ recorder: LedgerRecorder?
  ) -> [Candidate] {
    var rest = candidates
    var kept: [Candidate] = []
    while kept.count < limit, let best = rest.bestIndex, rest[best].score >= threshold {
      let winner = rest.remove(at: best)
      kept.append(winner)
      for index in rest.indices where rest[index].category == winner.category {
        let overlap = winner.box.intersectionOverUnion(rest[index].box)
        rest[index].score *= Float(exponential(-overlap * overlap / sigma))
      }
    }
    for candidate in rest {
      recorder?.drop(candidate, candidate.score >= threshold ? .overLimit : .faded)
    }
    return kept
  }

  private static func blend(
    _ candidates: [Candidate], overlap: Double, limit: Int, _ recorder: LedgerRecorder?
  ) -> [Candidate] {
    var rest = candidates
    var kept: [Candidate] = []
    while kept.count < limit, let best = rest.first {
      let joins = { (other: Candidate) in
        other.category == best.category && other.box.intersectionOverUnion(best.box) > overlap
      }
      // A box without area does not even overlap itself, so `best` is excluded explicitly.
      let others = rest.dropFirst().filter(joins)
      kept.append(best.blended(with: others))
      for other in others {
        recorder?.drop(
          other,
          .blended(
            into: best.number ?? 0, overlap: best.box.intersectionOverUnion(other.box)))
      }
      rest = rest.dropFirst().filter { !joins($0) }
    }
    for candidate in rest { recorder?.drop(candidate, .overLimit) }
    return kept
  }
}

extension Candidate {
  /// Returns the mean of this candidate and others of the same object, weighted by score.
  fileprivate func blended(with others: [Candidate]) -> Candidate {
    guard !others.isEmpty else { return self }
    let all = [self] + others
    let total = all.reduce(0) { $0 + Double($1.score) }
    guard total > 0 else { return self }
    func mean(_ value: (Candidate) -> Double) -> Double {
      all.reduce(0) { $0 + value($1) * Double($1.score) } / total
    }
    var blended = self
    blended.box = BoundingBox(
      left: mean(\.box.left), top: mean(\.box.top), right: mean(\.box.right),
      bottom: mean(\.box.bottom))
    if all.allSatisfy({ $0.keypoints.count == keypoints.count }) {
      blended.keypoints = keypoints.indices.map { index in
        PixelPoint(x: mean { $0.keypoints[index].x }, y: mean { $0.keypoints[index].y })
      }
    }
    return blended
  }
}

extension [Candidate] {
  /// Returns the candidates sorted by score, best first, in a stable order.
  func stablySorted() -> [Candidate] {
    indices.sorted { (self[$0].score, $1) > (self[$1].score, $0) }.map { self[$0] }
  }

  /// The index of the first candidate with the highest score.
  fileprivate var bestIndex: Int? {
    indices.max { (self[$0].score, $1) < (self[$1].score, $0) }
  }
}
