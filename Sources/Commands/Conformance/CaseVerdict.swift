/// What a case came to.
struct CaseVerdict: Equatable {
  /// Why it failed; nil when it passed.
  var problem: String?
  /// How much of its tolerance each output used, the most of all runs.
  ///
  /// 1 is all of it; outputs that are not compared with numbers, or exactly, have nil.
  var usedTolerances: [Double?] = []
  /// A number that is the same for the same bits of all results that are not random.
  var digest: UInt64?

  static let passed = Self()

  static func failed(_ problem: String) -> Self { Self(problem: problem) }
}

extension CaseVerdict {
  /// The most bytes that a verdict takes.
  static let byteLimit = 4000 + 4 * outputLimit

  /// Outputs beyond these are compared like the others, but not reported.
  private static let outputLimit = 256

  /// The verdict as a worker process answers it.
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

  /// The verdict that a worker process answered.
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

  /// The verdict on a case that ran in a worker process.
  init(_ outcome: PieceOutcome, limits: WorkerLimits) {
    self =
      switch outcome {
      case .answered(let bytes): Self(bytes: bytes)
      case .died(let reason): .failed("crashed: \(reason)")
      case .timedOut: .failed("still running after \(limits.secondsPerPiece.fixed(1)) s")
      case .neverRun: .failed("no process would run it")
      }
  }
}
