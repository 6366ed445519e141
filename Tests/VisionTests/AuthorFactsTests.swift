import Foundation
import OcellusJSON
import OcellusTestSupport
import OcellusVision
import Testing

/// The metadata file that Ultralytics' tools pack with a model, as JSON or as Python's `repr`
/// prints it.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct AuthorFactsTests {
  @Test(arguments: ["yolo26n_int8", "yolov8n_int8_ultra", "yolov9t_v9"])
  func namesOfClassesArePacked(model: String) throws {
    let path = SharedFiles.folder.path + "/zoo/more/\(model).tflite"
    let detector = try ObjectDetector(path: path)
    #expect(detector.labels.count == 80)
    #expect(detector.labels[0] == "person")
    #expect(detector.labels[79] == "toothbrush")
    #expect(detector.explanation.warnings.isEmpty)
  }
}

@Suite struct PythonLiteralTests {
  @Test func dictionariesAsPythonPrintsThem() throws {
    let text = """
      {'task': 'pose', 'names': {0: 'person', 1: "sea lion's"}, 'kpt_shape': [17, 3], 'end2end': False, \
      'imgsz': (640, 480), 'rate': 1e-3, 'nothing': None, 'end': '\\'\\n'}
      """
    let object = try #require(PythonLiteral.parse(text)?.object)
    #expect(object["task"]?.string == "pose")
    #expect(object["names"]?.object?["1"]?.string == "sea lion's")
    #expect(object["kpt_shape"] == .integers([17, 3]))
    #expect(object["imgsz"] == .integers([640, 480]))
    #expect(object["end2end"] == .bool(false))
    #expect(object["rate"]?.number == 0.001)
    #expect(object["nothing"] == .null)
    #expect(object["end"]?.string == "'\n")
  }

  @Test(arguments: [
    "", "{", "{'a'", "{'a':", "{'a': 1", "[1, ", "'a", "{'a': 1} 2", "[1 2]", "True False", "{,}",
    String(repeating: "[", count: 100_000), "\\",
  ])
  func brokenTextIsNothing(text: String) { #expect(PythonLiteral.parse(text) == nil) }
}
