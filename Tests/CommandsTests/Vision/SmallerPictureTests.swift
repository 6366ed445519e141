import OcellusImaging
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Detections in pictures that were decoded at reduced size are in the file's pixels.
///
/// The network's input is 8 by 8 pixels, for which 33 by 33 are reduced to 17 by 17, where the last
/// squares of two by two have one row or column. It finds two objects, in the first and last
/// quarter.
@Suite struct SmallerPictureTests {
  private let folder: TemporaryDirectory
  private let picture: String
  private let model: String
  private static let boxes: [[Double]] = [[0, 0, 17, 17], [17, 17, 33, 33]]

  init() throws {
    folder = try TemporaryDirectory()
    (picture, model) = (folder.path + "/odd.png", folder.path + "/corners.tflite")
    try FileSystem.write(SyntheticDetector.writer().bytes(), to: model)
    let size = PixelSize(width: 33, height: 33)
    let bytes = [UInt8](repeating: 9, count: 3 * size.width * size.height)
    try Image(.rgb8, size: size, bytes: bytes).write(to: picture)
  }

  private func object(_ line: some StringProtocol) throws -> JSONObject {
    try #require(try JSONParser.parse(Array(line.utf8)).object)
  }

  private func boxes(_ list: JSONValue?) throws -> [[Double]] {
    try #require(list?.array).map { detection in
      let box = try #require(detection.object?["box"]?.object)
      return try ["left", "top", "right", "bottom"].map { try #require(box[$0]?.number) }
    }
  }

  @Test func objectsAndCandidatesAreInPixelsOfTheFile() throws {
    let run = ProgramRun("detect", picture, "-m", model, "--jsonl", "--ledger")
    #expect(run.code == 0, "\(run.errors)")
    let report = try object(run.output)
    #expect(report["width"] == 33)
    #expect(try boxes(report["detections"]) == Self.boxes)
    let entries = report["ledger"]?.object?["entries"]
    #expect(Set(try boxes(entries)) == Set(Self.boxes))
  }

  @Test func workersSayTheSame() throws {
    let requests = folder.path + "/requests"
    try FileSystem.write(Array(picture.utf8), to: requests)
    let run = ProgramRun("worker", "detect", "-m", model, "--requests", requests)
    #expect(try boxes(object(run.output)["detections"]) == Self.boxes)
  }

  /// Correct boxes overlap entirely with the ground truth.
  @Test func evaluationsJudgeBoxesOfTheFile() throws {
    let names = folder.path + "/names.txt"
    try FileSystem.write(Array("a\nb\nc\n".utf8), to: names)
    let truth = folder.path + "/truth.json"
    let text = """
      {"images": [{"id": 1, "file_name": "odd.png"}],
      "categories": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}],
      "annotations": [{"image_id": 1, "category_id": 2, "bbox": [0, 0, 17, 17]},
      {"image_id": 1, "category_id": 1, "bbox": [17, 17, 16, 16]}]}
      """
    try FileSystem.write(Array(text.utf8), to: truth)
    let run = ProgramRun(
      "evaluate", model, "--labels", names, "--annotations", truth, "--images", folder.path,
      "--json")
    #expect(run.code == 0, "\(run.errors)")
    let measures = try object(run.output)["measures"]?.object
    #expect(try abs(#require(measures?["map"]?.number) - 1) < 1e-6)
  }
}
