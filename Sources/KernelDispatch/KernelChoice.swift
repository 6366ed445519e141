public import OcellusKernelABI
import OcellusKernelsBaseline
import OcellusPlatform

#if BUILDS_AVX2
  import OcellusKernelsAVX2
#endif
#if BUILDS_AVX512
  import OcellusKernelsAVX512
  import OcellusKernelsAVX512VBMI
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

/// Which kernel tables this process may use and why: the contents of `ocellus cpu`.
public struct KernelChoice: Sendable {
  /// One instruction set that was compiled in.
  public struct Candidate: Sendable {
    /// The name, as `OCELLUS_ISA` spells it.
    public var name: String
    /// What the processor must have.
    public var needs: CPUFeatures
    /// What of it the processor has not.
    public var missing: CPUFeatures
    /// Whether `OCELLUS_ISA` excludes it.
    public var isExcluded: Bool
    /// Whether its kernels may run.
    public var isAvailable: Bool { missing.isEmpty && !isExcluded }
    /// Why it is not available, or `nil`.
    public var reason: String? {
      if !missing.isEmpty { return "this CPU lacks \(missing.names.joined(separator: ", "))" }
      return isExcluded ? "excluded by OCELLUS_ISA" : nil
    }
    /// The kernels; `nil` where the processor lacks something, since already making the table may
    /// take what it lacks.
    public var table: KernelTable?
  }

  /// What the processor can run.
  public var features: CPUFeatures
  /// The value of `OCELLUS_ISA`, if it is set.
  public var requested: String?
  /// Why `requested` cannot be followed, or `nil`; then nothing may run.
  public var problem: String?
  /// Every instruction set that was compiled in, best first; the last one runs everywhere.
  public var candidates: [Candidate]

  /// The choice for this process, made once.
  public static let current = KernelChoice(
    features: .current, requested: getenv("OCELLUS_ISA").map { String(cString: $0) })

  /// Decides what may run on a processor with `features`.
  ///
  /// - Parameters:
  ///   - features: What the processor can run.
  ///   - requested: The best instruction set to use, by name; `nil` for no limit.
  public init(features: CPUFeatures, requested: String?) {
    self.features = features
    self.requested = requested
    let compiled = Self.compiled(for: features)
    var firstAllowed = 0
    if let requested, !requested.isEmpty {
      if let index = compiled.firstIndex(where: { $0.name == requested }) {
        firstAllowed = index
        let missing = compiled[index].needs.subtracting(features).names.joined(separator: ", ")
        if !missing.isEmpty {
          problem = "OCELLUS_ISA=\(requested) does not run on this CPU, which lacks \(missing)"
        }
      } else {
        let names = compiled.map(\.name).joined(separator: ", ")
        problem = "OCELLUS_ISA=\(requested) is not known here (known: \(names))"
      }
    }
    // Results on other kernels than those asked for would be taken for theirs.
    if problem != nil { firstAllowed = compiled.count }
    candidates = compiled.enumerated().map { index, entry in
      let missing = entry.needs.subtracting(features)
      return Candidate(
        name: entry.name, needs: entry.needs, missing: missing, isExcluded: index < firstAllowed,
        table: missing.isEmpty
          ? entry.table().priced(by: KernelCosts.tables[entry.name] ?? [:]) : nil)
    }
  }

  private typealias Compiled = (name: String, needs: CPUFeatures, table: () -> KernelTable)

  /// What was compiled in and what it needs, best first.
  private static func compiled(for features: CPUFeatures) -> [Compiled] {
    var compiled: [Compiled] = []
    #if BUILDS_AVX512
      compiled.append(("avx512", [.x86v2, .x86v3, .x86v4, .vnni], { avx512(features) }))
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
    compiled.append(("baseline", baselineNeeds, { OcellusKernelsBaseline.kernels }))
    return compiled
  }

  /// What the kernels that run everywhere are compiled for.
  private static var baselineNeeds: CPUFeatures {
    #if arch(x86_64)
      [.x86v2]
    #elseif arch(arm64)
      [.neon]
    #else
      []
    #endif
  }

  #if BUILDS_AVX512
    /// The kernels for AVX-512, with shorter ones where the processor has more than all must have.
    private static func avx512(_ features: CPUFeatures) -> KernelTable {
      var kernels = OcellusKernelsAVX512.kernels
      if features.contains(.vbmi) {
        kernels.elementwise.lookUp = { OcellusKernelsAVX512VBMI.lookUp($0) }
        kernels.elementwise.prefersLines = false
      }
      if !flipsBesideProducts(features) {
        kernels.quantizedProducts.remove("flipped-rows-two-panels")
      }
      return kernels
    }

    /// Whether bits are flipped by other units than those that multiply: AMD's have two more for that, Intel's two for
    /// both.
    private static func flipsBesideProducts(_ features: CPUFeatures) -> Bool {
      features.contains(.sse4a)
    }
  #endif
}
