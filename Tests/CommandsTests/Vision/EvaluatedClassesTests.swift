import Foundation
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Which class of a model is which class of the annotations.
///
/// The detector finds a cat (class 1) in the upper left quarter and a dog (class 0) in the lower
/// right; its class 2 are birds. It has no names, and no order of names tells which class is which.
@Suite struct EvaluatedClassesTests {
  private let folder: TemporaryDirectory
  private let detector: String

  init() throws {
    folder = try TemporaryDirectory()
    detector = folder.path + "/detector.tflite"
    try FileSystem.write(SyntheticDetector.writer().bytes(), to: detector)
    try FileSystem.write(FileSystem.read(CommandSamples.picture), to: folder.path + "/1.jpg")
  }

  private func write(_ text: String, to name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try FileSystem.createDirectory(path.parentPath)
    try FileSystem.write(Array(text.utf8), to: path)
    return path
  }

  private func size() throws -> (width: Int, height: Int) {
    let run = ProgramRun("image", folder.path + "/1.jpg", "--info", "--json")
    let object = try #require(try JSONParser.parse(Array(run.output.utf8)).object, "\(run.errors)")
    return (try #require(object["width"]?.integer), try #require(object["height"]?.integer))
  }

  /// Annotations in COCO's format, with names by their ids.
  private func coco(_ categories: [(id: Int, name: String)], cat: Int, dog: Int) throws -> String {
    let (width, height) = try size()
    let (x, y) = (width / 2, height / 2)
    let names = categories.map { #"{"id": \#($0.id), "name": "\#($0.name)"}"# }
    return try write(
      """
      {"images": [{"id": 1, "file_name": "1.jpg"}], "categories": [\(names.joined(separator: ", "))],
      "annotations": [
        {"image_id": 1, "category_id": \(cat), "bbox": [0, 0, \(x), \(y)]},
        {"image_id": 1, "category_id": \(dog), "bbox": [\(x), \(y), \(x), \(y)]}]}
      """, to: "truth.json")
  }

  private func usual() throws -> String {
    try coco([(1, "bird"), (2, "cat"), (3, "dog")], cat: 2, dog: 3)
  }

  /// Annotations in YOLO's format: the cat is class 1, the dog class 0.
  private func yolo(_ cat: Int, _ dog: Int, names: String? = nil) throws -> String {
    let set = names == nil ? "numbers" : "names"
    _ = try write("\(cat) 0.25 0.25 0.5 0.5\n\(dog) 0.75 0.75 0.5 0.5\n", to: "\(set)/1.txt")
    if let names { _ = try write(names, to: "\(set)/data.yaml") }
    return "\(folder.path)/\(set)"
  }

  private func evaluated(
    _ operand: String, _ annotations: String, _ options: String...
  ) throws -> JSONObject {
    let run = ProgramRun(
      ["evaluate", operand, "--annotations", annotations, "--images", folder.path, "--json"]
        + options)
    #expect(run.code == 0, "\(run.errors)")
    return try #require(try JSONParser.parse(Array(run.output.utf8)).object)
  }

  /// The precision, without the rounding of a mean of 101 numbers.
  private func map50(_ result: JSONObject) -> Double? {
    result["measures"]?.object?["map_50"]?.number.map { ($0 * 1e6).rounded() / 1e6 }
  }

  private func refusal(
    _ operand: String, _ annotations: String, _ options: String...
  ) -> String {
    let run = ProgramRun(
      ["evaluate", operand, "--annotations", annotations, "--images", folder.path] + options)
    #expect(run.code == 1 && run.output.isEmpty, "\(run.output)")
    return run.errors
  }

  // MARK: - Detectors

  /// Without names, positions would give 0 for a model that is right; with them, it is 1.
  @Test func numbersAreNotPositions() throws {
    let refusal = refusal(detector, try usual())
    #expect(refusal.contains("--labels") && refusal.contains("3 classes"), "\(refusal)")
    #expect(refusal.contains("'bird', 'cat', 'dog'"))
    let labels = try write("dog\ncat\nbird\n", to: "model.txt")
    let result = try evaluated(detector, usual(), "--labels", labels)
    #expect(map50(result) == 1 && result["classes_matched_by"] == "name")
  }

  /// Gaps in the ids, and names written otherwise, change nothing.
  @Test func namesAreMatchedWithoutTheirWriting() throws {
    let truth = try coco([(7, "Hot_dog "), (40, "black  CAT"), (90, "Bird")], cat: 40, dog: 7)
    for text in ["hot dog\nBlack-cat\nbird\n", "background\nhot dog\nblack cat\nbird\n"] {
      #expect(try map50(evaluated(detector, truth, "--labels", write(text, to: "l.txt"))) == 1)
    }
    // The annotations themselves are a list of names if their ids are the model's numbers.
    let numbered = try coco([(0, "dog"), (1, "cat"), (2, "bird")], cat: 1, dog: 0)
    #expect(try map50(evaluated(detector, numbered, "--labels", numbered)) == 1)
  }

  @Test(arguments: ["dog\ncat\n", "dog\ncat\nbird\nfish\n"])
  func listsOfOtherLengthsAreRefused(text: String) throws {
    let refusal = refusal(detector, try usual(), "--labels", try write(text, to: "l.txt"))
    #expect(refusal.contains("has 3 classes, but there are"), "\(refusal)")
  }

  @Test func modelsOfOtherThingsAreRefused() throws {
    let strange = try write("sofa\nchair\ntable\n", to: "l.txt")
    let refusal = refusal(detector, try usual(), "--labels", strange)
    #expect(refusal.contains("'sofa', 'chair', 'table'") && refusal.contains("'bird', 'cat'"))
    let partly = try write("wolf\ncat\nbird\n", to: "l.txt")
    let run = ProgramRun(
      "evaluate", detector, "--annotations", try usual(), "--images", folder.path, "--labels",
      partly)
    #expect(run.code == 0)
    #expect(
      run.errors.contains("no class called 'dog': all annotations of such classes (1)"),
      "\(run.errors)")
  }

  @Test func yoloNumbersAreNumbers() throws {
    // Classes 0 and 1 of a model with three: perhaps, but nothing says so.
    #expect(refusal(detector, try yolo(1, 0)).contains("numbers up to 1"))
    _ = try write("2 0.5 0.5 0.1 0.1\n", to: "numbers/2.txt")
    try FileSystem.write(FileSystem.read(CommandSamples.picture), to: folder.path + "/2.jpg")
    let result = try evaluated(detector, folder.path + "/numbers")
    #expect(result["classes_matched_by"] == "number")
    let averages = (result["classes"]?.array ?? []).map { $0.object?["map_50"]?.number ?? -1 }
    #expect(averages[0] > 0.4 && averages[1] > 0.4)
    // Results beyond the annotations' numbers are of another set of classes.
    let found = try write(
      #"{"image": "1.jpg", "labels": [], "detections": [{"box": {"left": 0, "top": 0, "right": 9, "#
        + #""bottom": 9}, "score": 0.9, "categories": [{"index": 79, "label": null}]}]}"#,
      to: "found.json")
    #expect(refusal(found, folder.path + "/numbers").contains("class 79 was found"))
    // A model with names, and annotations without.
    let labels = try write("dog\ncat\nbird\n", to: "model.txt")
    #expect(
      refusal(detector, folder.path + "/numbers", "--labels", labels).contains("data.yaml"))
  }

  @Test func yoloNamesAreNames() throws {
    let set = try yolo(1, 0, names: "names: [dog, cat, bird]\n")
    #expect(refusal(detector, set).contains("--labels"))
    #expect(try map50(evaluated(detector, set, "--labels", set + "/data.yaml")) == 1)
  }

  /// Where both have one class there is nothing to confuse.
  @Test func oneClassIsThatOne() throws {
    let (width, height) = try size()
    let truth = try write(
      """
      {"images": [{"id": 1, "file_name": "1.jpg"}], "categories": [{"id": 5, "name": "face"}],
      "annotations": [{"image_id": 1, "category_id": 5, "bbox": [0, 0, \(width / 2), \(height / 2)]}]}
      """, to: "truth.json")
    #expect(refusal(detector, truth).contains("3 classes without names"))
    let found = try write(
      """
      {"image": "1.jpg", "detections": [{"box": {"left": 0, "top": 0, "right": \(width / 2), \
      "bottom": \(height / 2)}, "score": 0.9, "categories": [{"index": 0, "label": null}]}]}
      """, to: "found.json")
    #expect(try map50(evaluated(found, truth)) == 1)
  }

  // MARK: - Results

  @Test func resultsWithoutNamesAreRefused() throws {
    let found = try write(
      ProgramRun("detect", folder.path + "/1.jpg", "-m", detector, "--json").output,
      to: "found.json")
    #expect(refusal(found, try usual()).contains("--labels"))
    let labels = try write("dog\ncat\nbird\n", to: "model.txt")
    #expect(try map50(evaluated(found, usual(), "--labels", labels)) == 1)
  }

  /// A class without a name, in results that have names, is no class of the annotations.
  @Test func namelessClassesAreNobodys() throws {
    let labels = try write("???\ncat\nbird\n", to: "model.txt")
    let found = try write(
      ProgramRun(
        "detect", folder.path + "/1.jpg", "-m", detector, "--json", "--labels", labels
      ).output, to: "found.json")
    let truth = try coco([(1, "dog"), (2, "cat")], cat: 2, dog: 1)
    // Class 0 has the position of the dog; only the cat has been named.
    #expect(try map50(evaluated(found, truth)) == 0.5)
  }

  /// The ids of COCO's lists are those of COCO's annotations; PASCAL VOC has names only.
  @Test func listsOfCOCONeedNumbers() throws {
    let (width, height) = try size()
    let list = try write(
      #"[{"image_id": 1, "category_id": 2, "score": 0.9, "bbox": [0, 0, \#(width / 2), \#(height / 2)]}]"#,
      to: "list.json")
    let result = try evaluated(list, usual())
    #expect(result["classes_matched_by"] == "number" && map50(result) == 0.5)
    _ = try write(
      """
      <annotation><filename>1.jpg</filename><object><name>cat</name><bndbox><xmin>1</xmin>\
      <ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>
      """, to: "voc/1.xml")
    #expect(refusal(list, folder.path + "/voc").contains("numbers the classes"))
    #expect(refusal(detector, folder.path + "/voc").contains("--labels"))
  }

  @Test func namesThatAreThereTwiceAreNobodys() throws {
    let truth = try coco([(1, "cat"), (2, "cat"), (3, "dog")], cat: 1, dog: 3)
    let labels = try write("dog\ncat\nbird\n", to: "model.txt")
    let run = ProgramRun(
      "evaluate", detector, "--annotations", truth, "--images", folder.path, "--labels", labels)
    #expect(
      run.code == 0 && run.errors.contains("several classes of the annotations are called 'cat'"))
  }

  @Test func workersRefuseToo() throws {
    let requests = try write(folder.path + "/1.jpg\n", to: "requests.txt")
    let run = ProgramRun(
      "worker", "evaluate", "-m", detector, "--requests", requests, "--annotations", try usual())
    #expect(run.code == 1 && run.errors.contains("--labels") && run.output.isEmpty)
  }

  /// Answers with names that the annotations lack are wrong answers, and no reason to refuse.
  @Test func answersOfOtherNamesAreWrong() throws {
    let names = try write("fox\nwolf\nbear\n", to: "names.txt")
    let found = ProgramRun(
      "detect", folder.path + "/1.jpg", "-m", detector, "--labels", names, "--jsonl")
    let results = try write(found.output, to: "results.jsonl")
    let run = ProgramRun("evaluate", results, "--annotations", try usual(), "--json")
    #expect(run.code == 0, "\(run.errors)")
    let result = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(result["measures"]?.object?["map_50"]?.number == 0)
    #expect(run.errors.contains("answers are of classes that the annotations do not have"))
  }

  // MARK: - Labelers

  /// Folders named by numbers are these classes, in the order of numbers: 10 comes after 2.
  @Test func foldersOfNumbersAreNumbers() throws {
    let scores = (0..<11).map { Float($0 == 2 ? 5 : 0) }
    let network = SyntheticNetwork(
      input: [1, 8, 8, 3], type: .uint8, [("scores", .softmax([1, 11], scores))])
    let labeler = folder.path + "/labeler.tflite"
    try FileSystem.write(network.bytes(), to: labeler)
    let picture = try FileSystem.read(CommandSamples.picture)
    for number in 0..<11 {
      let class_ = "\(folder.path)/classes/\(number)"
      try FileSystem.createDirectory(class_)
      try FileSystem.write(picture, to: "\(class_)/\(number).jpg")
    }
    let result = try evaluated(labeler, folder.path + "/classes")
    #expect(result["classes_matched_by"] == "number")
    let right = (result["classes"]?.array ?? []).compactMap(\.object)
      .filter { $0["top_1"]?.number == 1 }
    #expect(right.map { $0["label"] } == ["2"])
    // Eleven classes without names are not those of two named folders.
    for name in ["cat", "dog"] {
      try FileSystem.createDirectory("\(folder.path)/named/\(name)")
      try FileSystem.write(picture, to: "\(folder.path)/named/\(name)/1.jpg")
    }
    #expect(refusal(labeler, folder.path + "/named").contains("11 classes without names"))
  }

  /// A public model with 80 classes and no names, as it is delivered.
  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func publicModelsAreNotMatchedByPosition() throws {
    let model = SharedFiles.folder.path + "/zoo/more/yolov5n_axis_int8.tflite"
    let run = ProgramRun(
      "evaluate", model, "--annotations", try usual(), "--images", folder.path, "--json")
    let result = try? JSONParser.parse(Array(run.output.utf8)).object
    // COCO's names by number may be known; then this picture has none of these animals.
    let isRefused =
      run.code == 1
      && (run.errors.contains("--labels") || run.errors.contains("no answer is of a class"))
    #expect(isRefused || result?["classes_matched_by"] == "name", "\(run.errors)")
  }
}
