import OcellusJSON
import OcellusPlatform
import Testing

@testable import OcellusCommands

@Suite struct TextTests {
  @Test func fixesDecimals() {
    #expect(3.14159.fixed(2) == "3.14")
    #expect(0.005.fixed(1) == "0.0")
    #expect((-0.04).fixed(1) == "0.0")
    #expect((-1.25).fixed(1) == "-1.3")
    #expect(12.0.fixed(0) == "12")
    #expect(0.5.fixed(3) == "0.500")
    #expect(1e300.fixed(2) == "1e+300")
    #expect(Double.nan.fixed(2) == "nan")
  }

  @Test func groupsDigits() {
    #expect(0.grouped == "0")
    #expect(999.grouped == "999")
    #expect(1_234_567.grouped == "1,234,567")
    #expect((-1000).grouped == "-1,000")
    #expect(Int.min.grouped == "-9,223,372,036,854,775,808")
  }

  @Test func countsBytes() {
    #expect(1023.byteText == "1023 bytes")
    #expect(1536.byteText == "1.50 KiB")
    #expect((20 << 20).byteText == "20.0 MiB")
  }

  @Test func alignsColumns() {
    var table = TextTable([.left("name"), .right("n")])
    table.add(["a", "100"])
    table.add(["longer", "7"])
    #expect(table.text(indent: 1) == " name      n\n a       100\n longer    7\n")
  }

  @Test func terminalsGetNoOrdersFromNames() {
    #expect(
      "a\u{1B}[2Jb\r\u{9B}c\n\td é".printable == #"a\u{1B}[2Jb\u{D}\u{9B}c"# + "\n\td é")
    #expect("cat\u{202E}tac \u{2067}x\u{2028}".printable == #"cat\u{202E}tac \u{2067}x\u{2028}"#)
    #expect("a\nb\tc".printableInLine == #"a\u{A}b\u{9}c"#)
    // Joiners and combining characters that languages and emoji need are kept.
    let names = "naïve עברית می‌خواهم 👩‍🚀 🇦🇹"
    #expect(names.printableInLine == names)
    #expect(String(fileNameBytes: [0x61, 0x9B, 0xFF]).printable.fileNameBytes.last == 0xFF)
    #expect(String(fileNameBytes: [0x61, 0x9B]).printable == #"a\x9B"#)
  }

  /// A printed name neither controls the terminal nor begins a line of its own.
  @Test func contextsMakeTextsPrintable() throws {
    let (output, errors) = (TextBuffer(), TextBuffer())
    let context = CommandContext(output: output, errors: errors)
    let name = "a\u{1B}[2J\u{202E}\nocellus: fine"
    let shown = #"a\u{1B}[2J\u{202E}"#
    try context.write(name + "\n")
    #expect(output.text == shown + "\nocellus: fine\n")
    try context.print(name)
    #expect(output.text.hasSuffix("\n" + shown + #"\u{A}ocellus: fine"# + "\n"))
    try context.print(["name": .string(name)])
    #expect(output.text.hasSuffix(#""name": "a\u001b[2J\u202e\nocellus: fine"}"# + "\n"))
    try context.print(CSVRow([name]))
    #expect(output.text.hasSuffix("\n\"" + shown + "\nocellus: fine\"\n"))
    context.complain(name)
    #expect(errors.text == "ocellus: " + shown + #"\u{A}ocellus: fine"# + "\n")
    context.note(name)
    #expect(errors.text.hasSuffix(shown + "\nocellus: fine"))
    var table = TextTable([.left(name)])
    table.add([name])
    #expect(table.text().split(separator: "\n").count == 2)
  }

  @Test func wrapsWords() {
    #expect(HelpPage.wrapped("one two three", width: 8) == ["one two", "three"])
    #expect(
      HelpPage.wrapped("a\n\nlongerthanwidth b", width: 4) == ["a", "", "longerthanwidth", "b"])
  }
}
