/// The capability bits that Linux reports for an Arm processor; zeros on other systems.
package struct ArmCapabilities {
  /// The bits of `AT_HWCAP`.
  package let first: UInt
  /// The bits of `AT_HWCAP2`.
  package let second: UInt

  package init(first: UInt = 0, second: UInt = 0) {
    self.first = first
    self.second = second
  }
}

#if arch(arm64)
  extension ArmCapabilities {
    /// The keys of the two entries in the auxiliary vector (see `getauxval(3)`).
    private static let (firstEntry, secondEntry) = (16 as UInt, 26 as UInt)

    /// The capabilities that this process was given.
    static let current: ArmCapabilities = {
      // The C library has the function, but not every Swift for Linux exposes its header.
      typealias AuxiliaryValue = @convention(c) (UInt) -> UInt
      guard let symbol = dlsym(nil, "getauxval") else { return ArmCapabilities() }
      let value = unsafeBitCast(symbol, to: AuxiliaryValue.self)
      return ArmCapabilities(first: value(firstEntry), second: value(secondEntry))
    }()
  }
#else
  extension ArmCapabilities {
    static let current = ArmCapabilities()
  }
#endif
