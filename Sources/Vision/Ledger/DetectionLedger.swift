public import OcellusImaging

/// A record of every candidate that a network proposed for a picture, with its fate.
public struct DetectionLedger: Sendable {
  /// The fate of a candidate.
  public enum Fate: Sendable, Hashable {
    /// The candidate is reported.
    case kept
    /// The score is below the threshold of the class.
    case belowThreshold(Float)
    /// The box has no area, or is far outside the picture.
    case implausible
    /// The box lies outside of the picture, in the bars beside it.
    case outside
    /// The options exclude the class.
    case unwanted
    /// A better candidate, the entry of this number, overlaps it by the given amount.
    case suppressed(by: Int, overlap: Double)
    /// The candidate was merged into the entry of this number.
    case blended(into: Int, overlap: Double)
    /// Soft suppression by better candidates reduced the score too much.
    case faded
    /// The maximum number of objects is reached by better candidates.
    case overLimit
    /// Another object is the subject of the picture.
    case lessProminent

    /// The fate in words without entry numbers, which `summary` groups by.
    public var reason: String {
      switch self {
      case .kept: "kept"
      case .belowThreshold(let threshold): "score under \(threshold)"
      case .implausible: "no possible box"
      case .outside: "outside the picture"
      case .unwanted: "class not asked for"
      case .suppressed: "suppressed by a better box"
      case .blended: "blended into a better box"
      case .faded: "faded beside better boxes"
      case .overLimit: "over the limit"
      case .lessProminent: "less prominent"
      }
    }
  }

  /// One candidate.
  public struct Entry: Sendable {
    /// The index in the ledger.
    public var number: Int
    /// The bounding box, in pixels of the upright picture.
    public var box: BoundingBox
    /// The index of the class.
    public var category: Int
    /// The name of the class, if there is one.
    public var label: String?
    /// The network's confidence.
    public var score: Float
    /// The anchor, cell or row of the outputs that it comes from, if the decoder provides that.
    public var origin: Candidate.Origin?
    /// The fate of the candidate.
    public var fate: Fate
  }

  /// All candidates, in the order of the outputs.
  public internal(set) var entries: [Entry] = []
  /// The reported objects, the same as without a ledger.
  public internal(set) var detections: [Detection] = []

  /// The number of candidates for each fate, the kept ones first; all candidates are counted.
  public var summary: [(reason: String, count: Int)] {
    var counts: [String: Int] = [:]
    for entry in entries { counts[entry.fate.reason, default: 0] += 1 }
    return counts.sorted { a, b in
      (a.key == "kept" ? 0 : 1, -a.value, a.key) < (b.key == "kept" ? 0 : 1, -b.value, b.key)
    }.map { ($0.key, $0.value) }
  }

  /// The number of anchors or cells that proposed a candidate.
  public var originCount: Int { Set(entries.compactMap(\.origin)).count }
}

/// Records the fates of candidates while they are filtered.
final class LedgerRecorder {
  private(set) var ledger = DetectionLedger()
  private let labels: Labels

  init(labels: Labels) { self.labels = labels }

  /// Enters a candidate, in pixels of the picture; its fate is `kept` until it is dropped.
  ///
  /// - Returns: The candidate with its number.
  func enter(_ candidate: Candidate) -> Candidate {
    var candidate = candidate
    let number = ledger.entries.count
    candidate.number = number
    ledger.entries.append(
      .init(
        number: number, box: candidate.box, category: candidate.category,
        label: labels[candidate.category], score: candidate.score, origin: candidate.origin,
        fate: .kept))
    return candidate
  }

  func drop(_ candidate: Candidate, _ fate: DetectionLedger.Fate) {
    if let number = candidate.number { ledger.entries[number].fate = fate }
  }

  /// Returns the ledger with the reported objects.
  func finished(_ detections: [Detection]) -> DetectionLedger {
    var ledger = ledger
    ledger.detections = detections
    return ledger
  }
}
