import OcellusPlatform

/// C's `va_list` as a function parameter: a pointer to a structure that locates the arguments.
///
/// The calling conventions (System V for x86-64, AAPCS64) define the structures. Swift's own type,
/// `CVaListPointer`, cannot be a parameter of C functions that are written in Swift.
typealias ArgumentList = UnsafeMutableRawPointer

#if arch(x86_64)
  /// The `va_list` structure of x86-64.
  struct ArgumentListHeader {
    /// Offsets of the next argument in the saved registers: integers come first, then floats.
    var integerOffset: UInt32
    var floatOffset: UInt32
    /// The arguments that did not fit in registers.
    var stack: UnsafeMutableRawPointer?
    var registers: UnsafeMutableRawPointer?

    /// A list without arguments.
    static var empty: ArgumentListHeader {
      ArgumentListHeader(integerOffset: 48, floatOffset: 176, stack: nil, registers: nil)
    }
  }
#else
  /// The `va_list` structure of AArch64.
  struct ArgumentListHeader {
    /// The arguments that did not fit in registers.
    var stack: UnsafeMutableRawPointer?
    /// The ends of the saved registers.
    var integersEnd: UnsafeMutableRawPointer?
    var floatsEnd: UnsafeMutableRawPointer?
    /// Offsets of the next arguments from these ends; negative while registers are left.
    var integerOffset: Int32
    var floatOffset: Int32

    /// A list without arguments.
    static var empty: ArgumentListHeader {
      ArgumentListHeader(
        stack: nil, integersEnd: nil, floatsEnd: nil, integerOffset: 0, floatOffset: 0)
    }
  }
#endif

/// Calls a function with a list without arguments.
func withEmptyArgumentList(_ body: (ArgumentList) -> Void) {
  var header = ArgumentListHeader.empty
  withUnsafeMutableBytes(of: &header) { bytes in
    if let base = bytes.baseAddress { body(base) }
  }
}

/// Returns the text of a `printf` format and its arguments.
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
