import Foundation
import OcellusArrays
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// A sample command line for every command, and for every option that names an output file.
///
/// Tests of all commands walk the program's list of commands and take their samples from here; a
/// command without samples fails these tests.
struct CommandSamples {
  private let folder: TemporaryDirectory
  private static let root = PackageFiles.folder.path
  private static let models = root + "/Models"
  static let picture = models + "/samples/balloon.jpg"
  static let clip = models + "/samples/clip.y4m"
  static let detector = models + "/scenes-detector.tflite"
  static let floatDetector = models + "/scenes-detector-float.tflite"
  static let labeler = models + "/scenes-labeler.tflite"

  private var embedder: String { folder.path + "/embedder.tflite" }
  private var segmenter: String { folder.path + "/segmenter.tflite" }
  private var poseModel: String { folder.path + "/pose.tflite" }
  private var detections: String { folder.path + "/detections.txt" }
  private var times: String { folder.path + "/times.jsonl" }
  private var requests: String { folder.path + "/requests.txt" }
  private var results: String { folder.path + "/results.jsonl" }
  private var truth: String { folder.path + "/truth.json" }
  private var classes: String { folder.path + "/classes.csv" }
  private var found: String { folder.path + "/found.json" }
  private var baseline: String { folder.path + "/baseline.jsonl" }
  private var receipt: String { folder.path + "/receipt.json" }
  private var record: String { folder.path + "/record" }
  private var reduced: String { folder.path + "/reduced.tflite" }
  private var hunted: String { folder.path + "/hunted" }
  private var proof: String { folder.path + "/proof.json" }
  private var provable: String { folder.path + "/provable.tflite" }
  private var shown: String { folder.path + "/shown.npy" }
  private var answered: String { folder.path + "/answered" }
  private var shards: String { folder.path + "/shards" }

  /// The store of the tests' commands, in a temporary folder.
  private static let store: TemporaryDirectory? = {
    guard let store = try? TemporaryDirectory() else { return nil }
    setenv("OCELLUS_STORE", store.path, 1)
    return store
  }()

  /// The contents of the files that samples read, by their paths in the folder.
  ///
  /// They are made once, because commands run for some of them, and written for each test, because
  /// some commands write beside them.
  private static let files = Result { try CommandSamples(in: TemporaryDirectory()).madeFiles() }

  init() throws {
    self.init(in: try TemporaryDirectory())
    for (path, bytes) in try Self.files.get() {
      let file = "\(folder.path)/\(path)"
      try FileSystem.createDirectory(file.parentPath)
      try FileSystem.write(bytes, to: file)
    }
  }

  private init(in folder: TemporaryDirectory) { self.folder = folder }

  private func madeFiles() throws -> [String: [UInt8]] {
    try FileSystem.createDirectory(try #require(Self.store).path)
    try writeModels()
    try writeInputs()
    try writeResults()
    var files: [String: [UInt8]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = "\(folder.path)/\(path)"
      if !FileSystem.isDirectory(file) { files[path] = try FileSystem.read(file) }
    }
    return files
  }

  private func writeModels() throws {
    let network = SyntheticNetwork(
      input: [1, 8, 8, 3], type: .uint8, [("embedding", .linear([1, 3], [3, 0, -4]))])
    try FileSystem.write(network.bytes(), to: embedder)
    let map = SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8,
      [("map", .softmax([1, 8, 8, 2], (0..<128).map { Float($0 % 5) }))])
    try FileSystem.write(map.bytes(), to: segmenter)
    let pose = SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8,
      [("pose", .linear([1, 1, 17, 3], (0..<51).map { Float($0) / 60 }))])
    try FileSystem.write(pose.bytes(), to: poseModel)
    try FileSystem.write(Self.rectifier.bytes(), to: provable)
  }

  private func writeInputs() throws {
    let lines = (1...30).map { "\($0),-1,\(10 + 3 * $0),20,40,80,0.9" }
    try FileSystem.write(Array(lines.joined(separator: "\n").utf8), to: detections)
    let time = #"{"model": "a", "threads": 1, "invoke_ms": {"median": 2}}"#
    try FileSystem.write(Array(time.utf8), to: times)
    try FileSystem.write(Array("\(Self.picture)\n/nowhere.png\n".utf8), to: requests)
    let names = ["Fashion good", "Home good", "Food", "Place", "Plant", "Unknown"]
    let categories = names.enumerated().map { #"{"id": \#($0), "name": "\#($1)"}"# }
    let annotations = """
      {"images": [{"id": 1, "file_name": "balloon.jpg"}], \
      "categories": [\(categories.joined(separator: ", "))], \
      "annotations": [{"image_id": 1, "category_id": 5, "bbox": [10, 10, 90, 90]}]}
      """
    try FileSystem.write(Array(annotations.utf8), to: truth)
    try FileSystem.write(Array("\(Self.picture),leaf\n".utf8), to: classes)
    let pixels = [UInt8](repeating: 7, count: 8 * 8 * 3)
    try FileSystem.write(
      NPYArray(element: .uint8, shape: [1, 8, 8, 3], bytes: pixels).file, to: shown)
  }

  /// Writes what other commands print and record.
  private func writeResults() throws {
    let objects = ProgramRun(["detect", Self.picture, "--threshold", "0.05", "--json"])
    try FileSystem.write(Array(objects.output.utf8), to: found)
    let profile = ProgramRun(["profile", Self.labeler, "--runs", "1", "--no-limits", "--json"])
    try FileSystem.write(Array(profile.output.utf8), to: baseline)
    _ = ProgramRun(["receipt", Self.labeler, "--output", receipt])
    let answers = ProgramRun(["worker", "label", "--requests", requests, "--receipt"])
    try FileSystem.write(Array(answers.output.utf8), to: results)
    _ = ProgramRun(["run", embedder, "--input", shown, "--output", answered])
    _ = ProgramRun(["label", Self.picture, "--record", record])
    _ = ProgramRun(["label", Self.picture, "--resume", shards, "--threshold", "0.1"])
    _ = ProgramRun(["merge", shards, "--prove", Self.picture, "--proof", proof])
  }

  /// A model whose nodes can be proved.
  private static var rectifier: ModelWriter {
    let code = OperatorCodeRecord(
      builtinCode: BuiltinOperator.code(named: "RELU") ?? BuiltinOperator.custom, version: 2)
    let scale = QuantizationRecord(scales: [0.5], zeroPoints: [0])
    return .singleOperator(
      code, reading: [.init("x", .int8, [1, 4], quantization: scale)],
      writing: [.init("y", .int8, [1, 4], quantization: scale)])
  }

  /// Arguments with which each command prints results; with `--json`, valid JSON.
  var printing: [String: [[String]]] {
    [
      "detect": [
        [Self.picture], [Self.picture, "--json"], [Self.picture, "--jsonl", "--explain"],
        [Self.picture, "--json", "--ledger", "--occlusion", "1"],
        [Self.picture, "-m", Self.floatDetector, "--threshold", "0.05", "--json", "--bounds"],
        [Self.picture, "--threshold", "0.05", "--jsonl", "--bounds"],
      ],
      "label": [
        [Self.picture], [Self.picture, "--json", "--explain"], [Self.picture, "--csv"],
        [Self.picture, "--jsonl"],
      ],
      "embed": [
        [Self.picture, "-m", embedder, "--json"], [Self.picture, "-m", embedder],
        [Self.picture, "-m", embedder, "--jsonl", "--explain"],
      ],
      "segment": [
        [Self.picture, "-m", segmenter, "--json"], [Self.picture, "-m", segmenter],
        [Self.picture, "-m", segmenter, "--jsonl"],
      ],
      "pose": [
        [Self.picture, "-m", poseModel, "--json"], [Self.picture, "-m", poseModel],
        [Self.picture, "-m", poseModel, "--jsonl"],
      ],
      "track": [
        [Self.clip, "--json"], [Self.clip, "--jsonl"], [Self.clip, "--annotate", "-"],
        ["--from", detections, "--fps", "25", "--mot", "-"],
        ["--from", detections, "--fps", "25", "--json", "--line", "50,0,50,200"],
        ["--from", detections, "--fps", "25"],
      ],
      "evaluate": [
        [found, "--annotations", truth, "--json"], [found, "--annotations", truth],
        [Self.labeler, "--annotations", classes, "--json"],
        [Self.labeler, "--annotations", classes],
      ],
      "worker": [
        ["detect", "--requests", requests, "--receipt"], ["label", "--requests", requests],
        ["run", "--requests", requests, "-m", Self.labeler],
        ["evaluate", "--requests", requests, "--annotations", truth],
        ["evaluate", "--requests", requests, "--annotations", classes],
      ],
      "merge": [[results], [results, "--json"]],
      "image": [[Self.picture, "--json"], [Self.picture, "--info"], [Self.picture, "-o", "-"]],
      "inspect": [
        [Self.detector], [Self.detector, "--json", "--plan", "--ops", "--tensors"],
      ],
      "run": [[Self.detector], [Self.labeler, "--json"]],
      "verify": [
        [Self.root + "/Tests/Conformance/cases.tar.gz", "--filter", "ABS", "--json"],
        [Self.root + "/Tests/Conformance/cases.tar.gz", "--filter", "ABS"],
      ],
      "profile": [
        [Self.detector, "--runs", "2"], [Self.detector, "--runs", "2", "--csv", "--threads", "2"],
        [Self.detector, "--runs", "2", "--json"],
        [Self.labeler, "--runs", "1", "--json", "--no-limits", "--by", "layer"],
        [Self.labeler + "@reference", "--runs", "1", "--processes", "2", "--json"],
        [Self.labeler, "--runs", "1", "--baseline", baseline, "--json"],
        [Self.labeler, "--runs", "1", "--baseline", baseline],
      ],
      "bench": [
        [Self.detector, "--runs", "2"], [Self.detector, "--runs", "2", "--json", "--profile"],
        [Self.labeler, Self.labeler + "@reference", "--runs", "1"],
        [Self.labeler, "--threads", "1,2", "--runs", "1", "--json"],
        ["compare", Self.labeler, "@baseline", "--runs", "1", "--rounds", "2"],
        ["compare", Self.labeler, Self.detector, "--runs", "1", "--rounds", "2", "--json"],
        ["compare", Self.labeler, "--threads", "1,2", "--runs", "1", "--rounds", "2", "--json"],
      ],
      "kernel": [
        ["list"], ["list", Self.labeler, "--json"], ["list", Self.labeler],
        ["bench", "--from", Self.labeler + "#3", "--json"],
        ["bench", "RELU6", "--shape", "1x8x8x3", "--no-limits"],
        ["extract", Self.labeler + "#3", "-o", folder.path + "/nodes", "--json"],
      ],
      "compare": [[times, times], [times, times, "--json"]],
      "models": [
        ["list"], ["list", "--json"], ["list", "--from", Self.models, "--json"],
        ["info", "coco-ssd-mobilenet-v1", "--json"], ["serve-manifest", folder.path, "--force"],
        ["serve-manifest", folder.path, "--force", "--json"],
        ["pull", "scenes-detector", "--from", Self.models, "--json"], ["verify", "--json"],
        ["default", "--json"],
        ["info", "scenes-detector", "--json"], ["path", "scenes-detector", "--json"],
      ],
      "operators": [[], ["--json"]],
      "cpu": [[], ["--json"]],
      "fuzz": [
        [Self.detector, "--mutants", "20"], [Self.detector, "--mutants", "20", "--json"],
        [Self.detector, "--replay", "3", "--json"],
      ],
      "trace": [[Self.labeler], [Self.labeler, "--json"]],
      "diff": [
        [Self.labeler + "@fast", Self.labeler + "@reference"],
        [Self.labeler + "@fast", Self.labeler + "@reference", "--json"],
        [Self.floatDetector, "@reference", "--json"],
        [Self.floatDetector, Self.detector, "--min-sqnr", "20", "--json"],
        [Self.floatDetector, Self.detector, "--no-run", "--json"],
        [Self.floatDetector, Self.detector, "--no-run"],
      ],
      "receipt": [
        [Self.labeler], ["check", receipt, Self.labeler, "--json"],
        ["check", receipt, Self.labeler], ["check", record, "--json"],
        ["check", proof, String(repeating: "0", count: 64), "--json"],
      ],
      "identify": [
        [embedder, "--input", shown, "--output", answered + "/0-embedding.npy"],
        [embedder, "--input", shown, "--output", answered + "/0-embedding.npy", "--json"],
      ],
      "arbitrate": [
        [receipt, receipt, Self.labeler], [receipt, receipt, Self.labeler, "--json"],
      ],
      "reduce": [
        [Self.labeler, "--keep-failing", "false", "-o", reduced],
        [Self.labeler, "--keep-failing", "false", "-o", reduced, "--json"],
      ],
      "prove": [[provable], [provable, "--json"]],
      "bound": [[provable], [segmenter, "--through", "--json"]],
      "hunt": [
        ["--against", "reference", "-o", hunted, "--graphs", "2"],
        ["--against", "reference", "-o", hunted, "--graphs", "2", "--json"],
      ],
      "audit": [[Self.labeler, Self.picture, "--json"]],
      "help": [[], ["detect"], ["--man"]],
      "completion": [["bash"]],
    ]
  }

  /// Arguments with which a command reports an error in JSON.
  func failing(_ command: String) -> [[String]] {
    switch command {
    case "detect", "label":
      [
        ["/nowhere.png", Self.picture, "--json"], ["/nowhere.png", "--jsonl"],
        [Self.picture, "-m", Self.clip, "--json", "--explain"],
        [Self.picture, "-m", embedder, "--jsonl", "--explain"],
      ]
    case "embed": [["/nowhere.png", "-m", embedder, "--json"]]
    default: []
    }
  }

  /// Arguments of each command and option with which it writes `target`.
  func writing(_ target: String) -> [String: [String]] {
    let task = [Self.picture, "--dump-input", target]
    return [
      "detect --annotate": [Self.picture, "--annotate", target],
      "detect --dump-input": task,
      "detect --record": [Self.picture, "--record", target],
      "label --dump-input": task,
      "label --record": [Self.picture, "--record", target],
      "track --record": [Self.clip, "--record", target],
      "embed --dump-input": task + ["-m", embedder],
      "segment --annotate": [Self.picture, "-m", segmenter, "--annotate", target],
      "segment --mask": [Self.picture, "-m", segmenter, "--mask", target],
      "segment --dump-input": task + ["-m", segmenter],
      "pose --annotate": [Self.picture, "-m", poseModel, "--annotate", target],
      "pose --dump-input": task + ["-m", poseModel],
      "track --annotate": [Self.clip, "--annotate", target],
      "track --mot": [Self.clip, "--mot", target],
      "evaluate --curves": [found, "--annotations", truth, "--curves", target],
      "detect --resume": [Self.picture, "--resume", target],
      "label --resume": [Self.picture, "--resume", target],
      "embed --resume": [Self.picture, "-m", embedder, "--resume", target],
      "segment --resume": [Self.picture, "-m", segmenter, "--resume", target],
      "pose --resume": [Self.picture, "-m", poseModel, "--resume", target],
      "merge --output": [results, "--output", target],
      "merge --proof": [results, "--prove", "1", "--proof", target],
      "worker --metrics": ["label", "--requests", requests, "--metrics", target],
      "image --output": [Self.picture, "--output", target],
      "run --output": [Self.labeler, "--output", target],
      "trace --output": [Self.labeler, "--output", target],
      "receipt --output": [Self.labeler, "--output", target],
      "receipt --keep": [Self.labeler, "--keep", target],
      "audit --output": [Self.labeler, Self.picture, "--output", target],
      "kernel --output": ["extract", Self.labeler + "#3", "--output", target],
      "profile --trace": [Self.labeler, "--runs", "1", "--no-limits", "--trace", target],
      "profile --node-data": [
        Self.labeler, "--runs", "1", "--no-limits", "--node-data", target,
      ],
      "profile --html": [Self.labeler, "--runs", "1", "--no-limits", "--html", target],
      "prove --output": [provable, "--output", target],
      "bound --output": [segmenter, "--output", target],
      "hunt --output": ["--against", "reference", "--graphs", "1", "--output", target],
      "reduce --output": [Self.labeler, "--keep-failing", "false", "--output", target],
      "fuzz --output": [Self.detector, "--replay", "3", "--output", target],
    ]
  }

  /// Returns the file name for an option; its extension decides what is written.
  static func fileName(_ option: String) -> String {
    switch option {
    case "track --annotate": "file.y4m"
    case "run --output", "kernel --output", "receipt --keep", "detect --record", "label --record",
      "track --record", "hunt --output":
      "folder"
    case let option where option.hasSuffix("--resume"): "folder"
    case "trace --output", "bound --output": "file.npz"
    case "detect --annotate", "segment --annotate", "segment --mask", "pose --annotate",
      "image --output":
      "file.png"
    default: "file.npy"
    }
  }

  /// All options that name an output file or folder, as `command --option`.
  static var writingOptions: [(name: String, isFolder: Bool)] {
    Program.commands.flatMap { command in
      command.definition.options.compactMap { option in
        let name = "\(command.definition.name) --\(option.name)"
        return switch option.accepted {
        case .newFile: (name, false)
        case .newFolder: (name, true)
        default: nil
        }
      }
    }
  }
}
