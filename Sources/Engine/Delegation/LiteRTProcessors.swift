import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform

extension Interpreter {
  /// The processors whose bits `Numerics.litert` can have; any processor computes all of them.
  public enum LiteRTProcessor: String, CaseIterable, Hashable, Sendable {
    /// A processor of AMD with AVX2 and fused multiply-adds.
    case avx2
    /// One of Intel's, whose square roots begin with another estimate.
    case avx2Intel = "avx2-intel"
    /// An x86 processor with AVX-512.
    case avx512
    /// A 64-bit Arm processor.
    case neon

    /// The one whose bits LiteRT would compute on this machine.
    public static var current: LiteRTProcessor {
      #if arch(arm64)
        return .neon
      #else
        let features = CPUFeatures.current
        // Only AMD's processors have SSE4a.
        return features.contains(.x86v4)
          ? .avx512 : features.contains(.sse4a) ? .avx2 : .avx2Intel
      #endif
    }

    /// The processor as the kernels know it.
    var kernel: OcellusKernelABI.LiteRTProcessor {
      switch self {
      case .avx2: .avx2
      case .avx2Intel: .avx2Intel
      case .avx512: .avx512
      case .neon: .neon
      }
    }
  }
}

extension Interpreter.Numerics {
  /// LiteRT's default numerics on this machine.
  public static var litertOfThisProcessor: Interpreter.Numerics { .litert(.current) }

  /// Whether results have the bits of an official runtime.
  package var areOfficial: Bool {
    switch self {
    case .fast, .bfloat16: false
    case .exact, .litert: true
    }
  }
}

extension KernelTable {
  /// Throws an error for numerics whose sums these kernels cannot compute.
  func require(_ numerics: Interpreter.Numerics) throws(ModelError) {
    #if arch(x86_64)
      guard case .litert = numerics, name == "baseline" else { return }
      throw ModelError(
        .unsupported,
        "LiteRT's numerics take fused multiply-adds, which the kernels 'baseline' do not have; "
          + "leave the numerics out, or run on a processor with AVX2")
    #endif
  }
}
