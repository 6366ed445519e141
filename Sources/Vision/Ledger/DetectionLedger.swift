public import OcellusImaging

/// What became of everything that a network proposed for a picture: the account of a detection, down to
/// the last anchor.
public struct DetectionLedger: Sendable {
  /// What became of a candidate.
  public enum Fate: Sendable, Hashable {
    /// It is reported.
    case kept
    /// It scores less than its class has to.
    case belowThreshold(Float)
    /// Its box has no area, or is nowhere near the picture.
    case implausible
    /// Its class is not asked for.
    case unwanted
    /// The entry of this number overlaps it by so much, and scores more.
    case suppressed(by: Int, overlap: Double)
    /// It became a part of the entry of this number.
    case blended(into: Int, overlap: Double)
    /// Better ones that it overlaps took so much of its score that too little is left.
    case faded
    /// There are enough better ones.
    case overLimit
    /// Another object is the subject of the picture.
    case lessProminent

    /// In words, without numbers of entries: what candidates are counted by.
    public var reason: String {
      switch self {
      case .kept: "kept"
      case .belowThreshold(let threshold): "score under \(threshold)"
      case .implausible: "no possible box"
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
    /// Its place in the ledger.
    public var number: Int
    /// Where it is, in pixels of the upright picture.
    public var box: BoundingBox
    /// The number of its class.
    public var category: Int
    /// The name of its class, if there is one.
    public var label: String?
    /// How sure the network is.
    public var score: Float
    /// What of the network's outputs it was read from, where the decoder says so.
    public var origin: Candidate.Origin?
    /// What became of it.
    public var fate: Fate
  }

  /// Everything that was proposed, in the order of the outputs.
  public internal(set) var entries: [Entry] = []
  /// What is reported: the same as without a ledger.
  public internal(set) var detections: [Detection] = []

  /// How many candidates had each fate, the kept ones first; together they are all.
  public var summary: [(reason: String, count: Int)] {
    var counts: [String: Int] = [:]
    for entry in entries { counts[entry.fate.reason, default: 0] += 1 }
    return counts.sorted { a, b in
      (a.key == "kept" ? 0 : 1, -a.value, a.key) < (b.key == "kept" ? 0 : 1, -b.value, b.key)
    }.map { ($0.key, $0.value) }
  }

  /// The anchors or cells that proposed something.
  public var originCount: Int { Set(entries.compactMap(\.origin)).count }
}

/// Takes down what becomes of candidates while they are sorted out.
final class LedgerRecorder {
  private(set) var ledger = DetectionLedger()
  private let labels: Labels

  init(labels: Labels) { self.labels = labels }

  /// Enters a candidate, in pixels of the picture: kept, unless somebody says otherwise.
  ///
  /// - Returns: the candidate with its number.
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

  /// The ledger with what is reported.
  func finished(_ detections: [Detection]) -> DetectionLedger {
    var ledger = ledger
    ledger.detections = detections
    return ledger
  }
}
