import OcellusProof

extension CaseVerdict {
  /// The maximum size of an encoded verdict.
  static let byteLimit = 4000 + 4 * outputLimit

  /// The maximum number of outputs in a report; further ones are compared, but not reported.
  private static let outputLimit = 256

  /// The verdict as a worker process encodes it.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    withUnsafeBytes(of: digest ?? 0) { bytes += $0 }
    bytes.append(digest == nil ? 0 : 1)
    bytes.append(problem == nil ? 0 : 1)
    let reported = usedTolerances.prefix(Self.outputLimit)
    withUnsafeBytes(of: UInt16(reported.count)) { bytes += $0 }
    for used in reported { withUnsafeBytes(of: Float(used ?? .nan)) { bytes += $0 } }
    return bytes + Array((problem ?? "").utf8)
  }

  /// Decodes the verdict of a worker process.
  init(bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { bytes in
      let count = Int(bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self))
      let used = (0..<count).map { index in
        Double(bytes.loadUnaligned(fromByteOffset: 12 + 4 * index, as: Float.self))
      }
      return CaseVerdict(
        problem: bytes[9] == 0 ? nil : String(decoding: bytes[(12 + 4 * count)...], as: UTF8.self),
        usedTolerances: used.map { $0.isNaN ? nil : $0 },
        digest: bytes[8] == 0 ? nil : bytes.loadUnaligned(as: UInt64.self))
    }
  }

  /// Makes the verdict on a case that ran in a worker process.
  init(_ outcome: WorkItemOutcome, limits: WorkerLimits) {
    self =
      switch outcome {
      case .answered(let bytes): Self(bytes: bytes)
      case .died(let reason): .failed("crashed: \(reason)")
      case .timedOut: .failed("still running after \(limits.secondsPerItem.fixed(1)) s")
      case .neverRun: .failed("no process could be started for it")
      }
  }
}
