import OcellusImaging
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct ImageCommandTests {
  private let directory: TemporaryDirectory
  private let picture: String

  /// Creates a picture of two pixels, red above blue when upright, that is stored rotated.
  init() throws {
    directory = try TemporaryDirectory()
    picture = directory.path + "/lying.png"
    let image = try Image(
      .rgb8, size: PixelSize(width: 2, height: 1), bytes: [255, 0, 0, 0, 0, 255])
    try image.write(to: picture)
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let image = try Image(contentsOf: path)
    return image.withUnsafeBytes { Array($0.prefix(image.byteCount)) }
  }

  @Test func turnsAsAsked() throws {
    let output = directory.path + "/upright.png"
    let run = ProgramRun(["image", picture, "-o", output, "--orientation", "6"])
    #expect(run.code == 0)
    #expect(try Image(contentsOf: output).size == PixelSize(width: 1, height: 2))
    #expect(try bytes(output) == [255, 0, 0, 0, 0, 255])
    #expect(ProgramRun(["image", picture, "-o", output, "--orientation", "8"]).code == 0)
    #expect(try bytes(output) == [0, 0, 255, 255, 0, 0])
  }

  @Test func resizesAndFits() throws {
    let output = directory.path + "/framed.png"
    #expect(
      ProgramRun([
        "image", picture, "-o", output, "--resize", "4x4", "--kernel", "pil-nearest", "--fit",
        "letterbox",
      ]).code == 0)
    let rows = try bytes(output)
    #expect(Array(rows[0..<12]) == Array(repeating: 0, count: 12))
    #expect(Array(rows[12..<24]) == [255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255])
  }

  @Test func crops() throws {
    let output = directory.path + "/part.png"
    #expect(ProgramRun(["image", picture, "-o", output, "--crop", "1,0,1,1"]).code == 0)
    #expect(try bytes(output) == [0, 0, 255])
  }

  @Test func saysWhatTheFileHolds() throws {
    let run = ProgramRun(["image", picture, "--json"])
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["format"] == "png")
    #expect(report["width"] == 2)
    #expect(report["orientation"] == 1)
  }

  @Test(arguments: [
    ["image", "x.png"], ["image", "x.png", "-o", "y.png", "--resize", "4"],
    ["image", "x.png", "-o", "y.png", "--kernel", "sinc"],
    ["image", "x.png", "-o", "y.png", "--orientation", "9"],
  ])
  func wrongUsageIsTold(arguments: [String]) {
    #expect(ProgramRun(arguments).code == 2)
  }

  @Test func missingFilesAndUnknownFormatsAreErrors() {
    let missing = ProgramRun(["image", directory.path + "/missing.png", "--info"])
    #expect(missing.code == 1)
    #expect(missing.errors.contains("missing.png"))
    #expect(ProgramRun(["image", picture, "-o", directory.path + "/x.tiff"]).code == 1)
  }
}
