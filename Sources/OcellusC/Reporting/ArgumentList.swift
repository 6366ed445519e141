import OcellusPlatform

/// What C's `va_list` is for the function that it is handed to: a pointer to a structure that says where
/// the arguments are.
///
/// The processors' calling conventions (System V for x86-64, AAPCS64) define the structures. Swift has
/// a type for them, but does not let C functions of its own take it.
typealias ArgumentList = UnsafeMutableRawPointer

#if arch(x86_64)
  /// The structure of x86-64.
  struct ArgumentListHeader {
    /// How much of the saved registers has been used: integers are in front, floats behind them.
    var integerOffset: UInt32
    var floatOffset: UInt32
    /// The arguments that registers had no room for.
    var stack: UnsafeMutableRawPointer?
    var registers: UnsafeMutableRawPointer?

    /// No arguments at all.
    static var empty: ArgumentListHeader {
      ArgumentListHeader(integerOffset: 48, floatOffset: 176, stack: nil, registers: nil)
    }
  }
#else
  /// The structure of AArch64.
  struct ArgumentListHeader {
    /// The arguments that registers had no room for.
    var stack: UnsafeMutableRawPointer?
    /// The ends of the saved registers.
    var integersEnd: UnsafeMutableRawPointer?
    var floatsEnd: UnsafeMutableRawPointer?
    /// Where the next ones lie, counted from the ends.
    var integerOffset: Int32
    var floatOffset: Int32

    /// No arguments at all.
    static var empty: ArgumentListHeader {
      ArgumentListHeader(
        stack: nil, integersEnd: nil, floatsEnd: nil, integerOffset: 0, floatOffset: 0)
    }
  }
#endif

/// Lends a list of no arguments.
func withEmptyArgumentList(_ body: (ArgumentList) -> Void) {
  var header = ArgumentListHeader.empty
  withUnsafeMutableBytes(of: &header) { bytes in
    if let base = bytes.baseAddress { body(base) }
  }
}

/// The text that a format and its arguments make.
func formatted(_ format: UnsafePointer<CChar>, _ arguments: ArgumentList) -> String {
  var text = [CChar](repeating: 0, count: 1024)
  #if arch(x86_64)
    let list = unsafeBitCast(arguments, to: CVaListPointer.self)
  #else
    let list = arguments.load(as: CVaListPointer.self)
  #endif
  _ = vsnprintf(&text, text.count, format, list)
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
