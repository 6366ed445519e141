import OcellusPlatform

/// How the threads of a run treat subnormal floats at the moment: XNNPACK takes them as zero, and
/// other operators do not.
///
/// Changing it takes a tenth of a microsecond, so it is done only where consecutive steps differ.
struct SubnormalTreatment {
  private let workers: Workers
  private var takesAsZero = false

  init(_ workers: Workers) { self.workers = workers }

  /// Prepares for a step, or with `false` for code that is no step.
  @inline(__always)
  mutating func set(takesAsZero: Bool) {
    if takesAsZero != self.takesAsZero { change(takesAsZero) }
  }

  private mutating func change(_ takesAsZero: Bool) {
    self.takesAsZero = takesAsZero
    workers.takesSubnormalsAsZero = takesAsZero
    SubnormalFloats.areZero(takesAsZero)
  }
}
