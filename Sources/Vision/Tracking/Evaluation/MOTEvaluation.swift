/// The quality of tracks in comparison with the ground truth: HOTA, MOTA and IDF1.
///
/// HOTA is defined by Luiten and others 2021, MOTA by Bernardin and Stiefelhagen 2008, IDF1 by
/// Ristani and others 2016. Definitions and preprocessing are those of TrackEval. Evaluations of
/// several sequences can be added.
public struct MOTEvaluation: Sendable {
  /// The smallest overlap of a match, except for HOTA.
  static let threshold = 0.5
  /// The thresholds that HOTA averages over: 0.05, 0.1, …, 0.95.
  static let hotaThresholds = (0..<19).map { 0.05 + Double($0) * 0.05 }

  /// The number of ground-truth boxes.
  public internal(set) var truthCount = 0
  /// The number of ground-truth boxes that are matched with a track.
  public internal(set) var truePositives = 0
  /// The number of tracks' boxes that match no object.
  public internal(set) var falsePositives = 0
  /// The number of ground-truth boxes that are matched with no track.
  public internal(set) var falseNegatives = 0
  /// The number of times that an object's identity changed.
  public internal(set) var identitySwitches = 0

  var identityTruePositives = 0
  var identityFalsePositives = 0
  var identityFalseNegatives = 0

  /// The number of matches at each threshold of HOTA.
  var hotaTruePositives = [Double](repeating: 0, count: hotaThresholds.count)
  var hotaErrors = [Double](repeating: 0, count: hotaThresholds.count)
  var associationSums = [Double](repeating: 0, count: hotaThresholds.count)

  /// Creates an evaluation of no sequences, as the start of a sum.
  public init() {}

  /// Compares the tracks of a sequence with its ground truth, frame by frame.
  ///
  /// Unmatched tracks with a height of at most `minimumHeight` are ignored, as in KITTI.
  public init(
    truth: [[TruthBox]], tracks: [[TrackedBox]], minimumHeight: Double? = nil
  ) {
    var sequence = MOTSequence(minimumHeight: minimumHeight)
    for index in 0..<max(truth.count, tracks.count) {
      sequence.append(
        truth: index < truth.count ? truth[index] : [],
        tracks: index < tracks.count ? tracks[index] : [])
    }
    countDetections(in: sequence)
    countIdentities(in: sequence)
    countAssociations(in: sequence)
  }

  /// Adds the evaluation of another sequence.
  public static func += (sum: inout MOTEvaluation, other: MOTEvaluation) {
    sum.truthCount += other.truthCount
    sum.truePositives += other.truePositives
    sum.falsePositives += other.falsePositives
    sum.falseNegatives += other.falseNegatives
    sum.identitySwitches += other.identitySwitches
    sum.identityTruePositives += other.identityTruePositives
    sum.identityFalsePositives += other.identityFalsePositives
    sum.identityFalseNegatives += other.identityFalseNegatives
    for index in hotaThresholds.indices {
      sum.hotaTruePositives[index] += other.hotaTruePositives[index]
      sum.hotaErrors[index] += other.hotaErrors[index]
      sum.associationSums[index] += other.associationSums[index]
    }
  }
}

extension MOTEvaluation {
  /// Multiple object tracking accuracy: 1 minus the number of errors per object; at most 1.
  public var mota: Double {
    let errors = falsePositives + falseNegatives + identitySwitches
    return (Double(truthCount) - Double(errors)) / Double(max(1, truthCount))
  }

  /// The F1 score of identities, 0…1.
  public var idf1: Double {
    let total = 2 * identityTruePositives + identityFalsePositives + identityFalseNegatives
    return 2 * Double(identityTruePositives) / Double(max(1, total))
  }

  /// Higher order tracking accuracy, 0…1: the geometric mean of detection and association accuracy.
  public var hota: Double {
    mean { index in
      (detectionAccuracy(at: index) * associationAccuracy(at: index)).squareRoot()
    }
  }

  /// The detection accuracy in `hota`, 0…1.
  public var detectionAccuracy: Double { mean(detectionAccuracy) }

  /// The association accuracy in `hota`, 0…1.
  public var associationAccuracy: Double { mean(associationAccuracy) }

  private func detectionAccuracy(at index: Int) -> Double {
    hotaTruePositives[index] / max(1, hotaTruePositives[index] + hotaErrors[index])
  }

  private func associationAccuracy(at index: Int) -> Double {
    associationSums[index] / max(1, hotaTruePositives[index])
  }

  private func mean(_ measure: (Int) -> Double) -> Double {
    Self.hotaThresholds.indices.reduce(0) { $0 + measure($1) } / Double(Self.hotaThresholds.count)
  }
}
