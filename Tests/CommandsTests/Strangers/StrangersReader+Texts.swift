import OcellusImaging
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import OcellusVision

@testable import OcellusCommands
@testable import OcellusStore

extension StrangersReader {
  /// All readers of untrusted input.
  static let all = labels + annotations + results + pictures + videos + models + texts

  /// Scalars that join their neighbours to one character, which slows readers of characters down.
  private static let marks = ["\u{301}", "\u{200D}", "\u{1F1E6}", "\u{11A8}"]

  private static func labels(
    _ ending: String, openings: [String] = [""], tokens: [String], ending end: String = ""
  ) -> StrangersReader {
    StrangersReader(
      "labels in .\(ending)", openings: openings, tokens: tokens, ending: end
    ) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = try? Labels(parsing: text, fileName: "names.\(ending)")
    }
  }

  /// Class names in all formats.
  static let labels: [StrangersReader] = [
    labels("txt", tokens: ["a", " ", "\n", "\r", "\r\n", "1", ":", "b'", "'", "\u{85}"] + marks),
    labels(
      "of no form", openings: ["", "\u{FEFF}", "# "],
      tokens: ["# ", "#\n", "item", " {", "\n", "names:", "[", "a"], ending: "x"),
    labels(
      "pbtxt", openings: ["", "item {", "item { id: 1 name: \"", "item { x {"],
      tokens: ["item {", "}", "id: 1", "name: 'a'", "\"", "\\", "# ", " ", "\n", ":"]),
    labels(
      "json", openings: ["", "[", "{\"names\": {", "["],
      tokens: [
        "[", "]", "{\"names\":", "}", "\"a\"", "\"0\": \"a\"", ",", " ", "\\u00e9", "\"\\\\",
      ]),
    labels(
      "yaml", openings: ["", "names: [", "names: {", "names:\n"],
      tokens: ["- a\n", "0: a\n", "a", "'", "\"", ",", " ", "#", "\n", "]", "names:"]),
    labels(
      "csv", openings: ["", "id,name\n"],
      tokens: ["a", "1", ",", ";", "\t", "\"", "\n", "\r", " ", "name"] + marks),
    StrangersReader(
      "what Python prints", openings: ["", "{'names': {", "["],
      tokens: ["{", "}", "[", "(", "'", "\"", "\\", "0: 'a', ", "1", " ", ","]
    ) { _ = PythonLiteral.parse(String(decoding: $0, as: UTF8.self)) },
  ]

  /// Annotations of pictures.
  static let annotations: [StrangersReader] = [
    inFolder(
      "annotations of VOC", file: "Annotations/a.xml",
      openings: ["", "<annotation>", "<annotation><object><name>"],
      tokens: [
        "<a>", "</a>", "<a/>", "<object>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&#", ";",
        "a",
        ">",
      ]),
    inFolder(
      "annotations of YOLO", file: "labels/a.txt", picture: "images/a.png",
      tokens: ["0 ", "0.5 ", "a", " ", "\n", "\r", "9"]),
    inFolder(
      "annotations in a table", file: "truth.csv", readsFile: true, openings: ["", "file,label\n"],
      tokens: ["a.png,b\n", "a", ".", ",", "\"", "\n", " ", "/"]),
    inFolder(
      "annotations of COCO", file: "truth.json", readsFile: true,
      openings: ["", #"{"categories": [], "images": ["#],
      tokens: [#"{"id": 1},"#, #"{"id": 2, "name": "a"}"#, "[", "]", "{", "}", ",", "1"]),
    inFolder(
      "anchors", file: "anchors.txt", tokens: ["1,", "2 ", "\n", "\r", "a", ","]
    ) { _ = try? AnchorSource(contentsOf: $0 + "/anchors.txt") },
    StrangersReader("score calibration", tokens: ["1,2,3\n", ",", "\n", "\r", " ", "a", "1"]) {
      _ = try? ScoreCalibration(
        parsing: String(decoding: $0, as: UTF8.self), name: "a", transformation: .identity,
        defaultScore: 0)
    },
  ]

  /// Results that programs exchange.
  static let results: [StrangersReader] = [
    StrangersReader(
      "JSON", openings: ["", "[", "{"],
      tokens: ["[", "]", "{\"a\":", "}", "\"", "\\", "\\u0041", ",", "1", "-", "e", " ", "null"]
    ) { bytes in
      let value = try? JSONParser.parse(bytes)
      _ = value?.text.printable
    },
    StrangersReader(
      "texts in JSON", tokens: ["a", "\u{1B}", "\u{202E}", "\u{7F}", "\"", "\n"] + marks
    ) { _ = JSONValue.string(String(decoding: $0, as: UTF8.self)).printableText },
    inFolder(
      "detections of MOTChallenge", file: "d.txt",
      tokens: ["1,", "1,-1,2,3,4,5,1\n", "\n", "\r", " ", "a", "9", "."]
    ) { _ = try? MOTRow.read($0 + "/d.txt") },
    inFolder(
      "results of shards", file: "r.jsonl",
      tokens: ["{}\n", "{\"image\": \"a\"}\n", "\n", "\r", "{", "["]
    ) { try? ResultList(path: $0 + "/r.jsonl").forEach { _ = try $0.leaf() } },
    inFolder(
      "times of bench", file: "b.jsonl",
      tokens: [
        "{}\n", #"{"model": "a", "threads": 1, "invoke_ms": {"median": 2}}"# + "\n", "[", "\n",
      ]
    ) { _ = try? BenchSeries.read($0 + "/b.jsonl") },
    StrangersReader(
      "requests to a worker", openings: ["", "{\"data\": \""],
      tokens: ["{", "\"a\":", "1,", "A", "=", "[", " "], ending: "\"}"
    ) { _ = WorkRequest(line: $0, number: 1) },
    answers,
    StrangersReader(
      "manifests", openings: ["", #"{"format": 1, "models": ["#],
      tokens: [
        "{\"name\":", "\"a\"", #"{"name": "a", "versions": ["#, "{}", "]", "}", ",", "[", "%41",
        "/",
      ]
    ) { _ = try? Manifest(parsing: $0, base: .folder("/tmp")) },
    StrangersReader(
      "addresses", openings: ["https://", "https://a/", "https://["],
      tokens: ["a", ".", "-", "/", "?", "#", ":", "1", "]", "..", "%41", "@"]
    ) { bytes in
      let address = try? WebAddress("https://example.org/a/b")
      let text = String(decoding: bytes, as: UTF8.self)
      _ = (try? WebAddress(text), try? address?.resolving(text))
    },
  ]

  /// Results for pictures of the same name in many folders.
  private static let answers = StrangersReader("answers about pictures", tokens: ["a", "b/"]) {
    let count = $0.count / 16
    let finder = PictureFinder(
      (0..<count).map { Annotations.Picture(name: "\($0)/a.png", identifier: "\($0)") })
    for number in 0..<count { _ = try? finder.index(ofPath: "x/\(number)/a.png") }
  }

  /// Untrusted texts on their way to a terminal.
  static let texts: [StrangersReader] = [
    StrangersReader(
      "texts for people",
      tokens: ["a", " ", "\n", "\r", "\u{1B}", "\u{202E}", "\"", ","] + marks
    ) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = HelpPage.wrapped(text, width: 74)
      _ = CSVRow([text, text], forSpreadsheets: true).description
      var table = TextTable([.left("a"), .right("b")])
      table.add([text, "1"])
      _ = table.text().shortened.printable
    },
    StrangersReader(
      "names of files", bytes: [[], [0xFF]],
      tokens: [[0x61], [0xFF], [0xC3], [0xC3, 0xA9], [0xF4, 0x8F, 0xBF, 0xBF], [0xE2, 0x82]]
    ) { bytes in
      let name = String(fileNameBytes: bytes)
      _ = (name.fileNameBytes, name.printableInLine, JSONValue.string(name).printableText)
    },
    StrangersReader(
      "tables of many rows", tokens: ["a", "\n", "\u{301}"]
    ) { bytes in
      var table = TextTable([.left("a"), .right("b")])
      for byte in bytes { table.add(["\(byte)", "b"]) }
      _ = table.text()
    },
  ]

  /// Returns a reader of a file in its own folder; without `read`, it reads annotations.
  private static func inFolder(
    _ name: String, file: String, picture: String? = nil, readsFile: Bool = false,
    openings: [String] = [""], tokens: [String],
    read: (@Sendable (_ folder: String) -> Void)? = nil
  ) -> StrangersReader {
    let folder = try? TemporaryDirectory()
    let path = folder?.path ?? "/nonexistent"
    if let picture {
      let image = try? Image(.gray8, size: PixelSize(width: 1, height: 1), bytes: [1])
      try? FileSystem.createDirectory("\(path)/\(picture)".parentPath)
      try? image?.write(to: "\(path)/\(picture)")
    }
    try? FileSystem.createDirectory("\(path)/\(file)".parentPath)
    return StrangersReader(name, openings: openings, tokens: tokens) { bytes in
      // The folder lives as long as the reader.
      let path = folder?.path ?? path
      try? FileSystem.write(bytes, to: "\(path)/\(file)")
      if let read { return read(path) }
      _ = try? Annotations(contentsOf: readsFile ? "\(path)/\(file)" : path)
    }
  }
}
