import Foundation
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// One scene in every annotation format: a cat, a dog marked as difficult, and an empty picture.
@Suite struct AnnotationsTests {
  private let folder: TemporaryDirectory
  private static let cat = CornerBox(x: 10, y: 20, width: 30, height: 40)
  private static let dog = CornerBox(x: 50, y: 10, width: 20, height: 10)

  init() throws {
    folder = try TemporaryDirectory()
    let size = PixelSize(width: 100, height: 80)
    let image = try Image(.rgb8, size: size, bytes: Array(repeating: 90, count: 100 * 80 * 3))
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/images", withIntermediateDirectories: true)
      try image.write(to: "\(folder.path)/images/\(name).png")
    }
  }

  /// Writes a file, and creates the folders of its path.
  private func write(_ text: String, to name: String) throws -> String {
    let path = folder.path + "/" + name
    try FileManager.default.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private static let coco = """
    {"images": [{"id": 9, "file_name": "b.png"}, {"id": 4, "file_name": "a.png"}],
     "categories": [{"id": 18, "name": "dog"}, {"id": 17, "name": "cat"}],
     "annotations": [
      {"id": 1, "image_id": 4, "category_id": 17, "bbox": [10, 20, 30, 40], "area": 700, "iscrowd": 0},
      {"id": 2, "image_id": 4, "category_id": 18, "bbox": [50.0, 10, 20, 10], "iscrowd": 1}]}
    """

  @Test func dataSetsOfCOCO() throws {
    let annotations = try Annotations(contentsOf: try write(Self.coco, to: "truth.json"))
    #expect(annotations.categories == ["cat", "dog"])
    #expect(annotations.categoryOfNumber == [17: 0, 18: 1])
    #expect(annotations.pictures.map(\.identifier) == ["4", "9"])
    #expect(
      annotations.pictures[0].objects == [
        AnnotatedObject(category: 0, box: Self.cat, area: 700),
        AnnotatedObject(category: 1, box: Self.dog, kind: .crowd),
      ])
    #expect(annotations.pictures[1].objects.isEmpty)
    let path = try annotations.path(of: annotations.pictures[0])
    #expect(FileManager.default.fileExists(atPath: path))
  }

  private static let voc = """
    <?xml version="1.0"?><!-- made by hand -->
    <annotation verified="yes"><filename>a.png</filename><owner/>
     <object><name>cat &amp; co</name><difficult>0</difficult>
      <bndbox><xmin>11</xmin><ymin>21</ymin><xmax>40</xmax><ymax> 60 </ymax></bndbox></object>
     <object><name>dog</name><difficult>1</difficult>
      <bndbox><xmin>51</xmin><ymin>11</ymin><xmax>70</xmax><ymax>20</ymax></bndbox></object>
    </annotation>
    """

  @Test func foldersOfVOC() throws {
    _ = try write(Self.voc, to: "Annotations/a.xml")
    _ = try write(
      "<annotation><filename>b.png</filename></annotation>", to: "Annotations/b.xml")
    let annotations = try Annotations(contentsOf: folder.path)
    #expect(annotations.categories == ["cat & co", "dog"])
    #expect(
      annotations.pictures.map(\.objects) == [
        [
          AnnotatedObject(category: 0, box: Self.cat),
          AnnotatedObject(category: 1, box: Self.dog, kind: .difficult),
        ], [],
      ])
  }

  @Test func foldersOfYOLO() throws {
    _ = try write("names: [cat, dog]\n", to: "data.yaml")
    _ = try write(
      "0 0.25 0.5 0.3 0.5\n\n1 0.5 0.125 0.7 0.125 0.7 0.25 0.5 0.25\n", to: "labels/a.txt")
    let annotations = try Annotations(contentsOf: folder.path + "/")
    #expect(annotations.categories == ["cat", "dog"])
    #expect(annotations.pictures.map(\.name) == ["a.png", "b.png"])
    let boxes = annotations.pictures[0].objects.map(\.box)
    for (box, expected) in zip(boxes, [Self.cat, Self.dog]) {
      #expect(abs(box.x - expected.x) + abs(box.y - expected.y) < 1e-9)
      #expect(abs(box.width - expected.width) + abs(box.height - expected.height) < 1e-9)
    }
    #expect(boxes.count == 2)
    #expect(annotations.pictures[1].objects.isEmpty)
  }

  @Test func foldersForEachClassAndTables() throws {
    _ = try write("", to: "classes/dog/x.png")
    _ = try write("", to: "classes/cat/y.jpg")
    let classes = try Annotations(contentsOf: folder.path + "/classes")
    #expect(classes.subject == .pictures)
    #expect(classes.pictures.map(\.name) == ["cat/y.jpg", "dog/x.png"])
    #expect(classes.pictures.map(\.category) == [0, 1])
    let table = try Annotations(
      contentsOf: try write("file,label\nimages/a.png,dog\nimages/b.png,cat\n", to: "truth.csv"))
    #expect(table.categories == ["cat", "dog"])
    #expect(table.pictures.map(\.category) == [1, 0])
    #expect(try table.path(of: table.pictures[0]) == folder.path + "/images/a.png")
  }

  @Test(arguments: [
    ("t.json", "{}", "COCO annotations must have a list 'categories'"),
    ("t.json", "{\"categories\": [{\"id\": 1}]}", "categories[0]: name is no text"),
    ("t.json", "[1", "at byte 2"),
    (
      "t.json",
      #"{"categories":[],"images":[{"id":1}],"annotations":[{"image_id":2}]}"#,
      "annotations[0]: no image has its image_id"
    ),
    ("v/a.xml", "<annotation><object></annotation>", "not XML at byte 20"),
    ("v/a.xml", "<annotation><object><name>x</name></object></annotation>", "no number as xmin"),
    ("v/a.xml", "<annotation>&nope;</annotation>", "'&nope;' stands for nothing"),
    ("v/a.xml", "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "document type"),
    ("v/a.xml", "<a", "this ends nowhere"),
    ("labels/a.txt", "0 0.5 0.5 0.1", "line 1: a line holds a class number"),
    ("labels/a.txt", "99999999 0.5 0.5 0.1 0.1", "line 1: a line holds a class number"),
    ("labels/nowhere.txt", "0 0.5 0.5 0.1 0.1", "there is no picture of this name"),
    ("t.csv", "a.png\n", "row 1: a row holds a file and the name of its class"),
  ])
  func mistakesAreNamedWithTheirPlace(name: String, text: String, problem: String) throws {
    let path = try write(text, to: name)
    let operand = name.contains("/") ? URL(filePath: path).deletingLastPathComponent().path : path
    let error = #expect(throws: VisionError.self) { try Annotations(contentsOf: operand) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "no error")")
  }

  /// Damaged annotation files are read or rejected with an error; they never trap.
  @Test func damagedFilesAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 5)
    for text in [Self.coco, Self.voc] {
      let isXML = text.hasPrefix("<?xml")
      for _ in 0..<300 {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: bytes.indices, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.removeSubrange(place..<min(place + 20, bytes.count - 1))
          default: bytes.insert(contentsOf: "<>&9e{[".utf8.shuffled(using: &generator), at: place)
          }
        }
        let path = folder.path + (isXML ? "/damaged/a.xml" : "/damaged.json")
        try FileManager.default.createDirectory(
          atPath: folder.path + "/damaged", withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
        _ = try? Annotations(contentsOf: isXML ? folder.path + "/damaged" : path)
      }
    }
  }
}
