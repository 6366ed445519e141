import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// The report as text.
extension ModelReport {
  var text: String {
    var text = "\(path.lastPathComponent.printableInLine): \(file.bytes.buffer.count.byteText)"
    text += ", schema version \(file.version)\n"
    if !file.description.isEmpty { text += "\(file.description.printableInLine)\n" }
    text += section("Inputs", tensorLines(main.inputs))
    text += section("Outputs", tensorLines(main.outputs))
    text += section("Operators", operatorLines)
    text += section("Weights", weightLines)
    text += section("Memory", memoryLines)
    if details.showsPlan { text += section("Plan", plan?.lines ?? "") }
    text += section("LiteRT's default numerics", liteRTLines)
    text += section("Signatures", signatureLines)
    text += section("Metadata", metadata.lines)
    text += section(refusalTitle, refusalLines)
    for (index, subgraph) in file.subgraphs.enumerated() {
      let label =
        file.subgraphs.count > 1 ? " of subgraph \(index) '\(subgraph.name.printableInLine)'" : ""
      if details.showsNodes { text += section("Nodes" + label, nodeLines(of: subgraph, index)) }
      if details.showsTensors { text += section("Tensors" + label, tensorLines(of: subgraph)) }
    }
    return text
  }

  private func section(_ title: String, _ lines: String) -> String {
    lines.isEmpty ? "" : "\n\(title)\n\(lines)"
  }

  private func tensorLines(_ indices: [Int]) -> String {
    var table = TextTable([.left("name"), .left("type"), .left("shape"), .left("quantization")])
    for index in indices {
      let tensor = main.tensors[index]
      table.add([tensor.name, tensor.type.name, tensor.shapeText, tensor.quantizationText])
    }
    return indices.isEmpty ? "" : table.text(indent: 2)
  }

  private var liteRTLines: String {
    guard let liteRT else { return "" }
    var text = "  XNNPACK takes \(liteRT.delegatedCount) of \(liteRT.nodeCount) nodes.\n"
    guard !liteRT.gaps.isEmpty else { return text + "  The bits of all nodes are imitated.\n" }
    text += "  Bits that are not imitated:\n"
    var table = TextTable([.right("node"), .left("operator"), .left("reason")])
    for gap in liteRT.gaps {
      let node = gap.subgraph == 0 ? "\(gap.node)" : "\(gap.subgraph):\(gap.node)"
      table.add([node, gap.operatorName, gap.reason])
    }
    return text + table.text(indent: 2)
  }

  private var operatorLines: String {
    var table = TextTable([
      .left("operator"), .right("nodes"), .left("version"), .right("multiply-adds"),
      .right("share"), .left("kernels"),
    ])
    let total = multiplyAdds
    for usage in operatorUsage {
      let share = Double(usage.multiplyAdds) / Double(max(total, 1)) * 100
      let versions = usage.versions.sorted().map(String.init).joined(separator: ", ")
      let kernels = usage.kernels.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.key) (\($0.value))" }
      table.add([
        usage.name, "\(usage.count)", versions,
        usage.multiplyAdds == 0 ? "" : usage.multiplyAdds.grouped,
        usage.multiplyAdds == 0 ? "" : "\(share.fixed(1)) %", kernels.joined(separator: ", "),
      ])
    }
    let nodes = file.subgraphs.reduce(0) { $0 + $1.operators.count }
    table.add(["in all", "\(nodes)", "", plan == nil ? "" : total.grouped, "", ""])
    return table.text(indent: 2)
  }

  private var weightLines: String {
    var table = TextTable([.left("type"), .right("tensors"), .right("size")])
    for usage in weightUsage {
      table.add([usage.type.name, "\(usage.count)", usage.byteCount.byteText])
    }
    return weightUsage.isEmpty ? "" : table.text(indent: 2)
  }

  private var memoryLines: String {
    guard let plan else { return "" }
    var lines = """
        \(plan.arenaByteCount.byteText) for computed tensors and working memory \
      (\(plan.resultByteCount.byteText) if no two tensors shared memory)
        \((memoryInUse - plan.arenaByteCount).byteText) for inputs, variables and folded constants
        \(plan.packedByteCount.byteText) for weights in the kernels' layouts

      """
    if !plan.foldedNodes.isEmpty {
      lines += "  \(plan.foldedNodes.count) nodes have constant results and never run\n"
    }
    if !plan.unplannedNodes.isEmpty {
      lines += """
          \(plan.unplannedNodes.count) nodes are not in these figures: their shapes depend on data

        """
    }
    return lines
  }

  private var signatureLines: String {
    func names(_ tensors: [NamedTensor]) -> String {
      tensors.map(\.name.printableInLine).joined(separator: ", ")
    }
    return file.signatures.map { signature in
      let subgraph = signature.subgraphIndex == 0 ? "" : "  (subgraph \(signature.subgraphIndex))"
      let verdict = unusableSignatures.contains(signature.key) ? ", cannot be run" : ""
      return """
          \(signature.key.printableInLine): \(names(signature.inputs)) -> \(names(signature.outputs))\(subgraph)\(verdict)

        """
    }.joined()
  }

  private var refusalTitle: String {
    refusal?.problems.isEmpty == true ? "This model cannot be run" : "Not supported"
  }

  private var refusalLines: String {
    if let refusal, refusal.problems.isEmpty { return "  \(refusal.message.printableInLine)\n" }
    if problems.isEmpty { return "" }
    var table = TextTable([.left("operator"), .left("nodes"), .left("problem")])
    for problem in problems {
      let shown = problem.nodes.prefix(6).map(String.init).joined(separator: ", ")
      let more = problem.nodes.count > 6 ? ", ... (\(problem.nodes.count))" : ""
      let subgraph = problem.subgraph == 0 ? "" : " of subgraph \(problem.subgraph)"
      table.add([problem.operatorName, shown + more + subgraph, problem.message])
    }
    return table.text(indent: 2)
  }
}

/// The lists that options request.
extension ModelReport {
  private func nodeLines(of subgraph: SubgraphRecord, _ index: Int) -> String {
    var table = TextTable([
      .right("node"), .left("operator"), .left("inputs"), .left("outputs"),
      .right("multiply-adds"), .left("kernel"),
    ])
    let planned = index == 0 ? plan?.nodes ?? [] : []
    for (position, node) in subgraph.operators.enumerated() {
      func list(_ tensors: [Int]) -> String {
        tensors.map { $0 < 0 ? "-" : "\($0) \(subgraph.tensors[$0].shapeText)" }
          .joined(separator: ", ")
      }
      let plan = planned.indices.contains(position) ? planned[position] : nil
      let multiplyAdds = plan?.multiplyAdds ?? 0
      table.add([
        "\(position)", operatorName(of: node), list(node.inputs), list(node.outputs),
        multiplyAdds == 0 ? "" : multiplyAdds.grouped,
        plan?.executionText ?? "",
      ])
    }
    return table.text(indent: 2)
  }

  private func tensorLines(of subgraph: SubgraphRecord) -> String {
    var table = TextTable([
      .right("tensor"), .left("type"), .left("shape"), .left("role"), .left("name"),
      .left("quantization"),
    ])
    for (index, tensor) in subgraph.tensors.enumerated() {
      var role = tensor.roleText
      if subgraph.inputs.contains(index) { role = "input" }
      if subgraph.outputs.contains(index) { role = "output" }
      table.add([
        "\(index)", tensor.type.name, tensor.shapeText, role, tensor.name,
        tensor.quantizationText,
      ])
    }
    return table.text(indent: 2)
  }
}

extension MetadataRecord {
  /// The content without trailing zeros, if it is a short printable text.
  var shortText: String? {
    let content = bytes.prefix { $0 != 0 }
    let isText = content.allSatisfy { (0x20..<0x7F).contains($0) }
    let isFilledUp = bytes[content.endIndex...].allSatisfy { $0 == 0 }
    guard !content.isEmpty, content.count <= 80, isText, isFilledUp else { return nil }
    return String(decoding: content, as: UTF8.self)
  }
}
