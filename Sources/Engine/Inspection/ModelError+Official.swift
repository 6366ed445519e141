package import OcellusModelFile

/// Checks for interfaces that behave like the official runtime's.
extension ModelError {
  /// Returns whether the official runtime would make an interpreter in spite of this error.
  ///
  /// It looks up built-in operators at once, but checks custom ones, types and shapes only when
  /// tensors are allocated.
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
  /// Returns whether the model lets an input have these extents.
  ///
  /// They must be the present ones, except where its shape signature has -1.
  package func mayBecome(_ dimensions: [Int], signature: [Int]?) -> Bool {
    guard dimensions.count == rank else { return false }
    let signature = signature ?? []
    return dimensions.indices.allSatisfy { axis in
      dimensions[axis] == self.dimensions[axis]
        || (axis < signature.count && signature[axis] == -1)
    }
  }
}
