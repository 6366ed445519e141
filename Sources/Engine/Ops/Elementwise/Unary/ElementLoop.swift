package import OcellusKernelABI

/// A function that is applied to all elements of a tensor.
package struct ElementLoop: Sendable {
  package enum Mapping: Sendable {
    /// A table look-up for 8-bit elements.
    case table(ByteTable)
    /// An interpolated table for 16-bit elements.
    case interpolated(InterpolatedTable)
    /// A loop over elements of any type; it must count by bytes, since slices of tensors have no
    /// shape.
    case body(@Sendable (_ input: TensorView, _ output: TensorView) -> Void)
  }

  /// The range of quantized arguments for which a function is defined.
  package struct Domain: Sendable {
    /// The lowest stored integer.
    var minimum: Int
    /// The error message for lower integers.
    var complaint: String

    func contains(_ tensor: TensorView) -> Bool {
      tensor.type == .int16
        ? tensor.values(Int16.self).allSatisfy(tensor.control) { Int($0) >= minimum }
        : tensor.values(Int8.self).allSatisfy(tensor.control) { Int($0) >= minimum }
    }
  }

  package var mapping: Mapping
  /// The function on the tuned kernels, for `float32` elements with a `body` mapping.
  package var tuned: UnaryFloatFunction?
  package var domain: Domain?
  /// The function as a conversion of integers for which there are kernels.
  package var conversion: ElementConversion?

  func apply(_ input: TensorView, _ output: TensorView) {
    switch mapping {
    case .table(let table): table.apply(input, output)
    case .interpolated(let table): table.apply(input, output)
    case .body(let body): body(input, output)
    }
  }

  /// Returns a loop over stored elements.
  @inline(__always)
  static func elements<Element: BitwiseCopyable>(
    _ function: @escaping @Sendable (Element) -> Element
  ) -> Self {
    Self(
      mapping: .body { input, output in
        let (source, target) = (input.values(Element.self), output.values(Element.self))
        for chunk in output.chunks(of: source.count) {
          for index in chunk { target[index] = function(source[index]) }
        }
      })
  }

  /// Returns a loop over elements of a float type, computed in `Float`.
  @inline(__always)
  static func floats<Element: FloatElement>(
    _: Element.Type, _ function: @escaping @Sendable (Float) -> Float
  ) -> Self {
    elements { (element: Element) in Element(function(element.single)) }
  }

  /// Returns a loop over elements of the float type `type`, computed in `Float`.
  @inline(__always)
  static func floats(
    of type: ElementType, _ function: @escaping @Sendable (Float) -> Float
  ) -> Self {
    switch type {
    case .float16: floats(Float16.self, function)
    case .bfloat16: floats(BFloat16.self, function)
    default: floats(Float.self, function)
    }
  }

  /// Returns the loop with a tuned kernel for `float32` elements.
  func tuned(_ function: UnaryFloatFunction, of type: ElementType = .float32) -> Self {
    var loop = self
    loop.tuned = type == .float32 ? function : nil
    return loop
  }

  /// Returns the loop with a conversion of integers for which there are kernels.
  func converted(_ conversion: ElementConversion) -> Self {
    var loop = self
    loop.conversion = conversion
    return loop
  }

  /// Returns a function of stored integers, clamped to the range of the type: a table for 8 bits.
  @inline(__always)
  static func integers(
    of type: ElementType, _ function: @escaping @Sendable (Int) -> Int
  ) -> Self {
    guard type == .int16 else { return Self(mapping: .table(ByteTable(of: type, function))) }
    return elements { (element: Int16) in Int16(clamping: function(Int(element))) }
  }
}

extension NodeSpec {
  /// Returns a real function between the quantizations of the node's first operand and result: a
  /// table for 8 bits, an interpolated one for 16.
  func quantizedLoop(_ function: (Float) -> Float) throws(ModelError) -> ElementLoop {
    let (input, output) = (try input(0), try output(0))
    let (source, target) = (try affineScale(of: input), try affineScale(of: output))
    guard input.type == .int16 else {
      return ElementLoop(
        mapping: .table(ByteTable(of: input.type, from: source, to: target, function)))
    }
    return ElementLoop(
      mapping: .interpolated(
        InterpolatedTable(
          inputScale: source.scale, inputZeroPoint: source.zeroPoint, outputScale: target.scale,
          outputZeroPoint: target.zeroPoint, function)))
  }
}
