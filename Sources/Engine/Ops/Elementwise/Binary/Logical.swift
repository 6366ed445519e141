/// LOGICAL_AND and LOGICAL_OR of two tensors of `bool`.
package enum Logical {
  package static let and = Binary.definition("LOGICAL_AND", [.init(Conjunction())])
  package static let or = Binary.definition("LOGICAL_OR", [.init(Disjunction())])
}

struct Conjunction: BinaryFunction {
  func callAsFunction(_ a: Boolean, _ b: Boolean) -> Boolean { Boolean(a.isTrue && b.isTrue) }
}

struct Disjunction: BinaryFunction {
  func callAsFunction(_ a: Boolean, _ b: Boolean) -> Boolean { Boolean(a.isTrue || b.isTrue) }
}
