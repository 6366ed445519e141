import OcellusPlatform

/// How the threads of a run treat subnormal floats at the moment: XNNPACK takes them as zero, and
/// other operators do not.
///
/// Changing it takes a tenth of a microsecond, so it is done only where consecutive steps differ.
struct SubnormalTreatment {
  private let workers: Workers
  private var takesAsZero = false

  init(_ workers: Workers) { self.workers = workers }

  /// Prepares for a step.
  @inline(__always)
  mutating func prepare(for call: StepCalls.Call) {
    if let takesAsZero = call.takesSubnormalsAsZero { set(takesAsZero: takesAsZero) }
  }

  /// Changes the treatment, with `false` for code that is no step.
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

extension Node {
  /// Whether subnormal floats count as zero while the node runs; `nil` where that changes no bit:
  /// where elements are only copied, and where XNNPACK computes with integers and normal scales.
  var takesSubnormalsAsZero: Bool? {
    if operation is any Rearrangement || operation is Gather || operation is GatherND {
      return nil
    }
    guard isDelegated else { return false }
    let tensors = spec.inputs.compactMap { $0 } + spec.outputs
    return tensors.contains { $0.type == .float32 || $0.type == .float16 } ? true : nil
  }
}
