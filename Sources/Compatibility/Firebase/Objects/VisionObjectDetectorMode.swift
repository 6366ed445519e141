/// Whether pictures belong together.
public enum VisionObjectDetectorMode: Int, CaseIterable, Hashable, Sendable {
  /// Every picture is for itself: results are complete, and objects have no identities.
  case singleImage = 0
  /// Pictures follow each other: results come soon, and objects have identities.
  case stream = 1
}
