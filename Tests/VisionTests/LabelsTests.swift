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
