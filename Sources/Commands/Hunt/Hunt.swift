import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProof

/// What a hunt has tried and found.
struct Hunt {
  /// A find, and the smallest model that shows it.
  struct Entry {
    let find: HuntTrial.Find
    let graph: Int
    let path: String
    let operators: [String]
    /// How many graphs showed something like it.
    var count = 1
  }

  private let peer: HuntPeer
  private let files: HuntFiles
  private let arithmetic: BoundsArithmetic
  private let seconds: Double
  private let start = MonotonicTime.now

  private(set) var finds: [Entry] = []
  private var graphCount = 0
  private var nodeCount = 0
  private var refusedCount = 0
  private var unusableCount = 0

  init(peer: HuntPeer, folder: String, arithmetic: BoundsArithmetic, seconds: Double) {
    self.peer = peer
    files = HuntFiles(folder: folder)
    self.arithmetic = arithmetic
    self.seconds = seconds
  }

  var isOutOfTime: Bool { start.secondsToNow >= seconds }

  /// Tries a model, and reduces what is found.
  mutating func examine(_ file: [UInt8], graph: Int, seed: UInt64) throws {
    let trial = HuntTrial(peer: peer, files: files, seed: seed, arithmetic: arithmetic)
    graphCount += 1
    switch try trial.outcome(of: file) {
    case .agreed(let count): nodeCount += count
    case .refused: refusedCount += 1
    case .unusable: unusableCount += 1
    case .found(let find):
      if let known = finds.firstIndex(where: { $0.find.isLike(find) }) {
        finds[known].count += 1
      } else {
        finds.append(try entry(for: find, trial, file, graph: graph))
      }
    }
  }

  private func entry(
    for find: HuntTrial.Find, _ trial: HuntTrial, _ file: [UInt8], graph: Int
  ) throws -> Entry {
    let path = "\(files.folder)/found-\(finds.count + 1).tflite"
    try FileSystem.write(file, to: path)
    var smallest = find
    let reducer = try Reducer(
      ModelFile(ModelBytes(file)), seconds: max(seconds - start.secondsToNow, 1),
      while: { bytes in
        guard case .found(let other) = try trial.outcome(of: bytes), other.isLike(find) else {
          return false
        }
        smallest = other
        return true
      })
    if try reducer.reduce() { try FileSystem.write(reducer.model.bytes(), to: path) }
    return Entry(
      find: smallest, graph: graph, path: path,
      operators: reducer.model.subgraphs.flatMap(\.operators).map { $0.code.name })
  }

  /// Removes the files that engines exchanged.
  func removeFiles() {
    for path in [files.model, files.inputs, files.results] { try? FileSystem.remove(path) }
  }

  // MARK: Reports

  var text: String {
    var text =
      "\(graphCount) graphs: \(nodeCount) nodes within bounds, \(refusedCount) refused by the peer, "
      + "\(unusableCount) not computed here, \(finds.count) finds\n"
    for entry in finds {
      let engine = entry.find.engine == .own ? "this engine" : "the peer"
      let what = entry.find.kind == .outside ? entry.find.sentence : "\(engine) \(entry.find.kind)"
      text += "  \(entry.path.printableInLine), \(entry.count) times, of \(engine): "
      text += "\(what) (left: \(entry.operators.joined(separator: ", ").printableInLine))\n"
    }
    return text
  }

  var json: JSONValue {
    [
      "graphs": .integer(graphCount), "judged_nodes": .integer(nodeCount),
      "refused": .integer(refusedCount), "unusable": .integer(unusableCount),
      "is_out_of_time": .bool(isOutOfTime),
      "finds": .array(
        finds.map { entry in
          [
            "kind": .string(entry.find.kind.rawValue),
            "engine": .string(entry.find.engine.rawValue),
            "operator": .string(entry.find.operatorName),
            "description": .string(entry.find.sentence), "graph": .integer(entry.graph),
            "count": .integer(entry.count), "model": .string(entry.path),
            "operators": .strings(entry.operators),
          ]
        }),
    ]
  }
}
