package import OcellusModelFile

/// For interfaces that behave as the official runtime's.
extension ModelError {
  /// Whether the official runtime makes an interpreter all the same: it looks up built-in
  /// operators at once, but custom ones, types and shapes only when tensors are allocated.
  package func isFoundWhenAllocating(
    in file: ModelFile, registry: OperatorRegistry = OperatorRegistry()
  ) -> Bool {
    guard !problems.isEmpty else { return false }
    let codes = Dictionary(file.operatorCodes.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    return problems.allSatisfy { problem in
      guard let code = codes[problem.operatorName], !code.isCustom else { return true }
      guard let definition = registry[code.name] else { return false }
      return definition.versions.contains(code.version)
    }
  }
}

extension Shape {
  /// Whether the model lets an input have these extents: as they are, but for those that its
  /// shape signature marks with -1.
  package func mayBecome(_ dimensions: [Int], signature: [Int]?) -> Bool {
    guard dimensions.count == rank else { return false }
    let signature = signature ?? []
    return dimensions.indices.allSatisfy { axis in
      dimensions[axis] == self.dimensions[axis]
        || (axis < signature.count && signature[axis] == -1)
    }
  }
}
