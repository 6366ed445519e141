import Foundation
import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct LabelsTests {
  @Test func lineByLine() {
    let labels = Labels(parsing: "person\nbicycle\n???\ncar\n")
    #expect(labels.names == ["person", "bicycle", nil, "car"])
    #expect(labels[3] == "car")
    #expect(labels[4] == nil)
    #expect(labels[-1] == nil)
    #expect(labels[.max] == nil)
  }

  @Test func marksAndLineEndsOfWindows() {
    #expect(Labels(parsing: "\u{FEFF}a\r\nb c\r\n\r\n").names == ["a", "b c"])
  }

  /// In a text with line feeds, no other line break of Unicode ends a line: 300 lines give 300
  /// names.
  @Test(arguments: ["\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "\u{C}", "\u{1C}"])
  func nothingElseEndsALine(mark: String) throws {
    let lines = (0..<300).map { "a\(mark)b\(mark)\($0)" }
    for end in ["\n", "\r\n"] {
      let text = lines.joined(separator: end) + end
      #expect(Labels(parsing: text).names == lines)
      for file in ["a.txt", "a.csv"] {
        #expect(try Labels(parsing: text, fileName: file).names == lines, "\(file)")
      }
      let list = "names:\n" + lines.map { "- \($0)" }.joined(separator: end) + end
      #expect(try Labels(parsing: list, fileName: "a.yaml").names == lines)
    }
  }

  @Test func filesOfOldMacs() throws {
    #expect(Labels(parsing: "a\rb c\r\rd\r").names == ["a", "b c", nil, "d"])
    #expect(try Labels(parsing: "id,name\r0,a\r1,b\r", fileName: "a.csv").names == ["a", "b"])
    #expect(try Labels(parsing: "names:\r- a\r- b\r", fileName: "a.yaml").names == ["a", "b"])
  }

  @Test func blankLinesInBetweenKeepTheirPlace() {
    #expect(Labels(parsing: "a\n\nn/a\nb\n\n\n").names == ["a", nil, nil, "b"])
  }

  @Test(arguments: ["0 cat\n2 dog\n", "0: cat\n2: dog", "2\tdog\n0\tcat"])
  func numberedLines(text: String) {
    #expect(Labels(parsing: text).names == ["cat", nil, "dog"])
  }

  @Test func numbersThatAreNamesStayNames() {
    #expect(Labels(parsing: "3 cats\n3 dogs").names == ["3 cats", "3 dogs"])
    #expect(Labels(parsing: "99999999999999999999 x\n").names == ["99999999999999999999 x"])
  }

  @Test func offsetSkipsTheBackground() {
    let labels = Labels(["background", "cat"], offset: 1)
    #expect(labels[0] == "cat")
    #expect(labels.beginsWithBackground)
    #expect(Labels(parsing: "").count == 0)
  }

  @Test func aMissingFileIsAnError() {
    #expect(throws: VisionError.self) { try Labels(contentsOf: "/nonexistent/labels.txt") }
  }
}

/// Labels in the files that people have.
@Suite struct LabelFileTests {
  private func names(_ text: String, _ file: String) throws -> [String?] {
    try Labels(parsing: text, fileName: file).names
  }

  @Test func labelMapsOfTensorFlow() throws {
    let text = """
      # COCO
      item {
        name: "/m/01g317"
        id: 1
        display_name: "person"
      }
      item { id: 3, name: 'traffic\\'s light' keypoints { id: 1 label: "nose" } }
      """
    #expect(try names(text, "labelmap.pbtxt") == [nil, "person", nil, "traffic's light"])
    #expect(try names(text, "labels.txt") == [nil, "person", nil, "traffic's light"])
    #expect(throws: VisionError.self) { try names("item { id: }", "x.pbtxt") }
    #expect(throws: VisionError.self) { try names("item { id: 1 name: 'a' ", "x.pbtxt") }
    #expect(throws: VisionError.self) { try names("item { id: 99999999 name: 'a' }", "x.pbtxt") }
  }

  @Test(arguments: [
    #"["cat", null, "dog"]"#, #"{"0": "cat", "2": "dog"}"#, #"{"names": {"2": "dog", "0": "cat"}}"#,
    #"{"id2label": {"0": "cat", "2": "dog"}, "label2id": {"cat": 0}}"#, #"{"cat": 0, "dog": 2}"#,
    #"{"categories": [{"id": 2, "name": "dog"}, {"id": 0, "name": "cat"}]}"#,
    #"{"0": ["n02123045", "cat"], "2": ["n02085620", "dog"]}"#,
  ])
  func json(text: String) throws {
    #expect(try names(text, "labels.json") == ["cat", nil, "dog"])
  }

  @Test(arguments: [
    "names:\n  0: cat\n  2: dog\n", "names: {0: cat, 2: 'dog'}\n",
    "path: ../coco # here\nnc: 2\nnames:\n  0: cat  # a cat\n  2: \"dog\"\n\ndownload: x",
    "0: cat\n2: dog\n",
  ])
  func yaml(text: String) throws {
    #expect(try names(text, "data.yaml") == ["cat", nil, "dog"])
  }

  @Test(arguments: [
    "names: ['cat', \"hot, dog\"]", "names:\n- cat\n- hot, dog\n", "- cat\n- 'hot, dog'\n",
    "nc: 2\nnames: [ 'cat',\n  'hot, dog' ]\n",
  ])
  func yamlLists(text: String) throws {
    #expect(try names(text, "data.yml") == ["cat", "hot, dog"])
  }

  @Test(arguments: [
    "index,mid,display_name\n0,/m/1,cat\n2,/m/2,\"hot, dog\"\n",
    "0,cat\n2,\"hot, dog\"\n", "id;name\r\n2;hot, dog\r\n0;cat\r\n",
    "name\tid\ncat\t0\nhot, dog\t2",
  ])
  func tables(text: String) throws {
    #expect(try names(text, "class_map.csv") == ["cat", nil, "hot, dog"])
  }

  /// The format of a file with an unknown name is recognized from its first characters after
  /// comments.
  @Test(arguments: [
    "# a\n\n  # item\nitem{ id: 0 name: 'x' }", "\u{FEFF}item\n{ id: 0 name: 'x' }", " [ \"x\" ]",
    "{\n\"x\": 0}", "\u{FEFF}names: [x]", "names:\n- x", "x",
  ])
  func formsAreTold(text: String) throws {
    #expect(try names(text, "labels") == ["x"])
  }

  @Test(arguments: ["# item {", "items {", "names:x", "[x]", "{x}", "# # # x"])
  func formsAreNotTakenForOthers(text: String) throws {
    #expect(try names(text, "labels") == [text])
  }

  /// A line that makes a backtracking regular expression for comments run for ever.
  @Test func manyCommentsTakeNoTime() throws {
    let line = String(repeating: "# ", count: 40) + "x"
    #expect(try names(line + "\n", "labels.txt") == [line])
    #expect(try names("#\n" + line, "labels.txt") == ["#", line])
  }

  @Test func bytesAsPythonPrintsThem() {
    #expect(Labels(parsing: "b'Cheese'\nb\"it's\"\nb'x\n").names == ["Cheese", "it's", "b'x"])
    #expect(Labels(parsing: "b''\nb'\nb\"x'\n").names == [nil, "b'", "b\"x'"])
  }

  @Test func whatIsNoTextIsAnError() throws {
    let folder = try TemporaryDirectory()
    for bytes: [UInt8] in [[0x89, 0x50, 0, 1], [0xFF, 0xFE, 0x41, 0], [0x41, 0xE9, 0x0A]] {
      let path = folder.path + "/labels.txt"
      try Data(bytes).write(to: URL(filePath: path))
      let error = #expect(throws: VisionError.self) { try Labels(contentsOf: path) }
      #expect(error?.description.contains(path) == true)
    }
    #expect(throws: VisionError.self) { try names("", "labels.txt") }
    #expect(throws: VisionError.self) { try names("[1, 2]", "labels.json") }
    #expect(throws: VisionError.self) { try names("{", "labels.json") }
  }

  /// Damaged label files give names or an error; they never trap.
  @Test func damagedFilesNeverTrap() throws {
    var generator = SeededGenerator(seed: 5)
    let texts = [
      "item { id: 1 name: \"a\" }", "names: {0: 'a', 1: b}", "names:\n - a\n",
      "[\"a\", {\"id\": 1}]",
      "id,name\n1,\"a\n", "{\"names\": [1]}",
    ]
    for _ in 0..<3000 {
      var bytes = Array((texts.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 9...126, using: &generator)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for name in ["a.txt", "a.json", "a.pbtxt", "a.yaml", "a.csv"] {
        _ = try? Labels(parsing: text, fileName: name)
      }
    }
  }

  @Test(arguments: [
    "model.labels.txt", "model_labels.txt", "model.txt", "labels.txt", "labelmap.txt", "dict.txt",
    "classes.txt", "coco.names", "labelmap.pbtxt", "model.names",
  ])
  func filesBesideAModelAreFound(name: String) throws {
    let folder = try TemporaryDirectory()
    let model = folder.path + "/model.tflite"
    try Data(SyntheticLabeler.writer.bytes()).write(to: URL(filePath: model))
    let text =
      name.hasSuffix("pbtxt")
      ? "item { id: 1 name: 'x' } item { id: 2 name: 'y' } item { id: 3 name: 'z' }" : "x\ny\nz\n"
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
    let labeler = try ImageLabeler(path: model)
    #expect((0..<3).map { labeler.labels[$0] } == ["x", "y", "z"])
    // In a folder of several models, a generic name may belong to any of them.
    try Data().write(to: URL(filePath: folder.path + "/other.tflite"))
    let isItsOwn = name.hasPrefix("model")
    #expect(try ImageLabeler(path: model).labels.count == (isItsOwn ? 3 : 0))
  }

  @Test func numbersMayStartAnywhere() throws {
    let folder = try TemporaryDirectory()
    let file = folder.path + "/labels.json"
    try Data(#"{"40": "x", "41": "y", "42": "z"}"#.utf8).write(to: URL(filePath: file))
    let labeler = try ImageLabeler(
      SyntheticLabeler.model(), options: .init(labels: try Labels(contentsOf: file)))
    #expect((0..<3).map { labeler.labels[$0] } == ["x", "y", "z"])
    #expect(labeler.explanation.warnings.isEmpty)
  }
}

/// Labels that are packed with a model, in several files.
@Suite struct PackedLabelsTests {
  /// A ZIP archive by Python's `zipfile`: identifiers of three flowers, their English names, and
  /// notes.
  private static let base64 = """
    UEsDBBQAAAAAAAAAIViU4yZTGwAAABsAAAAKAAAAbGFiZWxzLnR4dC9tLzA2bV9wCi9tLzA3ajdyCi9tLzBid2QwCl\
    BLAwQUAAAAAAAAACFYdn1ISREAAAARAAAADQAAAGxhYmVsc19lbi50eHRyb3NlCnR1bGlwCmRhaXN5ClBLAwQUAAAA\
    AAAAACFYHwjqRgIAAAACAAAACQAAAG5vdGVzLnR4dHgKUEsBAhQDFAAAAAAAAAAhWJTjJlMbAAAAGwAAAAoAAAAAAA\
    AAAAAAAIABAAAAAGxhYmVscy50eHRQSwECFAMUAAAAAAAAACFYdn1ISREAAAARAAAADQAAAAAAAAAAAAAAgAFDAAAA\
    bGFiZWxzX2VuLnR4dFBLAQIUAxQAAAAAAAAAIVgfCOpGAgAAAAIAAAAJAAAAAAAAAAAAAACAAX8AAABub3Rlcy50eH\
    RQSwUGAAAAAAMAAwCqAAAAqAAAAAAA
    """

  @Test func namesForPeopleComeBeforeIdentifiers() throws {
    let archive = try #require(Data(base64Encoded: Self.base64))
    let model = try Model(bytes: SyntheticLabeler.writer.bytes() + [UInt8](archive))
    let labeler = try ImageLabeler(model)
    #expect(labeler.labels.names == ["rose", "tulip", "daisy"])
    #expect(
      labeler.explanation.entries.contains { $0.source == "labels_en.txt, packed with the model" })
  }
}
