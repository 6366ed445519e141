import Foundation
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Evaluations of the package's pictures, whose ground truth is known.
@Suite struct EvaluateCommandTests {
  private let folder: TemporaryDirectory
  private static let samples = URL(filePath: CommandSamples.picture).deletingLastPathComponent()
    .path

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func write(_ text: String, to name: String) throws -> String {
    let path = folder.path + "/" + name
    try FileSystem.createDirectory(path.parentPath)
    try FileSystem.write(Array(text.utf8), to: path)
    return path
  }

  /// A sample picture and its ground truth.
  private struct Sample {
    let file: String
    let width: Double
    let height: Double
    let objects: [(category: String, left: Double, top: Double, right: Double, bottom: Double)]
  }

  private func sampleTruth() throws -> [Sample] {
    let json = try JSONParser.parse(FileSystem.read(Self.samples + "/truth.json"))
    // The order of pictures matters for equal scores: all formats use the order of names.
    return try #require(json.object?["pictures"]?.array).map { picture in
      let picture = try #require(picture.object)
      return Sample(
        file: try #require(picture["file"]?.string), width: picture["width"]?.number ?? 0,
        height: picture["height"]?.number ?? 0,
        objects: try #require(picture["objects"]?.array).map { object in
          let box = object.object?["box"]?.object
          let edges = ["left", "top", "right", "bottom"].map { box?[$0]?.number ?? .nan }
          let name = try #require(object.object?["category"]?.string)
          return (name, edges[0], edges[1], edges[2], edges[3])
        })
    }.sorted { $0.file < $1.file }
  }

  private static let categories = [
    "Fashion good", "Home good", "Food", "Place", "Plant", "Unknown",
  ]

  private func cocoTruth() throws -> String {
    var annotations: [String] = []
    var images: [String] = []
    for (number, sample) in try sampleTruth().enumerated() {
      images.append(#"{"id": \#(number), "file_name": "\#(sample.file)"}"#)
      for object in sample.objects {
        let category = try #require(Self.categories.firstIndex(of: object.category))
        annotations.append(
          """
          {"image_id": \(number), "category_id": \(category + 1), "bbox": [\(object.left), \
          \(object.top), \(object.right - object.left), \(object.bottom - object.top)]}
          """)
      }
    }
    let categories = Self.categories.enumerated().map { #"{"id": \#($0 + 1), "name": "\#($1)"}"# }
    func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }
    return try write(
      """
      {"images": \(list(images)), "annotations": \(list(annotations)), "categories": \
      \(list(categories))}
      """, to: "truth.json")
  }

  private func vocTruth() throws -> String {
    for sample in try sampleTruth() {
      let objects = sample.objects.map { object in
        """
        <object><name>\(object.category)</name><bndbox><xmin>\(object.left + 1)</xmin><ymin>\
        \(object.top + 1)</ymin><xmax>\(object.right)</xmax><ymax>\(object.bottom)</ymax></bndbox>\
        </object>
        """
      }
      _ = try write(
        "<annotation><filename>\(sample.file)</filename>\(objects.joined())</annotation>",
        to: "voc/\(sample.file).xml")
    }
    return folder.path + "/voc"
  }

  private func yoloTruth() throws -> String {
    _ = try write(Self.categories.joined(separator: "\n"), to: "yolo/classes.txt")
    for sample in try sampleTruth() {
      let lines = try sample.objects.map { object in
        let category = try #require(Self.categories.firstIndex(of: object.category))
        let (x, y) = ((object.left + object.right) / 2, (object.top + object.bottom) / 2)
        return """
          \(category) \(x / sample.width) \(y / sample.height) \
          \((object.right - object.left) / sample.width) \
          \((object.bottom - object.top) / sample.height)
          """
      }
      let stem = sample.file.split(separator: ".")[0]
      _ = try write(lines.joined(separator: "\n"), to: "yolo/\(stem).txt")
    }
    return folder.path + "/yolo"
  }

  private func result(_ arguments: String...) throws -> JSONObject { try result(arguments) }

  private func result(_ arguments: [String]) throws -> JSONObject {
    let run = ProgramRun(["evaluate"] + arguments + ["--json"])
    #expect(run.code == 0, "\(run.errors)")
    return try #require(try JSONParser.parse(Array(run.output.utf8)).object)
  }

  /// Results in every format, annotations in every format, and the model itself give equal figures.
  @Test func everyFormHasTheSameFigures() throws {
    let pictures = try sampleTruth().map { "\(Self.samples)/\($0.file)" }
    let json = try write(
      ProgramRun(["detect", "--threshold", "0.2", "--json"] + pictures).output, to: "found.json")
    let lines = try write(
      ProgramRun(["detect", "--threshold", "0.2", "--jsonl"] + pictures).output,
      to: "found.jsonl")
    let coco = try cocoTruth()
    let expected = try result(json, "--annotations", coco)
    #expect(try #require(expected["measures"]?.object?["map_50"]?.number) > 0.9)
    #expect(expected["objects"]?.integer == 24)
    let others = [
      try result(lines, "--annotations", coco),
      try result(json, "--annotations", vocTruth()),
      try result(json, "--annotations", yoloTruth(), "--images", Self.samples),
      try result(
        CommandSamples.detector, "--annotations", coco, "--images", Self.samples, "--threshold",
        "0.2"),
    ]
    let names = try #require(expected["measures"]?.object).members.map(\.name)
    for other in others {
      for name in names {
        let (ours, theirs) = (
          other["measures"]?.object?[name]?.number, expected["measures"]?.object?[name]?.number
        )
        #expect(abs((ours ?? -1) - (theirs ?? -1)) < 1e-9, "\(name)")
      }
      #expect(other["worst"] == expected["worst"])
    }
  }

  /// The answers of two workers, merged, give the model's figures, in total and for each picture.
  @Test func workersJudgeAlike() throws {
    let coco = try cocoTruth()
    var options = ["--annotations", coco, "--images", Self.samples, "--worst", "100"]
    let expected = try result([CommandSamples.detector] + options)
    options.removeLast(2)
    let pictures = try sampleTruth().map { "\(Self.samples)/\($0.file)" }
    var lines = ""
    for (number, part) in [pictures.suffix(2), pictures.dropLast(2)].enumerated() {
      let requests = try write(part.joined(separator: "\n"), to: "requests\(number)")
      let run = ProgramRun(
        ["worker", "evaluate", "-m", CommandSamples.detector, "--requests", requests] + options)
      #expect(run.code == 0, "\(run.errors)")
      lines += run.output
    }
    let all = try result(try write(lines, to: "all.jsonl"), "--annotations", coco, "--worst", "100")
    for name in ["measures", "classes", "confusion", "worst"] {
      #expect(all[name] != nil && all[name] == expected[name], "\(name)")
    }
    let worst = try #require(expected["worst"]?.array).compactMap(\.object)
    for line in lines.split(separator: "\n") {
      let answer = try #require(JSONParser.parse(Array(line.utf8)).object)
      let judgement = try #require(answer["judgement"]?.object)
      let file = try #require(answer["image"]?.string).lastPathComponent
      let mistakes = worst.first { $0["image"]?.string == file }
      for name in ["missed", "surplus", "confused"] {
        #expect(judgement[name]?.integer == mistakes?[name]?.integer ?? 0, "\(name) in \(file)")
      }
    }
  }

  @Test func picturesThatNobodyCanJudgeAreErrors() throws {
    let requests = try write("\(Self.samples)/clip.y4m", to: "requests")
    let run = ProgramRun(
      "worker", "evaluate", "--requests", requests, "--annotations", try cocoTruth())
    #expect(run.output.contains("the annotations have no picture"))
    #expect(ProgramRun("worker", "evaluate", "--requests", requests).code == 2)
  }

  @Test func curvesAreDrawn() throws {
    let path = folder.path + "/curves.svg"
    let run = ProgramRun(
      "evaluate", CommandSamples.detector, "--annotations", try cocoTruth(), "--images",
      Self.samples, "--curves", path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("mAP, overlap 0.5"))
    let svg = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    // There is a curve for each class and one for all classes.
    #expect(svg.components(separatedBy: "<polyline").count - 1 == Self.categories.count + 1)
  }

  @Test func labelersAreMeasured() throws {
    // Two pictures of the same class, one of which has another label.
    let truth = try write(
      "\(Self.samples)/balloon.jpg,one\n\(Self.samples)/tower.png,other\n", to: "truth.csv")
    let found = try write(
      """
      {"image": "\(Self.samples)/balloon.jpg", "labels": [{"index": 0, "label": "one", "score": 0.9}]}
      {"image": "tower.png", "labels": [{"index": 0, "label": "strange", "score": 0.6}, \
      {"index": 1, "label": "other", "score": 0.4}]}

      """, to: "found.jsonl")
    let found1 = try result(found, "--annotations", truth)
    #expect(found1["top_1"]?.number == 0.5)
    #expect(found1["top_5"]?.number == 1)
    #expect(found1["worst"]?.array?.first?.object?["place"]?.integer == 2)
  }

  @Test func mistakesAreExplained() throws {
    let truth = try cocoTruth()
    let cases: [(results: String, problem: String)] = [
      (#"[{"image_id": 99, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 1}]"#, "no picture 99"),
      (#"[{"image_id": 0, "category_id": 1, "bbox": [0, 0, 1], "score": 1}]"#, "result 0: bbox"),
      (#"[{"image_id": 0, "category_id": 1, "bbox": [0, 0, 1, 1], "score": NaN}]"#, "no number"),
      (#"{"image": "nowhere.jpg", "detections": []}"#, "no picture nowhere.jpg"),
      (#"{"image": "balloon.jpg", "labels": []}"#, "about something else"),
      (#"{"command": "cpu"}"#, "no results about pictures"),
      (
        #"[{"image_id": 0, "category_id": 77, "bbox": [0, 0, 1, 1], "score": 1}]"#,
        "no answer is of a class"
      ),
      (
        """
        {"image": "balloon.jpg", "detections": []}
        {"image": "x/balloon.jpg", "detections": []}
        """, "x/balloon.jpg is there twice"
      ),
      ("{\"image\": \"balloon.jpg\", \"detections\": []}\n{", "line 2"),
    ]
    for (results, problem) in cases {
      let path = try write(results, to: "found.json")
      let run = ProgramRun("evaluate", path, "--annotations", truth)
      #expect(run.code == 1)
      #expect(run.errors.contains(problem), "\(run.errors)")
    }
    #expect(ProgramRun("evaluate", CommandSamples.detector).code == 2)
  }

  /// A missing picture is reported, and its objects count as missed.
  @Test func missingPicturesAreReported() throws {
    let truth = try write(
      """
      {"images": [{"id": 1, "file_name": "nowhere.png"}], "annotations": [{"image_id": 1, \
      "category_id": 1, "bbox": [0, 0, 9, 9]}], "categories": [{"id": 1, "name": "Food"}]}
      """, to: "truth.json")
    let run = ProgramRun("evaluate", CommandSamples.detector, "--annotations", truth, "--json")
    #expect(run.code == 1)
    #expect(run.errors.contains("no picture 'nowhere.png'"))
    #expect(run.output.contains("\"failures\": 1"))
    // The numbers about the other pictures are there.
    let both = try String(decoding: FileSystem.read(truth), as: UTF8.self)
      .replacing(
        #""images": ["#, with: #""images": [{"id": 2, "file_name": "\#(CommandSamples.picture)"}, "#
      )
    let mixed = ProgramRun(
      "evaluate", CommandSamples.detector, "--annotations", try write(both, to: "both.json"),
      "--json")
    #expect(mixed.code == ExitCode.partial.rawValue, "\(mixed.errors)")
  }
}
