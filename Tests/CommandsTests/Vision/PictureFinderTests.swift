import OcellusVision
import Testing

@testable import OcellusCommands

@Suite struct PictureFinderTests {
  private func finder(_ names: String...) -> PictureFinder {
    PictureFinder(names.map { Annotations.Picture(name: $0, identifier: $0) })
  }

  @Test func thePathThatSharesTheMostIsFound() throws {
    let finder = finder("b/c/x.png", "a/c/x.png", "y.png", "x.png/z.png")
    #expect(try finder.index(ofPath: "/data/a/c/x.png") == 1)
    #expect(try finder.index(ofPath: "b/c/x.png") == 0)
    #expect(try finder.index(ofPath: "other/y.png") == 2)
    #expect(try finder.index(ofPath: "z.png") == 3)
  }

  @Test(arguments: ["x.png", "c/x.png", "d/c/x.png"])
  func severalAreAnError(path: String) {
    let finder = finder("b/c/x.png", "a/c/x.png")
    let error = #expect(throws: RunError.self) { try finder.index(ofPath: path) }
    #expect(error?.description.contains("several") == true)
  }

  @Test(arguments: ["", "w.png", "x.png/"])
  func noneIsAnError(path: String) {
    let error = #expect(throws: RunError.self) { try finder("a/y.png").index(ofPath: path) }
    #expect(error?.description.contains("no picture") == true)
  }
}
