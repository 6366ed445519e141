import OcellusKernelABI
package import OcellusKernelDispatch
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

/// Returns the instruction sets that were compiled in, with their requirements, best first.
///
/// The dispatch declares it by this name, and does not import this module.
@_silgen_name("ocellus_compiled_kernels")
package func compiledKernels() -> [CompiledKernels] {
  var compiled: [CompiledKernels] = []
  #if BUILDS_AVX512 && BUILDS_AMX
    compiled.append(
      .init(
        "amx", needs: [.x86v2, .x86v3, .x86v4, .vnni, .amxInt8, .amxPermission],
        requestPermission: OcellusKernelsAMX.requestPermission, table: amx))
  #endif
  #if BUILDS_AVX512
    compiled.append(.init("avx512", needs: [.x86v2, .x86v3, .x86v4, .vnni], table: avx512))
  #endif
  #if BUILDS_AVX2 && BUILDS_AVXVNNI
    compiled.append(.init("avxvnni", needs: [.x86v2, .x86v3, .avxVNNI]) { _ in avxVNNI() })
  #endif
  #if BUILDS_AVX2
    compiled.append(.init("avx2", needs: [.x86v2, .x86v3]) { _ in OcellusKernelsAVX2.kernels })
  #endif
  #if BUILDS_NEON && BUILDS_DOTPROD && BUILDS_I8MM
    compiled.append(.init("i8mm", needs: [.neon, .dotProduct, .i8mm]) { _ in i8mm() })
  #endif
  #if BUILDS_NEON && BUILDS_DOTPROD
    compiled.append(.init("dotprod", needs: [.neon, .dotProduct]) { _ in dotProd() })
  #endif
  #if BUILDS_NEON
    compiled.append(.init("neon", needs: [.neon]) { _ in OcellusKernelsNEON.kernels })
  #endif
  #if BUILDS_BASELINE
    compiled.append(.init("baseline", needs: baselineNeeds) { _ in OcellusKernelsBaseline.kernels })
  #endif
  return compiled
}

#if BUILDS_BASELINE
  /// The features that the baseline kernels are compiled for.
  private var baselineNeeds: CPUFeatures {
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
  private func avxVNNI() -> KernelTable {
    OcellusKernelsAVX2.kernels.multiplyingBytes(
      by: OcellusKernelsAVXVNNI.listQuantizedGEMM, OcellusKernelsAVXVNNI.blockwiseKernel,
      limits: OcellusKernelsAVXVNNI.limits, name: "avxvnni")
  }
#endif

#if BUILDS_NEON && BUILDS_DOTPROD
  /// Returns the kernels for NEON with those that multiply bytes replaced.
  private func dotProd() -> KernelTable {
    var kernels = OcellusKernelsNEON.kernels.multiplyingBytes(
      by: OcellusKernelsDotProd.listQuantizedGEMM, OcellusKernelsDotProd.blockwiseKernel,
      limits: OcellusKernelsDotProd.limits, name: "dotprod")
    kernels.quantizedDepthwise.strategies = []
    kernels.quantizedDepthwise.append { OcellusKernelsDotProd.listQuantizedDepthwise($0) }
    return kernels
  }
#endif

#if BUILDS_NEON && BUILDS_DOTPROD && BUILDS_I8MM
  /// Returns the kernels for processors with the dot product, with those that multiply blocks of
  /// bytes.
  private func i8mm() -> KernelTable {
    dotProd().multiplyingBytes(
      by: OcellusKernelsI8MM.listQuantizedGEMM, OcellusKernelsI8MM.blockwiseKernel,
      limits: OcellusKernelsI8MM.limits, name: "i8mm")
  }
#endif

extension KernelTable {
  /// Returns a table with another name, and other kernels for products of bytes.
  fileprivate func multiplyingBytes(
    by listQuantizedGEMM: (StrategyListing<GEMMProblem, QuantizedGEMM>) -> Void,
    _ blockwiseKernel: BlockwiseGEMM, limits: PeakLoops, name: String
  ) -> KernelTable {
    var kernels = self
    kernels.name = name
    kernels.quantizedGEMM.strategies = []
    kernels.quantizedGEMM.append(listedBy: listQuantizedGEMM)
    kernels.blockwiseGEMM = blockwiseKernel
    kernels.inspection.limits = limits
    return kernels
  }
}

#if BUILDS_AVX512 && BUILDS_AMX
  /// Returns the kernels for AVX-512 with the strategies for the matrix unit before the others.
  private func amx(_ features: CPUFeatures) -> KernelTable {
    var kernels = avx512(features)
    kernels.name = "amx"
    let others = kernels.quantizedGEMM.strategies
    kernels.quantizedGEMM.strategies = []
    kernels.quantizedGEMM.append { OcellusKernelsAMX.listMatrixTileGEMM($0) }
    kernels.quantizedGEMM.strategies += others
    if features.contains(.amxBFloat16) { kernels.bfloat16GEMM.prependMatrixTiles() }
    kernels.inspection.limits.multiplyBytes = { OcellusKernelsAMX.multiplyTiles($0, $1) }
    kernels.inspection.limits.byteProductsPerRound = OcellusKernelsAMX.tileProductsPerRound
    return kernels
  }
#endif

#if BUILDS_AVX512 && BUILDS_AMX
  extension KernelFamily<GEMMProblem, FloatGEMM> {
    /// The strategies of the matrix unit for bfloat16 factors.
    fileprivate static var matrixTiles: KernelFamily {
      var family = KernelFamily(name: "", [])
      family.append { OcellusKernelsAMX.listMatrixTileGEMMOfBFloat16($0) }
      return family
    }

    /// Puts the strategies of the matrix unit before those of vectors.
    ///
    /// The order of the unit's sums is known from a manual, and results must have the same bits on
    /// every processor: before the first use, the unit is compared with vectors.
    fileprivate mutating func prependMatrixTiles() {
      let tiles = Self.matrixTiles.strategies.map { strategy in
        var tiles = strategy
        tiles.refusal = { strategy.refusal($0) ?? (matrixUnitHasBitsOfVectors ? nil : .otherBits) }
        return tiles
      }
      strategies = tiles + strategies
    }
  }

  /// Whether products of bfloat16 numbers have the same bits on the matrix unit and on vectors.
  private let matrixUnitHasBitsOfVectors: Bool = {
    let vectors = OcellusKernelsAVX512.kernels.bfloat16GEMM.strategies.last?.kernel
    let tiles = KernelFamily.matrixTiles.strategies.last?.kernel
    guard let vectors, let tiles else { return false }
    return tiles.hasBits(of: vectors)
  }()
#endif

#if BUILDS_AVX512
  /// Returns the kernels for AVX-512, adapted to optional features of the processor.
  private func avx512(_ features: CPUFeatures) -> KernelTable {
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
  private func togglesSignsBesideProducts(_ features: CPUFeatures) -> Bool {
    features.contains(.sse4a)
  }
#endif
