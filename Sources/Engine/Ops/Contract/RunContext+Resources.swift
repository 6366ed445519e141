extension RunContext {
  /// Returns the resource identifier in an operand.
  func resourceIdentifier(_ position: Int) throws(ModelError) -> Int {
    guard let identifier = input(position).integers.first else {
      throw error("input \(position) holds no resource")
    }
    return identifier
  }

  /// Returns the lookup table that the first operand refers to.
  func lookupTable() throws(ModelError) -> LookupTable {
    let identifier = try resourceIdentifier(0)
    guard let table = resources.resource(identifier, as: LookupTable.self) else {
      throw error("resource \(identifier) is no table")
    }
    return table
  }
}
