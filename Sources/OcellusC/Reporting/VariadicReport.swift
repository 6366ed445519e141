import CTensorFlowLite
import OcellusHandles

// `TfLiteOpaqueContextReportError(context, format, ...)` in Swift, which cannot define variadic C
// functions. The caller passes the first arguments in registers and the others on the stack,
// exactly as for a function with as many fixed parameters. So the function declares enough
// parameters and copies them to where a `va_list` finds them.

/// The number of stack arguments that are passed on.
private let maximumStackArguments = 8

/// A copy of the argument registers in the layout that a `va_list` expects.
private struct SavedRegisters {
  var words: [Int]

  init(integers: [Int], floats: [Double]) {
    // Each float register takes 16 bytes; a double is in the first half.
    words =
      integers + floats.flatMap { [Int(bitPattern: UInt(truncatingIfNeeded: $0.bitPattern)), 0] }
  }
}

private func report(
  _ context: OpaquePointer?, _ format: UnsafePointer<CChar>?, integers: [Int], floats: [Double],
  stack: [Int]
) {
  guard let format, let graph = GraphContext.at(opaque: context) else { return }
  var saved = SavedRegisters(integers: integers, floats: floats)
  var stack = stack
  saved.words.withUnsafeMutableBytes { registers in
    stack.withUnsafeMutableBytes { stack in
      guard let base = registers.baseAddress else { return }
      #if arch(x86_64)
        // The context and the format take the first two integer registers, which are already
        // consumed.
        var header = ArgumentListHeader(
          integerOffset: 16, floatOffset: 48, stack: stack.baseAddress, registers: base)
      #else
        let integerBytes = 8 * integers.count
        var header = ArgumentListHeader(
          stack: stack.baseAddress, integersEnd: base + integerBytes,
          floatsEnd: base + integerBytes + 16 * floats.count,
          integerOffset: -Int32(integerBytes), floatOffset: -16 * Int32(floats.count))
      #endif
      withUnsafeMutableBytes(of: &header) { header in
        if let arguments = header.baseAddress { graph.reporter.report(format, arguments) }
      }
    }
  }
}

#if arch(x86_64)
  /// Reports an error of an operator, as a `printf` format and arguments.
  @_cdecl("TfLiteOpaqueContextReportError")
  public func reportError(
    _ context: OpaquePointer?, _ format: UnsafePointer<CChar>?, _ i2: Int, _ i3: Int, _ i4: Int,
    _ i5: Int, _ f0: Double, _ f1: Double, _ f2: Double, _ f3: Double, _ f4: Double, _ f5: Double,
    _ f6: Double, _ f7: Double, _ s0: Int, _ s1: Int, _ s2: Int, _ s3: Int, _ s4: Int, _ s5: Int,
    _ s6: Int, _ s7: Int
  ) {
    report(
      context, format, integers: [0, 0, i2, i3, i4, i5], floats: [f0, f1, f2, f3, f4, f5, f6, f7],
      stack: [s0, s1, s2, s3, s4, s5, s6, s7])
  }

  private typealias VariadicFunction =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, Int, Int, Int, Int, Double, Double, Double, Double,
      Double, Double, Double, Double, Int, Int, Int, Int, Int, Int, Int, Int
    ) -> Void
#else
  /// Reports an error of an operator, as a `printf` format and arguments.
  @_cdecl("TfLiteOpaqueContextReportError")
  public func reportError(
    _ context: OpaquePointer?, _ format: UnsafePointer<CChar>?, _ i2: Int, _ i3: Int, _ i4: Int,
    _ i5: Int, _ i6: Int, _ i7: Int, _ f0: Double, _ f1: Double, _ f2: Double, _ f3: Double,
    _ f4: Double, _ f5: Double, _ f6: Double, _ f7: Double, _ s0: Int, _ s1: Int, _ s2: Int,
    _ s3: Int, _ s4: Int, _ s5: Int, _ s6: Int, _ s7: Int
  ) {
    report(
      context, format, integers: [i2, i3, i4, i5, i6, i7],
      floats: [f0, f1, f2, f3, f4, f5, f6, f7], stack: [s0, s1, s2, s3, s4, s5, s6, s7])
  }

  private typealias VariadicFunction =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, Int, Int, Int, Int, Int, Int, Double, Double, Double,
      Double, Double, Double, Double, Double, Int, Int, Int, Int, Int, Int, Int, Int
    ) -> Void
#endif

/// The address of `reportError`, as contexts store it.
var variadicReport: OpaquePointer {
  let function: VariadicFunction = reportError
  return unsafeBitCast(function, to: OpaquePointer.self)
}

/// Reports an error of an operator whose arguments are in a `va_list`.
@_cdecl("TfLiteOpaqueContextReportErrorVa")
public func reportErrorList(
  _ context: OpaquePointer?, _ format: UnsafePointer<CChar>?, _ arguments: UnsafeMutableRawPointer?
) {
  guard let format, let arguments, let graph = GraphContext.at(opaque: context) else { return }
  graph.reporter.report(format, arguments)
}
