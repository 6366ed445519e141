import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusProof
import OcellusTestSupport
import Testing

/// Models are proved, and planted faults of single values are found.
@Suite struct ProverTests {
  private func proofs(
    of file: [UInt8], engine: any NodeEngine = OwnEngine()
  ) throws -> [NodeProof] {
    let prover = ModelProver(of: try Model(bytes: file), engine: engine)
    return try prover.nodes.map { try prover.proof(ofNode: $0.index, inSubgraph: $0.subgraph) }
  }

  @Test func genuineKernelsAreProved() throws {
    for (number, name) in OwnEngine.instructionSets.enumerated() {
      // Every kind of node by the best kernels, and a third of them by each of the others in turns.
      for (position, sample) in ProvedNode.all.enumerated()
      where name == KernelTable.best.name || (position + number).isMultiple(of: 3) {
        let proof = try proofs(of: sample.file, engine: OwnEngine(instructionSet: name))[0]
        #expect(proof.outcomeName == "proved", "\(name), \(sample.name): \(proof.reason ?? "")")
        #expect(proof.argument == sample.argument, "\(sample.name)")
        #expect(proof.comparisonCount > 0)
      }
    }
  }

  /// One result is wrong for one sum, value or pair: it is found, wherever it is.
  @Test(arguments: ProvedNode.all)
  func singleFaultsAreFound(sample: ProvedNode) throws {
    var generator = SeededGenerator(seed: 66)
    let position = ProvedNode.all.firstIndex { $0.name == sample.name } ?? 0
    for (number, name) in OwnEngine.instructionSets.enumerated() {
      let fault = sample.fault(&generator)
      // Each of the lesser instruction sets gets a third of the nodes.
      guard
        ProvedNode.isFull || name == KernelTable.best.name
          || (position + number).isMultiple(of: 3)
      else { continue }
      let engine = FaultyEngine(OwnEngine(instructionSet: name), fault)
      let proof = try proofs(of: sample.file, engine: engine)[0]
      #expect(proof.outcomeName == "refuted", "\(name), \(sample.name), \(fault)")
    }
  }

  @Test func floatsAreNotProved() throws {
    for proof in try proofs(of: DisputedChain().bytes) {
      #expect(proof.outcomeName == "not_proved" && proof.reason?.contains("float") == true)
    }
  }

  /// Sums that may overflow are no proof, whatever the kernel does.
  @Test func sumsBeyond32BitsAreNotProved() throws {
    let proof = try proofs(of: ProvedNode.convolution(biases: [.max - 1, 0, 0]).file)[0]
    #expect(proof.outcomeName == "not_proved")
    #expect(proof.reason?.contains("32 bits") == true)
  }

  @Test func certificatesAreBoundToTheirContents() throws {
    let model = try Model(bytes: ProvedNode.convolution().file)
    let prover = ModelProver(of: model)
    var certificate = Certificate(
      modelHash: model.fileHash, modelByteCount: model.fileByteCount, programVersion: "1",
      instructionSet: "avx2", nodes: [try prover.proof(ofNode: 0, inSubgraph: 0)])
    let hash = certificate.json.object?["sha256"]
    certificate.nodes[0].comparisonCount += 1
    #expect(certificate.json.object?["sha256"] != hash)
  }
}
