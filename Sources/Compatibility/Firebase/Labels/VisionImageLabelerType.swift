/// The place where a labeler runs.
public enum VisionImageLabelerType: UInt, CaseIterable, Hashable, Sendable {
  /// On this machine.
  case onDevice
  /// In the cloud; such labelers are not available here.
  case cloud
}
