/// The processor's treatment of subnormal floats in the calling thread.
package enum SubnormalFloats {
  /// Makes the processor take subnormal floats as zero, in operands and results, or not.
  package static func areZero(_ areZero: Bool) {
    #if canImport(Glibc) || canImport(Musl)
      var environment = fenv_t()
      guard fegetenv(&environment) == 0 else { return }
      #if arch(x86_64)
        // "Flush to zero" for results, and "denormals are zero" for operands.
        let bits: UInt32 = 1 << 15 | 1 << 6
        if areZero { environment.__mxcsr |= bits } else { environment.__mxcsr &= ~bits }
      #elseif arch(arm64)
        // "Flush to zero".
        let bits: UInt32 = 1 << 24
        if areZero { environment.__fpcr |= bits } else { environment.__fpcr &= ~bits }
      #endif
      fesetenv(&environment)
    #endif
  }
}
