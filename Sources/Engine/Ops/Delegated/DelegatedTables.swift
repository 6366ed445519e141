import OcellusModelFile
import OcellusPlatform

/// The union tags of options, by the names of the operators.
enum DelegatedOptions {
  static let add = BuiltinOptionsTag.add
  static let sub = BuiltinOptionsTag.sub
  static let mul = BuiltinOptionsTag.mul
  static let div = BuiltinOptionsTag.div
}

/// XNNPACK's functions of one byte.
enum DelegatedTables {
  static func leakyRectifier(_ node: NodeSpec) throws(ModelError) -> ElementLoop {
    let alpha = try node.options(BuiltinOptionsTag.leakyRelu).float(0)
    let (source, target) = try scales(node)
    let kept = source.scale / target.scale
    return try table(node, source, target, kept: eighthBits(kept), sloped: eighthBits(kept * alpha))
  }

  static func requantization(_ node: NodeSpec) throws(ModelError) -> ElementLoop {
    let (source, target) = try scales(node)
    let factor = eighthBits(source.scale / target.scale)
    return try table(node, source, target, kept: factor, sloped: factor)
  }

  static func logistic(_ node: NodeSpec) throws(ModelError) -> ElementLoop {
    try table(node) { 1 / (1 + expf(-$0)) }
  }

  static func tanh(_ node: NodeSpec) throws(ModelError) -> ElementLoop {
    try table(node) { tanhf($0) }
  }

  static func exponentialLinear(_ node: NodeSpec) throws(ModelError) -> ElementLoop {
    try table(node) { $0 < 0 ? expm1f($0) : $0 }
  }

  private static func scales(
    _ node: NodeSpec
  ) throws(ModelError) -> (source: AffineScale, target: AffineScale) {
    (try node.affineScale(of: node.input(0)), try node.affineScale(of: node.output(0)))
  }

  /// Returns a factor in units of 1/256.
  private static func eighthBits(_ factor: Float) -> Int {
    Int((256 * factor).rounded(.toNearestOrEven))
  }

  /// Returns a table of products with one of two factors in units of 1/256, rounded half up.
  private static func table(
    _ node: NodeSpec, _ source: AffineScale, _ target: AffineScale, kept: Int, sloped: Int
  ) throws(ModelError) -> ElementLoop {
    .integers(of: try node.input(0).type) { stored in
      let distance = stored - source.zeroPoint
      return (distance * (distance > 0 ? kept : sloped) + 128) >> 8 + target.zeroPoint
    }
  }

  /// Returns a table of a real function, whose result is rounded with the zero point, ties to even.
  private static func table(
    _ node: NodeSpec, _ function: (Float) -> Float
  ) throws(ModelError) -> ElementLoop {
    let (source, target) = try scales(node)
    let inverse = 1 / target.scale
    let table = ByteTable(of: try node.input(0).type) { stored in
      let real = (Float(stored) - Float(source.zeroPoint)) * source.scale
      return Int((function(real) * inverse + Float(target.zeroPoint)).roundedToStep)
    }
    return ElementLoop(mapping: .table(table))
  }
}
