public import OcellusKernelABI
import OcellusPlatform

#if BUILDS_BASELINE
  import OcellusKernelsBaseline
#endif
#if BUILDS_AVX2
  import OcellusKernelsAVX2
#endif
#if BUILDS_AVXVNNI
  import OcellusKernelsAVXVNNI
#endif
#if BUILDS_AVX512
  import OcellusKernelsAVX512
  import OcellusKernelsAVX512VBMI
#endif
#if BUILDS_AMX
  import OcellusKernelsAMX
#endif
#if BUILDS_DOTPROD
  import OcellusKernelsDotProd
#endif
#if BUILDS_I8MM
  import OcellusKernelsI8MM
#endif
#if BUILDS_NEON
  import OcellusKernelsNEON
#endif

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
    let compiled = Self.compiled(for: features)
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
          ? entry.table().priced(by: KernelCosts.tables[entry.name] ?? [:]) : nil)
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
    #if BUILDS_AMX
      if CPUFeatures.current.contains(.amxInt8) && OcellusKernelsAMX.requestPermission() {
        return CPUFeatures.current.union(.amxPermission)
      }
    #endif
    return .current
  }

  /// Returns the features of `needs` that a processor lacks.
  ///
  /// The system is not asked for a unit that is not there.
  private static func missing(_ needs: CPUFeatures, in features: CPUFeatures) -> CPUFeatures {
    let missing = needs.subtracting(features)
    return missing.contains(.amxInt8) ? missing.subtracting(.amxPermission) : missing
  }

  private typealias Compiled = (name: String, needs: CPUFeatures, table: () -> KernelTable)

  /// Returns the instruction sets that were compiled in, with their requirements, best first.
  private static func compiled(for features: CPUFeatures) -> [Compiled] {
    var compiled: [Compiled] = []
    #if BUILDS_AVX512 && BUILDS_AMX
      let amxNeeds: CPUFeatures = [.x86v2, .x86v3, .x86v4, .vnni, .amxInt8, .amxPermission]
      compiled.append(("amx", amxNeeds, { amx(features) }))
    #endif
    #if BUILDS_AVX512
      compiled.append(("avx512", [.x86v2, .x86v3, .x86v4, .vnni], { avx512(features) }))
    #endif
    #if BUILDS_AVX2 && BUILDS_AVXVNNI
      compiled.append(("avxvnni", [.x86v2, .x86v3, .avxVNNI], { avxVNNI() }))
    #endif
    #if BUILDS_AVX2
      compiled.append(("avx2", [.x86v2, .x86v3], { OcellusKernelsAVX2.kernels }))
    #endif
    #if BUILDS_I8MM
      compiled.append(("i8mm", [.neon, .dotProduct, .i8mm], { OcellusKernelsI8MM.kernels }))
    #endif
    #if BUILDS_DOTPROD
      compiled.append(("dotprod", [.neon, .dotProduct], { OcellusKernelsDotProd.kernels }))
    #endif
    #if BUILDS_NEON
      compiled.append(("neon", [.neon], { OcellusKernelsNEON.kernels }))
    #endif
    #if BUILDS_BASELINE
      compiled.append(("baseline", baselineNeeds, { OcellusKernelsBaseline.kernels }))
    #endif
    return compiled
  }

  #if BUILDS_BASELINE
    /// The features that the baseline kernels are compiled for.
    private static var baselineNeeds: CPUFeatures {
      #if arch(x86_64)
        [.x86v2]
      #elseif arch(arm64)
        [.neon]
      #else
        []
      #endif
    }
  #endif

  #if BUILDS_AVX2 && BUILDS_AVXVNNI
    /// Returns the kernels for AVX2 with those that multiply bytes replaced.
    private static func avxVNNI() -> KernelTable {
      var kernels = OcellusKernelsAVX2.kernels
      kernels.name = "avxvnni"
      kernels.quantizedGEMM.strategies = []
      kernels.quantizedGEMM.append { OcellusKernelsAVXVNNI.listQuantizedGEMM($0) }
      kernels.blockwiseGEMM = OcellusKernelsAVXVNNI.blockwiseKernel
      kernels.inspection.limits = OcellusKernelsAVXVNNI.limits
      return kernels
    }
  #endif

  #if BUILDS_AVX512 && BUILDS_AMX
    /// Returns the kernels for AVX-512 with the strategies for the matrix unit before the others.
    private static func amx(_ features: CPUFeatures) -> KernelTable {
      var kernels = avx512(features)
      kernels.name = "amx"
      let others = kernels.quantizedGEMM.strategies
      kernels.quantizedGEMM.strategies = []
      kernels.quantizedGEMM.append { OcellusKernelsAMX.listMatrixTileGEMM($0) }
      kernels.quantizedGEMM.strategies += others
      kernels.inspection.limits.multiplyBytes = { OcellusKernelsAMX.multiplyTiles($0, $1) }
      kernels.inspection.limits.byteProductsPerRound = OcellusKernelsAMX.tileProductsPerRound
      return kernels
    }
  #endif

  #if BUILDS_AVX512
    /// Returns the kernels for AVX-512, adapted to optional features of the processor.
    private static func avx512(_ features: CPUFeatures) -> KernelTable {
      var kernels = OcellusKernelsAVX512.kernels
      if features.contains(.vbmi) {
        kernels.elementwise.lookUp = { OcellusKernelsAVX512VBMI.lookUp($0) }
        kernels.elementwise.prefersAffineTables = false
      }
      if !togglesSignsBesideProducts(features) {
        kernels.quantizedGEMM.remove("sign-toggled-rows-two-panels")
      }
      return kernels
    }

    /// Whether sign bits are toggled by other execution units than the multipliers.
    ///
    /// AMD's processors have two more units for that; Intel's two units serve both.
    private static func togglesSignsBesideProducts(_ features: CPUFeatures) -> Bool {
      features.contains(.sse4a)
    }
  #endif
}
