package import OcellusJSON
import OcellusPlatform

/// The proofs of all nodes of a model, as a document that others can check.
package struct Certificate: Sendable {
  static let schema = "ocellus-certificate"

  package var modelHash: String
  package var modelByteCount: Int
  package var programVersion: String
  package var instructionSet: String
  package var nodes: [NodeProof]

  package init(
    modelHash: String, modelByteCount: Int, programVersion: String, instructionSet: String,
    nodes: [NodeProof]
  ) {
    self.modelHash = modelHash
    self.modelByteCount = modelByteCount
    self.programVersion = programVersion
    self.instructionSet = instructionSet
    self.nodes = nodes
  }

  package var provedCount: Int { nodes.count { $0.outcomeName == "proved" } }
  package var refuted: [NodeProof] { nodes.filter { $0.outcomeName == "refuted" } }

  /// The document: only integers and texts, in a fixed order.
  package var json: JSONValue {
    let model: JSONValue = ["sha256": .string(modelHash), "bytes": .integer(modelByteCount)]
    let proofs = JSONValue.array(nodes.map(\.json))
    let bound: JSONValue = [
      .string(programVersion), .string(instructionSet), model, proofs,
    ]
    return [
      "schema": .string(Self.schema), "schema_version": 1,
      "program_version": .string(programVersion), "instruction_set": .string(instructionSet),
      "model": model, "proved": .integer(provedCount), "refuted": .integer(refuted.count),
      "not_proved": .integer(nodes.count - provedCount - refuted.count), "nodes": proofs,
      "sha256": .string(SHA256.hash(Array(bound.text.utf8)).hexadecimal),
    ]
  }
}

extension NodeProof {
  /// The outcome as the certificate spells it.
  package var outcomeName: String {
    switch outcome {
    case .proved: "proved"
    case .refuted: "refuted"
    case .notProved: "not_proved"
    }
  }

  /// What was found, or what is missing.
  package var reason: String? {
    switch outcome {
    case .proved: nil
    case .refuted(let fault): fault
    case .notProved(let reason): reason
    }
  }

  package var argument: Argument? {
    if case .proved(let argument) = outcome { return argument }
    return nil
  }

  fileprivate var json: JSONValue {
    [
      "subgraph": .integer(subgraph), "node": .integer(index), "operator": .string(operatorName),
      "kernel": .string(kernel), "outcome": .string(outcomeName),
      "argument": .string(orNull: argument?.rawValue), "reason": .string(orNull: reason),
      "comparisons": .integer(comparisonCount), "sums": sums?.json ?? .null,
    ]
  }
}

extension SumFacts {
  fileprivate var json: JSONValue {
    [
      "channels": .integer(channelCount), "count": .integer(sumCount),
      "least": .integer(Int(range.lowerBound)), "greatest": .integer(Int(range.upperBound)),
      "sha256": .string(hash),
    ]
  }
}
