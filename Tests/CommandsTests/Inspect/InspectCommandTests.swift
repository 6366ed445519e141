import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct InspectCommandTests {
  private static func model(_ name: String) throws -> String {
    let models = SharedFiles.paths(in: "zoo/models", withExtension: "tflite")
    return try #require(models.first { $0.hasSuffix("/\(name).tflite") })
  }

  private func json(_ arguments: String...) throws -> JSONObject {
    let run = ProgramRun(["inspect"] + arguments + ["--json"])
    #expect(run.code == 0)
    return try #require(try JSONParser.parse(Array(run.output.utf8)).object)
  }

  /// A line of the zoo's manifest, which an independent reader of the files wrote.
  struct ManifestEntry: CustomStringConvertible {
    let path: String
    let operators: [String: Int]

    var description: String { path }

    static func all() throws -> [ManifestEntry] {
      let manifests = SharedFiles.paths(in: "zoo", withExtension: "tsv")
      guard let path = manifests.first(where: { $0.hasSuffix("/MANIFEST.tsv") }) else { return [] }
      let rows = String(decoding: try FileSystem.read(path), as: UTF8.self)
        .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
      let titles = rows[0].map(String.init)
      let list = try #require(titles.firstIndex(of: "op_list"))
      let runs = try #require(titles.firstIndex(of: "runs_BUILTIN_no_delegate"))
      return rows.dropFirst().compactMap { row in
        guard row[0].hasSuffix(".tflite"), row.count > runs, row[runs] == "ok" else { return nil }
        var operators: [String: Int] = [:]
        for entry in row[list].split(separator: ",") {
          let parts = entry.split(separator: ":").map { $0.drop(while: \.isWhitespace) }
          operators[String(parts[parts.count - 2]), default: 0] += Int(parts[parts.count - 1]) ?? 0
        }
        return ManifestEntry(path: path.parentPath + "/" + row[0], operators: operators)
      }
    }
  }

  @Test(arguments: try ManifestEntry.all())
  func countsTheOperatorsOfEveryModel(entry: ManifestEntry) throws {
    var found: [String: Int] = [:]
    for usage in try #require(try json(entry.path)["operators"]?.array).compactMap(\.object) {
      found[try #require(usage["name"]?.string)] = usage["count"]?.integer
    }
    #expect(found == entry.operators)
  }

  @Test func describesADetector() throws {
    let report = try json(try Self.model("coco_ssd_mobilenet_v1_1.0_quant_2018_06_29"))
    #expect(report["bytes"] == 4_185_023)
    let input = try #require(report["inputs"]?.array?.first?.object)
    #expect(input["name"] == "normalized_input_image_tensor")
    #expect(input["type"] == "uint8")
    #expect(input["shape"] == [1, 300, 300, 3])
    let quantization = try #require(input["quantization"]?.object)
    #expect(quantization["scales"] == [.number(0.0078125)])
    #expect(quantization["zero_points"] == [128])
    #expect(report["outputs"]?.array?.count == 4)
    let weights = try #require(report["weights"]?.array).compactMap(\.object)
    // The manifest lists 4096260 bytes of uint8 and 12684 elements of int32.
    #expect(weights.map { $0["type"] } == ["uint8", "int32"])
    #expect(weights.map { $0["bytes"] } == [4_096_260, 50_736])
  }

  @Test func readsTheAuthorsWordsAndThePackedLabels() throws {
    let path = try Self.model("coco_ssd_mobilenet_v1_1.0_quant_2018_06_29")
    let metadata = try #require(try json(path)["metadata"]?.object)
    #expect(metadata["author"]?.object?["name"] == "Coco SSD MobileNetV1")
    #expect(metadata["problems"] == [])
    let file = try #require(metadata["files"]?.array?.first?.object)
    #expect(file["name"] == "labelmap.txt")
    #expect(file["bytes"] == 661)
    #expect(file["label_count"] == 90)
    let text = ProgramRun("inspect", path).output
    #expect(text.contains("input 0: image, RGB image, (x - 127.5) / 127.5"))
    #expect(text.contains("person, bicycle, car, ... (90)"))
  }

  @Test func listsNodesAndTensorsWhenAsked() throws {
    let path = try Self.model("ops/add-broadcast2.float32")
    let short = try #require(try json(path)["subgraphs"]?.array?.first?.object)
    #expect(short["nodes"] == nil)
    #expect(short["tensors"] == nil)
    let report = try json(path, "--ops", "--tensors")
    let subgraph = try #require(report["subgraphs"]?.array?.first?.object)
    #expect(subgraph["nodes"]?.array?.first?.object?["operator"] == "ADD")
    #expect(subgraph["tensors"]?.array?.count == 3)
    let text = ProgramRun("inspect", path, "--ops", "--tensors").output
    #expect(text.contains("\nNodes\n"))
    #expect(text.contains("B/read"))
  }

  @Test func showsSignatures() throws {
    let report = try json(try Self.model("toy_kv_cache_multi_signature"))
    let signatures = try #require(report["signatures"]?.array).compactMap(\.object)
    #expect(signatures.map { $0["key"] } == ["signature_1", "signature_2"])
    #expect(signatures.map { $0["subgraph"] } == [0, 1])
  }

  @Test func listsEverythingThatIsNotSupported() throws {
    // These models contain an operator of TensorFlow that no runtime without TensorFlow implements.
    let models = SharedFiles.paths(in: "zoo/models/invalid", withExtension: "tflite")
    let refused = try models.compactMap { path -> JSONObject? in
      let run = ProgramRun("inspect", path, "--json")
      guard run.code == 0 else { return nil }
      let report = try JSONParser.parse(Array(run.output.utf8)).object
      return report?["can_run"] == false ? report : nil
    }
    #expect(!refused.isEmpty)
    for report in refused { #expect(report["refusal"]?.string?.isEmpty == false) }
  }

  @Test func brokenFilesAreAFailure() throws {
    let run = ProgramRun("inspect", try Self.model("invalid/no_subgraphs"))
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("no_subgraphs.tflite: malformed"))
  }
}
