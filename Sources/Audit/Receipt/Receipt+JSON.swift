import OcellusEngine
package import OcellusJSON

/// The receipt as canonical JSON: members in a fixed order, and only integers and strings.
extension Receipt {
  static let schema = "ocellus-receipt"
  static let schemaVersion = 1

  package var json: JSONValue {
    [
      "schema": .string(Self.schema), "schema_version": .integer(Self.schemaVersion),
      "root": .string(root), "tree": "RFC 6962 over SHA-256",
      "setting": [
        "version": .string(setting.version), "instruction_set": .string(setting.instructionSet),
        "threads": .integer(setting.threads), "numerics": .string(setting.numerics),
        "same_root": .string(setting.promise),
      ],
      "model": modelJSON, "inputs": .array(inputs.map(\.json)),
      "preparation": preparationJSON, "nodes": .array(nodes.map(\.json)),
      "outputs": .array(outputs.map(\.json)),
    ]
  }

  private var modelJSON: JSONValue {
    ["sha256": .string(modelHash), "bytes": .integer(modelByteCount)]
  }

  private var preparationJSON: JSONValue {
    [
      "pictures": .array(pictureHashes.map { .string($0) }),
      "steps": .array(
        preparations.map { ["property": .string($0.property), "value": .string($0.value)] }),
    ]
  }

  /// The leaves of the Merkle tree.
  package var leaves: [JSONValue] {
    [modelJSON] + inputs.map(\.json) + [preparationJSON] + nodes.map(\.json) + outputs.map(\.json)
  }
}

extension Receipt.Tensor {
  fileprivate var json: JSONValue {
    [
      "tensor": .integer(index), "name": .string(name), "type": .string(type.name),
      "shape": .integers(shape.dimensions), "sha256": .string(hash),
    ]
  }
}

extension Receipt.Node {
  fileprivate var json: JSONValue {
    [
      "subgraph": .integer(subgraph), "node": .integer(index), "call": .integer(call),
      "operator": .string(operatorName), "outputs": .array(outputs.map(\.json)),
    ]
  }
}

// MARK: - Reading

extension Receipt {
  /// Reads a receipt.
  ///
  /// - Throws: an error if this is no receipt, members are missing, or the root does not match the
  ///   contents.
  package init(_ json: JSONValue) throws(AuditError) {
    let object = ReceiptObject(json, path: "the receipt")
    let schema = try object.text("schema")
    guard schema == Self.schema else {
      throw AuditError("this is no receipt: its \"schema\" is '\(schema)', not '\(Self.schema)'")
    }
    guard try object.integer("schema_version") == Self.schemaVersion else {
      throw AuditError("this version of receipts is not supported, only \(Self.schemaVersion)")
    }
    let model = try object.object("model")
    let preparation = try object.object("preparation")
    let setting = try object.object("setting")
    self.init(
      modelHash: try model.text("sha256"), modelByteCount: try model.integer("bytes"),
      inputs: try object.objects("inputs").map(Tensor.init),
      pictureHashes: try preparation.array("pictures").compactMap(\.string),
      preparations: try preparation.objects("steps").map { step throws(AuditError) in
        Preparation(property: try step.text("property"), value: try step.text("value"))
      },
      nodes: try object.objects("nodes").map(Node.init),
      outputs: try object.objects("outputs").map(Tensor.init),
      setting: Setting(
        version: try setting.text("version"), instructionSet: try setting.text("instruction_set"),
        threads: try setting.integer("threads"), numerics: try setting.text("numerics")))
    guard Setting.knownNumerics.contains(self.setting.numerics) else {
      throw AuditError("the receipt's numerics '\(self.setting.numerics)' are not known")
    }
    let stated = try object.text("root")
    guard stated == root else {
      throw AuditError(
        "the receipt contradicts itself: its root is \(stated), and that of its contents \(root)")
    }
  }
}

extension Receipt.Tensor {
  fileprivate init(_ object: ReceiptObject) throws(AuditError) {
    let typeName = try object.text("type")
    guard let type = ElementType.allCases.first(where: { $0.name == typeName }) else {
      throw AuditError("\(object.path): there is no type '\(typeName)'")
    }
    self.init(
      index: try object.integer("tensor"), name: try object.text("name"), type: type,
      shape: Shape(try object.array("shape").compactMap(\.integer)),
      hash: try object.text("sha256"))
  }
}

extension Receipt.Node {
  fileprivate init(_ object: ReceiptObject) throws(AuditError) {
    self.init(
      subgraph: try object.integer("subgraph"), index: try object.integer("node"),
      call: try object.integer("call"), operatorName: try object.text("operator"),
      outputs: try object.objects("outputs").map(Receipt.Tensor.init))
  }
}

/// An object of a receipt, with errors that name missing members.
private struct ReceiptObject {
  let members: JSONObject?
  let path: String

  init(_ json: JSONValue?, path: String) {
    members = json?.object
    self.path = path
  }

  private func missing(_ name: String, _ kind: String) -> AuditError {
    AuditError("\(path) has no \"\(name)\" that is \(kind)")
  }

  func text(_ name: String) throws(AuditError) -> String {
    guard let text = members?[name]?.string else { throw missing(name, "a text") }
    return text
  }

  func integer(_ name: String) throws(AuditError) -> Int {
    guard let number = members?[name]?.integer else { throw missing(name, "a whole number") }
    return number
  }

  func array(_ name: String) throws(AuditError) -> [JSONValue] {
    guard let array = members?[name]?.array else { throw missing(name, "a list") }
    return array
  }

  func object(_ name: String) throws(AuditError) -> ReceiptObject {
    guard let value = members?[name], value.object != nil else { throw missing(name, "an object") }
    return ReceiptObject(value, path: "\(path), \(name)")
  }

  func objects(_ name: String) throws(AuditError) -> [ReceiptObject] {
    try array(name).enumerated().map { ReceiptObject($1, path: "\(path), \(name) \($0)") }
  }
}
