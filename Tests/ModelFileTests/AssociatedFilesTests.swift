import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct AssociatedFilesTests {
  /// An archive by Python's `zipfile` after 15 bytes of other data: a stored file, one in a block
  /// with dynamic Huffman codes, an empty one, and one in a block with fixed Huffman codes.
  private static let base64 = """
    TU9ERUxNT0RFTE1PREVMUEsDBBQAAAAAAAAAIViGphA2BQAAAAUAAAAKAAAAc3RvcmVkLnR4dGhlbGxvUEsDBBQAAAAI\
    AAAAIVhQ/xs2zwAAAKgDAAALAAAAZHluYW1pYy50eHRtk0sKg0AMhvc9xRxh8prRlWexVq0wUBBXPX1LsfgHsss7n3/G\
    Nt7nlnJ6vNZb+9mUhuE0OU3jcdqS3vN9H09PIWPp2Mdl2abUtvX5j5YwWsNoF0Z7hMqwkCisJ8QliWs0Dtv10VRwTAxM\
    nVODEJUzCEgwi9k1sWAOBWVDp8C4iolYNUYWyWGNIJbwtUAEm2OtJL63AKdUHOO1EuRTfHgan1W9bIqyaYyocE7FcyqC\
    qQfTHt90djmDn8I43GkCJQprzPyo4t0KbfFFrf+WfABQSwMEFAAAAAgAAAAhWAAAAAACAAAAAAAAAAkAAABlbXB0eS50\
    eHQDAFBLAwQUAAAACAAAACFYGToQBAYAAAAlAAAACQAAAGZpeGVkLnR4dEtMJAySAFBLAQIUAxQAAAAAAAAAIViGphA2\
    BQAAAAUAAAAKAAAAAAAAAAAAAACAAQ8AAABzdG9yZWQudHh0UEsBAhQDFAAAAAgAAAAhWFD/GzbPAAAAqAMAAAsAAAAA\
    AAAAAAAAAIABPAAAAGR5bmFtaWMudHh0UEsBAhQDFAAAAAgAAAAhWAAAAAACAAAAAAAAAAkAAAAAAAAAAAAAAIABNAEA\
    AGVtcHR5LnR4dFBLAQIUAxQAAAAIAAAAIVgZOhAEBgAAACUAAAAJAAAAAAAAAAAAAACAAV0BAABmaXhlZC50eHRQSwUG\
    AAAAAAQABADfAAAAigEAAAAA
    """
  static let archive = [UInt8](Data(base64Encoded: base64) ?? Data())

  private func files(_ bytes: [UInt8]) throws(ModelFileError) -> AssociatedFiles {
    try AssociatedFiles(in: ModelBytes(bytes))
  }

  private func text(_ name: String, in bytes: [UInt8]) throws -> String {
    String(decoding: try #require(try files(bytes).contents(of: name)), as: UTF8.self)
  }

  @Test func filesOfEveryKindAreRead() throws {
    let files = try files(Self.archive)
    #expect(
      files.entries.map(\.name) == ["stored.txt", "dynamic.txt", "empty.txt", "fixed.txt"])
    #expect(files.entries.map(\.byteCount) == [5, 936, 0, 37])
    #expect(try text("stored.txt", in: Self.archive) == "hello")
    #expect(try text("empty.txt", in: Self.archive).isEmpty)
    #expect(try text("fixed.txt", in: Self.archive) == String(repeating: "a", count: 36) + "b")
    let labels = try text("dynamic.txt", in: Self.archive).split(separator: "\n")
    #expect(labels.count == 60 && labels[0] == "label 0 dog")
    #expect(labels[58] == "label 58 traffic light")
    #expect(try files.contents(of: "missing.txt") == nil)
  }

  @Test func offsetsMayLeaveOutTheModel() throws {
    // The archive was made separately and appended: its offsets count from its own beginning.
    let appended = Array(repeating: 0, count: 1000) + Self.archive
    #expect(try text("fixed.txt", in: appended).last == "b")
  }

  @Test func modelsWithoutArchiveHaveNoFiles() throws {
    #expect(try files(HandMadeModel().bytes).entries.isEmpty)
    #expect(try files([1]).entries.isEmpty)
  }

  @Test func wrongContentIsRefused() throws {
    var bytes = Self.archive
    let hello = try #require(bytes.firstRange(of: "hello".utf8))
    bytes[hello.lowerBound] ^= 1
    #expect { try text("stored.txt", in: bytes) } throws: {
      ($0 as? ModelFileError)?.kind == .malformed
    }
    #expect(try text("fixed.txt", in: bytes).count == 37)
  }

  /// Returns the archive with another value at an offset in the directory entry of fixed.txt.
  private func withLastEntry(_ offset: Int, _ value: UInt32) throws -> [UInt8] {
    var bytes = Self.archive
    let signature: [UInt8] = [0x50, 0x4B, 1, 2]
    let entry = try #require(bytes.ranges(of: signature).last).lowerBound
    bytes.replaceSubrange((entry + offset)..<(entry + offset + 4), with: Array(bytesOf: [value]))
    return bytes
  }

  @Test func bombsAreRefused() throws {
    // Claims a gigabyte; claims less than the contents; points to the directory.
    let claims: [(offset: Int, value: UInt32, kind: ModelFileError.Kind)] = [
      (24, 1 << 30, .tooLarge), (24, 36, .tooLarge), (42, 400, .malformed),
      (20, 1 << 20, .malformed), (8, 0x8_0001, .unsupported), (8, 0xC_0000, .unsupported),
    ]
    for (offset, value, kind) in claims {
      let bytes = try withLastEntry(offset, value)
      #expect { try text("fixed.txt", in: bytes) } throws: {
        ($0 as? ModelFileError)?.kind == kind
      }
    }
  }

  /// The sum of all contents is bounded, because many entries may share the same bytes.
  @Test func manyLargeFilesAreRefused() throws {
    let files = try files(withLastEntry(24, 10 << 20))
    for kind in [ModelFileError.Kind.malformed, .tooLarge] {
      #expect { try files.contents(of: "fixed.txt") } throws: {
        ($0 as? ModelFileError)?.kind == kind
      }
    }
  }

  /// A file that exceeds the limit leaves it to smaller ones.
  @Test func refusedFilesTakeNothing() throws {
    let files = try AssociatedFiles(in: ModelBytes(Self.archive), limit: 36)
    for name in ["dynamic.txt", "fixed.txt"] {
      #expect { try files.contents(of: name) } throws: {
        ($0 as? ModelFileError)?.kind == .tooLarge
      }
    }
    #expect(try files.contents(of: "stored.txt") == Array("hello".utf8))
  }

  @Test func changedArchivesAreReadOrRefused() {
    for position in Self.archive.indices {
      for change in [UInt8(1), 2, 4, 8, 16, 32, 64, 128, 255] {
        var bytes = Self.archive
        bytes[position] ^= change
        guard let files = try? files(bytes) else { continue }
        for entry in files.entries { _ = try? files.contents(of: entry) }
      }
    }
  }

  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func realModelsHaveTheFilesTheyAreSaidToHave() throws {
    let manifest = try String(
      contentsOf: SharedFiles.folder.appending(path: "zoo/MANIFEST.tsv"), encoding: .utf8)
    let rows = manifest.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    let column = try #require(rows[0].firstIndex(of: "metadata_zip_files"))
    for row in rows where row[0].hasSuffix(".tflite") && !row[column].isEmpty {
      let path = SharedFiles.folder.appending(path: "zoo/\(row[0])").path
      let files = try AssociatedFiles(in: ModelBytes(path: path))
      let found = try files.entries.map { "\($0.name)(\(try files.contents(of: $0).count))" }
      #expect(found.joined(separator: ", ") == row[column], "\(row[0])")
    }
  }
}
