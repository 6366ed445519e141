extension ShapeContext {
  /// Throws unless the first operand can refer to a variable.
  func requireVariableHandle() throws(ModelError) {
    try require(shape(0).elementCount == 1, "the handle is not one element")
  }

  /// Throws unless the first operand can refer to a table.
  func requireTableHandle() throws(ModelError) {
    try require(shape(0).dimensions == [1], "the handle is not a vector of one element")
  }
}
