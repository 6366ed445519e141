/// The relation between successive pictures.
public enum VisionObjectDetectorMode: Int, CaseIterable, Hashable, Sendable {
  /// Independent pictures: the results are complete, and objects have no identities.
  case singleImage = 0
  /// Successive frames: the results have low latency, and objects have identities.
  case stream = 1
}
