package import OcellusModelFile

/// The path from a model's root table to one of its tables.
package struct FlatPath: Hashable {
  /// A step into the table of a field, or into an element of a list of tables.
  struct Step: Hashable {
    let field: Int
    var element: Int?
    let name: String
  }

  private(set) var steps: [Step] = []

  func appending(_ field: TableSchema.Field, element: Int? = nil) -> FlatPath {
    var path = self
    path.steps.append(Step(field: field.position, element: element, name: field.name))
    return path
  }

  /// The names of the steps, such as `subgraphs[0].tensors[2].quantization`, followed by a dot.
  var prefix: String {
    steps.map { step in step.name + (step.element.map { "[\($0)]" } ?? "") + "." }.joined()
  }
}

extension FlatFields {
  /// The table at the end of a path, or `nil` if it does not exist.
  package subscript(path: FlatPath) -> FlatFields? { table(at: path.steps[...]) }

  private func table(at steps: ArraySlice<FlatPath.Step>) -> FlatFields? {
    guard let step = steps.first else { return self }
    switch self[step.field] {
    case .table(let inner): return inner.table(at: steps.dropFirst())
    case .tables(let list):
      guard let element = step.element, list.indices.contains(element) else { return nil }
      return list[element].table(at: steps.dropFirst())
    default: return nil
    }
  }

  /// Changes the table at the end of a path, if it exists.
  mutating func change(at path: FlatPath, _ body: (inout FlatFields) -> Void) {
    change(at: path.steps[...], body)
  }

  private mutating func change(
    at steps: ArraySlice<FlatPath.Step>, _ body: (inout FlatFields) -> Void
  ) {
    guard let step = steps.first else { return body(&self) }
    switch self[step.field] {
    case .table(var inner):
      inner.change(at: steps.dropFirst(), body)
      self[step.field] = .table(inner)
    case .tables(var list):
      guard let element = step.element, list.indices.contains(element) else { return }
      list[element].change(at: steps.dropFirst(), body)
      self[step.field] = .tables(list)
    default: return
    }
  }
}
