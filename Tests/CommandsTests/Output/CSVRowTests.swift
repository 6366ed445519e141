import Testing

@testable import OcellusCommands

@Suite struct CSVRowTests {
  @Test(arguments: [
    (["a", "b"], "a,b"),
    (["a,b", ""], "\"a,b\","),
    (["say \"yes\""], "\"say \"\"yes\"\"\""),
    // Swift sees one character in a comma with an accent, and in \r\n.
    (["a,\u{301}b"], "\"a,\u{301}b\""),
    (["a\r\nb"], "\"a\r\nb\""),
    (["\"\u{301}"], "\"\"\"\u{301}\""),
    (["a\u{1B}[31mb\u{7}"], #"a\u{1B}[31mb\u{7}"#),
    (["a\rb", "\u{202E}c"], #"a\u{D}b,\u{202E}c"#),
    (["=1+1", "-2", "@x", "+y"], "=1+1,-2,@x,+y"),
  ])
  func cellsAreQuotedByScalar(cells: [String], row: String) {
    #expect(CSVRow(cells).description.unicodeScalars.elementsEqual(row.unicodeScalars))
  }

  @Test func spreadsheetsAreToldWhatIsText() {
    let row = CSVRow(["=1+1", "-2.5", "@x", "-rm", "plain"], forSpreadsheets: true)
    #expect(row.description == "'=1+1,-2.5,'@x,'-rm,plain")
  }
}
