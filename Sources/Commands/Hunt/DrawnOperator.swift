import OcellusModelFile

/// An operator that is drawn for a graph: its operands and options.
struct DrawnOperator {
  enum Operand {
    /// A tensor of the graph.
    case tensor(Int)
    case floats([Float], [Int])
    case integers([Int32], [Int])
  }

  let name: String
  let operands: [Operand]
  var options: ModelWriter.Options?

  init(_ name: String, _ operands: [Operand], _ options: ModelWriter.Options? = nil) {
    (self.name, self.operands, self.options) = (name, operands, options)
  }
}

extension ModelWriter.Options {
  /// Makes options from the names of a table and its fields in schema.fbs.
  init?(_ table: String, _ values: [String: FlatValue]) {
    var tag = 1
    while let schema = OptionsSchema.builtinOptions(tag: tag) {
      if schema.name == table {
        var fields: FlatFields = [:]
        for (index, field) in schema.fields.enumerated() { fields[index] = values[field.name] }
        self.init(tag: tag, fields)
        return
      }
      tag += 1
    }
    return nil
  }
}
