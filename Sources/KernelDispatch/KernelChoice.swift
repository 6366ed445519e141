public import OcellusKernelABI
public import OcellusPlatform

/// The kernel tables that this process may use, with reasons: the contents of `ocellus cpu`.
public struct KernelChoice: Sendable {
  /// An instruction set that was compiled in.
  public struct Candidate: Sendable {
    /// The name, as `OCELLUS_ISA` spells it.
    public var name: String
    /// The CPU features that its kernels require.
    public var needs: CPUFeatures
    /// The required CPU features that this processor lacks.
    public var missing: CPUFeatures
    /// Whether `OCELLUS_ISA` excludes it.
    public var isExcluded: Bool
    /// Whether its kernels may run.
    public var isAvailable: Bool { missing.isEmpty && !isExcluded }
    /// The reason if only the permission is missing.
    fileprivate static let refusal = "the system does not let this process use AMX"
    /// The reason why it is not available, or `nil`.
    public var reason: String? {
      if missing == .amxPermission { return Self.refusal }
      if !missing.isEmpty { return "this CPU lacks \(missing.names.joined(separator: ", "))" }
      return isExcluded ? "excluded by OCELLUS_ISA" : nil
    }
    /// The kernels; `nil` if the processor lacks a required feature.
    ///
    /// Creating the table may already execute instructions of that feature.
    public var table: KernelTable?
  }

  /// The features of the processor.
  public var features: CPUFeatures
  /// The value of `OCELLUS_ISA`, if it is set.
  public var requested: String?
  /// The reason why `requested` cannot be honoured, or `nil`; if set, no table is available.
  public var problem: String?
  /// Every instruction set that was compiled in, best first; the last one is the least demanding.
  public var candidates: [Candidate]

  /// The choice for this process, made once.
  public static let current = KernelChoice(
    features: permittedFeatures, requested: getenv("OCELLUS_ISA").map { String(cString: $0) })

  /// Decides which kernels may run on a processor with `features`.
  ///
  /// - Parameters:
  ///   - features: The features of the processor.
  ///   - requested: The best instruction set to use, by name; `nil` for no limit.
  public init(features: CPUFeatures, requested: String?) {
    self.features = features
    self.requested = requested
    let compiled = compiledKernels()
    var firstAllowed = 0
    if let requested, !requested.isEmpty {
      if let index = compiled.firstIndex(where: { $0.name == requested }) {
        firstAllowed = index
        let missing = Self.missing(compiled[index].needs, in: features)
        if missing == .amxPermission {
          problem = "OCELLUS_ISA=\(requested): \(Candidate.refusal)"
        } else if !missing.isEmpty {
          let names = missing.names.joined(separator: ", ")
          problem = "OCELLUS_ISA=\(requested) does not run on this CPU, which lacks \(names)"
        }
      } else {
        let names = compiled.map(\.name).joined(separator: ", ")
        problem = "OCELLUS_ISA=\(requested) is not known here (known: \(names))"
      }
    }
    // A fallback to other kernels would be mistaken for the requested ones.
    if problem != nil { firstAllowed = compiled.count }
    candidates = compiled.enumerated().map { index, entry in
      let missing = Self.missing(entry.needs, in: features)
      return Candidate(
        name: entry.name, needs: entry.needs, missing: missing, isExcluded: index < firstAllowed,
        table: missing.isEmpty
          ? entry.table(features).priced(by: KernelCosts.table(for: entry.name, features)) : nil)
    }
  }

  /// The message for users when none of the tables may run.
  package var absence: String {
    if let problem { return problem }
    let least = candidates.last
    let needs = (least?.needs.names ?? []).joined(separator: ", ")
    let remedy =
      least?.name == "baseline"
      ? "" : "; this build leaves out the kernels for others (OCELLUS_INSTRUCTION_SETS)"
    return "Ocellus needs a CPU with \(needs)\(remedy)"
  }

  /// The features of this processor, with the permission to use its matrix unit if it is granted.
  private static var permittedFeatures: CPUFeatures {
    for kernels in compiledKernels() where kernels.needs.contains(.amxPermission) {
      if CPUFeatures.current.contains(.amxInt8) && kernels.requestPermission() {
        return CPUFeatures.current.union(.amxPermission)
      }
    }
    return .current
  }

  /// Returns the features of `needs` that a processor lacks.
  ///
  /// The system is not asked for a unit that is not there.
  private static func missing(_ needs: CPUFeatures, in features: CPUFeatures) -> CPUFeatures {
    let missing = needs.subtracting(features)
    return missing.contains(.amxInt8) ? missing.subtracting(.amxPermission) : missing
  }
}
