import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusPlatform
import OcellusProof

/// Lets two engines compute one model, and judges both by the bounds of its nodes.
struct HuntTrial {
  /// Something that is wrong with an engine.
  struct Find: Equatable {
    enum Kind: String { case outside, crashed, hung }
    enum Engine: String { case own, peer }

    let kind: Kind
    let engine: Engine
    /// The operator of the first node outside of its bounds; empty for a crash.
    let operatorName: String
    /// What is outside, and by how much.
    let sentence: String

    /// Whether another find seems to have the same cause.
    func isLike(_ other: Find) -> Bool {
      (kind, engine, operatorName) == (other.kind, other.engine, other.operatorName)
    }
  }

  enum Outcome {
    /// Both engines are inside of the bounds of so many nodes.
    case agreed(nodeCount: Int)
    case found(Find)
    /// The peer does not compute the model.
    case refused
    /// This engine does not compute the model.
    case unusable
  }

  let peer: HuntPeer
  let files: HuntFiles
  let seed: UInt64
  let arithmetic: BoundsArithmetic

  func outcome(of file: [UInt8]) throws -> Outcome {
    guard let model = try? Model(bytes: file), try writeInputs(of: model),
      try HuntPeer.run(file, files, .init())
    else { return .unusable }
    if let find = try judgement(of: model, .own).find { return .found(find) }
    try? FileSystem.remove(files.results)
    switch try peer.end(of: file, files) {
    case .refused: return .refused
    case .crashed:
      return .found(Find(kind: .crashed, engine: .peer, operatorName: "", sentence: ""))
    case .hung: return .found(Find(kind: .hung, engine: .peer, operatorName: "", sentence: ""))
    case .answered: break
    }
    guard FileSystem.exists(files.results) else {
      throw RunError("the peer exits with 0, but does not write \(files.results)")
    }
    let (find, nodeCount) = try judgement(of: model, .peer)
    return find.map { .found($0) } ?? .agreed(nodeCount: nodeCount)
  }

  private func judgement(
    of model: Model, _ engine: Find.Engine
  ) throws -> (find: Find?, nodeCount: Int) {
    let archives = try [files.inputs, files.results].map { try TensorArchive(path: $0) }
    var (first, count): (NodeBound?, Int) = (nil, 0)
    try BoundsJudge(of: model, archives, arithmetic).judge { node in
      if !node.summaries.isEmpty { count += 1 }
      if first == nil, node.outside != nil { first = node }
    }
    let find = first.map {
      Find(
        kind: .outside, engine: engine, operatorName: $0.operatorName, sentence: $0.sentence)
    }
    return (find, count)
  }

  /// Writes inputs that are the same for every model with these inputs.
  ///
  /// - Returns: `false` if the model has no usable inputs.
  private func writeInputs(of model: Model) throws -> Bool {
    guard let interpreter = try? Interpreter(model), (try? interpreter.allocate()) != nil else {
      return false
    }
    let store = try TensorStore(path: files.inputs)
    for (index, input) in interpreter.inputs.enumerated() {
      guard input.type != .string else { return false }
      let count = input.shape.elementCount
      var bytes: [UInt8]
      if input.type == .float32 {
        var random = SplitMix64(seed: seed &+ UInt64(index))
        let numbers = (0..<count).map { _ in Float.random(in: -2...2, using: &random) }
        bytes = numbers.withUnsafeBytes { Array($0) }
      } else {
        var generator = InputGenerator(input: index)
        bytes = generator.bytes(of: input.type, count: count)
      }
      let array = try NPYArray(of: input.type, shape: input.shape.dimensions, bytes: bytes)
      try store.write(array.file, named: input.fileName + ".npy")
    }
    try store.close()
    return !interpreter.inputs.isEmpty
  }
}
