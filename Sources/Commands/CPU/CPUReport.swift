import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform

/// The results of `cpu`, as a table and as JSON.
struct CPUReport {
  let choice: KernelChoice
  let processorName: String?
  let processorCount: Int

  private var chosen: KernelChoice.Candidate? { choice.candidates.first(where: \.isAvailable) }

  /// Explains why a kernel table is used or not.
  private func verdict(on candidate: KernelChoice.Candidate) -> String {
    if let reason = candidate.reason { return "no: \(reason)" }
    guard candidate.name == chosen?.name else { return "could run, but a better one does" }
    return choice.requested == candidate.name
      ? "chosen: OCELLUS_ISA asks for it" : "chosen: the best that may run"
  }

  var text: String {
    var facts = TextTable([.left("processor"), .left(processorName ?? "unknown")])
    facts.add(["online", "\(processorCount)"])
    facts.add(["features", list(choice.features)])
    facts.add(["OCELLUS_ISA", choice.requested ?? "not set"])
    var tables = TextTable([
      .left("kernels"), .left("needs"), .left("float tile"), .left("8-bit tile"), .left(""),
    ])
    for candidate in choice.candidates {
      let tiles = tiles(of: candidate).map { tile in
        tile.map { "\($0.rows) x \($0.columns)" } ?? "-"
      }
      tables.add([candidate.name, list(candidate.needs)] + tiles + [verdict(on: candidate)])
    }
    let problem = choice.problem.map { "\nerror: \($0)\n" } ?? ""
    return facts.text() + "\n" + tables.text() + problem
  }

  /// Returns the tile sizes of the float and 8-bit GEMMs, if the processor supports the table.
  private func tiles(
    of candidate: KernelChoice.Candidate
  ) -> [(rows: Int, columns: Int)?] {
    guard let table = candidate.table else { return [nil, nil] }
    let bytes = table.quantizedGEMM.strategies.last?.kernel
    let floats = table.floatGEMM.strategies.last?.kernel
    return [
      floats.map { ($0.tileRows, $0.panelColumns) },
      bytes.map { ($0.tileRows(PatchGeometry(matrixOf: 1, depth: 1)), $0.panelColumns) },
    ]
  }

  private func list(_ features: CPUFeatures) -> String {
    features.isEmpty ? "none" : features.names.joined(separator: " ")
  }

  var json: JSONValue {
    [
      "processor": .string(orNull: processorName), "online": .integer(processorCount),
      "features": strings(choice.features.names),
      "requested": .string(orNull: choice.requested), "problem": .string(orNull: choice.problem),
      "chosen": .string(orNull: chosen?.name),
      "tables": .array(
        choice.candidates.map { candidate in
          let tiles = tiles(of: candidate).map { tile in
            tile.map { JSONValue.integers([$0.rows, $0.columns]) } ?? .null
          }
          return [
            "name": .string(candidate.name), "needs": strings(candidate.needs.names),
            "missing": strings(candidate.missing.names),
            "available": .bool(candidate.isAvailable),
            "reason": .string(verdict(on: candidate)),
            "float_tile": tiles[0], "quantized_tile": tiles[1],
          ]
        }),
    ]
  }

  private func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
