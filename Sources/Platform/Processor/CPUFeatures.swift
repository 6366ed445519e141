/// The CPU features that the processor has and the operating system has enabled.
public struct CPUFeatures: OptionSet, Sendable, Hashable {
  /// One bit per feature.
  public var rawValue: UInt32

  /// Creates a set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The level x86-64-v2: up to SSE4.2.
  public static let x86v2 = CPUFeatures(rawValue: 1 << 0)
  /// The level x86-64-v3: AVX2, FMA, F16C, BMI, and the 32-byte registers.
  public static let x86v3 = CPUFeatures(rawValue: 1 << 1)
  /// The level x86-64-v4: AVX-512 F, BW, CD, DQ, VL, and the 64-byte registers.
  public static let x86v4 = CPUFeatures(rawValue: 1 << 2)
  /// AVX-512 VNNI: dot products of four bytes per lane.
  public static let vnni = CPUFeatures(rawValue: 1 << 3)

  /// AVX-512 VBMI: byte permutations by a table.
  public static let vbmi = CPUFeatures(rawValue: 1 << 4)
  /// Vectors of 16 bytes on Arm, which every 64-bit processor that runs Linux has.
  public static let neon = CPUFeatures(rawValue: 1 << 5)
  /// The dot product of bytes on Arm (an option from ARMv8.2 on).
  public static let dotProduct = CPUFeatures(rawValue: 1 << 6)
  /// The matrix multiplication of bytes on Arm (optional from ARMv8.2, mandatory in ARMv8.6).
  public static let i8mm = CPUFeatures(rawValue: 1 << 7)

  /// SSE4a, which only AMD's processors have.
  public static let sse4a = CPUFeatures(rawValue: 1 << 8)

  /// AVX-VNNI: dot products of four bytes per lane in vectors of 32 bytes, without AVX-512.
  public static let avxVNNI = CPUFeatures(rawValue: 1 << 9)

  /// AMX for bytes: products of tiles of 16 rows and 64 bytes.
  public static let amxInt8 = CPUFeatures(rawValue: 1 << 10)
  /// The permission of the operating system to use AMX, which this process asks for.
  public static let amxPermission = CPUFeatures(rawValue: 1 << 11)
  /// AMX for bfloat16 numbers: products of tiles of 16 rows and 32 numbers.
  public static let amxBFloat16 = CPUFeatures(rawValue: 1 << 12)

  /// Instructions for SHA-256: Intel's SHA extensions, or Arm's (an option of ARMv8).
  public static let sha256 = CPUFeatures(rawValue: 1 << 13)

  /// The names of the features in the set, in order.
  public var names: [String] {
    let named: [(CPUFeatures, String)] = [
      (.x86v2, "x86-64-v2"), (.x86v3, "x86-64-v3"), (.x86v4, "x86-64-v4"), (.vnni, "avx512vnni"),
      (.vbmi, "avx512vbmi"), (.neon, "asimd"), (.dotProduct, "asimddp"), (.i8mm, "i8mm"),
      (.sse4a, "sse4a"), (.avxVNNI, "avxvnni"),
      (.amxInt8, "amx-int8"), (.amxPermission, "permission for AMX"),
      (.amxBFloat16, "amx-bf16"), (.sha256, "sha256"),
    ]
    return named.filter { contains($0.0) }.map(\.1)
  }

  /// The features of the processor that runs this process.
  public static let current = CPUFeatures(CPUIdentification.current)
    .union(CPUFeatures(ArmCapabilities.current))

  /// Derives the features from the capability bits that Linux reports.
  package init(_ capabilities: ArmCapabilities) {
    self = []
    if capabilities.first >> 1 & 1 == 1 { insert(.neon) }
    if capabilities.first >> 6 & 1 == 1 { insert(.sha256) }
    if capabilities.first >> 20 & 1 == 1 { insert(.dotProduct) }
    if capabilities.second >> 13 & 1 == 1 { insert(.i8mm) }
  }

  /// Derives the features from the output of `cpuid`.
  ///
  /// A level requires all of its features, as the psABI for x86-64 lists them, and the level below,
  /// because the compiler may use any of them anywhere.
  package init(_ cpu: CPUIdentification) {
    self = []
    guard cpu.leaf1.ecx.has(0, 9, 13, 19, 20, 23), cpu.extended1.ecx.has(0) else { return }
    insert(.x86v2)
    if cpu.leaf7.ebx.has(29) { insert(.sha256) }
    // Bit 27 (OSXSAVE): without it, `xgetbv` and XSAVE do not tell which registers are enabled.
    guard cpu.leaf1.ecx.has(27), cpu.enabledRegisters.has(1, 2) else { return }
    guard cpu.leaf1.ecx.has(12, 22, 28, 29), cpu.leaf7.ebx.has(3, 5, 8), cpu.extended1.ecx.has(5)
    else { return }
    insert(.x86v3)
    if cpu.leaf7Subleaf1.eax.has(4) { insert(.avxVNNI) }
    guard cpu.enabledRegisters.has(5, 6, 7), cpu.leaf7.ebx.has(16, 17, 28, 30, 31) else { return }
    insert(.x86v4)
    if cpu.leaf7.ecx.has(11) { insert(.vnni) }
    if cpu.leaf7.ecx.has(1) { insert(.vbmi) }
    if cpu.extended1.ecx.has(6) { insert(.sse4a) }
    if cpu.leaf7.edx.has(24, 25) { insert(.amxInt8) }
    if cpu.leaf7.edx.has(22, 24) { insert(.amxBFloat16) }
  }
}

extension UInt32 {
  /// Whether all of the given bits are set.
  fileprivate func has(_ bits: Int...) -> Bool { bits.allSatisfy { self >> $0 & 1 == 1 } }
}
