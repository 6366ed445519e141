#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import _Builtin_intrinsics.intel.cpuid
#endif

/// The output of `cpuid` on x86-64; all zeros on other processors.
package struct CPUIdentification {
  /// The four registers that the `cpuid` instruction fills.
  package struct Leaf {
    package var eax: UInt32 = 0
    package var ebx: UInt32 = 0
    package var ecx: UInt32 = 0
    package var edx: UInt32 = 0
  }

  /// Processor info and features.
  package var leaf1 = Leaf()
  /// Extended features.
  package var leaf7 = Leaf()
  /// More extended features (leaf 7, subleaf 1).
  package var leaf7Subleaf1 = Leaf()
  /// Extended processor info (leaf 0x8000_0001).
  package var extended1 = Leaf()
  /// The register files that the operating system saves for every thread (XCR0).
  package var enabledRegisters: UInt32 = 0

  /// Makes the output of a processor that has nothing.
  package init() {}
}

#if arch(x86_64)
  extension CPUIdentification {
    static let current: CPUIdentification = {
      var cpu = CPUIdentification()
      cpu.leaf1 = Leaf(number: 1)
      cpu.leaf7 = Leaf(number: 7)
      // The first subleaf tells the number of the last one.
      if cpu.leaf7.eax >= 1 { cpu.leaf7Subleaf1 = Leaf(number: 7, subleaf: 1) }
      cpu.extended1 = Leaf(number: 0x8000_0001)
      let operatingSystemUsesXSAVE = cpu.leaf1.ecx >> 27 & 1 == 1
      if operatingSystemUsesXSAVE { cpu.enabledRegisters = registersSavedByXSAVE() }
      return cpu
    }()

    /// Reads the bits of XCR0 that concern vectors.
    ///
    /// Swift has no `xgetbv`, but XSAVE reveals these bits. In its output bit map (XSTATE_BV) it
    /// replaces the bits that are set in XCR0 and keeps the memory's values of the others. So the
    /// bits that are not set in XCR0 are those that differ between a run on zeros and a run on
    /// ones.
    private static func registersSavedByXSAVE() -> UInt32 {
      let fromZeros = xsaveBitMap(startingWith: 0)
      let fromOnes = xsaveBitMap(startingWith: vectorRegisters)
      return UInt32(truncatingIfNeeded: ~(fromZeros ^ fromOnes) & vectorRegisters)
    }

    /// SSE, AVX and the three register files of AVX-512.
    private static var vectorRegisters: UInt64 { 0b1110_0110 }

    /// Runs XSAVE on an area whose bit map starts as `bits`, and returns the bit map.
    private static func xsaveBitMap(startingWith bits: UInt64) -> UInt64 {
      // The AVX-512 state ends at byte 2688 (Intel SDM, volume 1, section 13.5.6), the bit map is
      // at byte 512, and the area must be aligned to 64 bytes.
      let area = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 64)
      defer { area.deallocate() }
      area.initializeMemory(as: UInt8.self, repeating: 0, count: 4096)
      area.storeBytes(of: bits, toByteOffset: 512, as: UInt64.self)
      _xsave64(area, vectorRegisters)
      return area.load(fromByteOffset: 512, as: UInt64.self)
    }
  }

  extension CPUIdentification.Leaf {
    /// Executes `cpuid` for a leaf; all zeros if the processor does not have it.
    fileprivate init(number: UInt32, subleaf: UInt32 = 0) {
      self.init()
      if __get_cpuid_count(number, subleaf, &eax, &ebx, &ecx, &edx) != 1 { self = Self() }
    }
  }
#else
  extension CPUIdentification {
    static let current = CPUIdentification()
  }
#endif
