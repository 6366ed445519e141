/// Where a labeler works.
public enum VisionImageLabelerType: UInt, CaseIterable, Hashable, Sendable {
  /// On this machine.
  case onDevice
  /// Elsewhere; there are no such labelers here.
  case cloud
}
