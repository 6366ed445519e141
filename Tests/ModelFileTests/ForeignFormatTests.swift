import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Files that people take for models are named in the error.
@Suite struct ForeignFormatTests {
  private func problem(_ bytes: [UInt8]) -> String {
    do throws(ModelFileError) { _ = try ModelFile(ModelBytes(bytes)) } catch {
      return error.description
    }
    return ""
  }

  @Test(arguments: [
    ("Models/samples/cherries.jpg", "a JPEG picture"),
    ("Models/samples/tower.png", "a PNG picture"),
    ("Tests/Conformance/cases.tar.gz", "compressed by gzip"), ("Models/catalog.json", "JSON"),
  ])
  func filesOfThePackageAreNamed(path: String, name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: PackageFiles.path(path))))
    #expect(problem(bytes).contains("this is no TensorFlow Lite model but \(name)"))
  }

  /// The beginnings are those that the formats' specifications give.
  @Test(arguments: [
    ("504B030414000000", "a ZIP archive; unpack it"), ("504B050600000000", "a ZIP archive without"),
    ("894844460D0A1A0A", "a Keras model in HDF5"), ("474946383961", "a GIF"),
    ("52494646240000005745425056503820", "a WebP picture"), ("8002580500", "PyTorch"),
    ("7F454C46020101", "a program"), ("934E554D505901", "a NumPy array"),
    ("3C21444F4354595045206874", "a web page"), ("255044462D312E34", "a PDF"),
    ("28B52FFD04", "by zstd"), ("FD377A585A00", "by xz"), ("425A6839", "by bzip2"),
  ])
  func formatsAreNamed(digits: String, name: String) throws {
    let digits = Array(digits)
    let bytes = try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
    }
    #expect(problem(bytes + [UInt8](repeating: 0, count: 64)).contains(name))
    #expect(problem(bytes).contains(name), "cut off")
  }

  @Test func pointersOfGitLFSAreNamed() {
    let text = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"
    #expect(problem(Array(text.utf8)).contains("'git lfs pull' fetches the model"))
  }

  /// Whatever has a model's identifier, or nothing known, keeps the reader's own error.
  @Test func othersKeepTheirError() {
    #expect(problem([]).contains("beyond the 0 bytes there are"))
    #expect(problem(Array("nothing known".utf8)).contains("no TFL3 file"))
    let damaged: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("TFL3".utf8)
    #expect(!problem(damaged).isEmpty)
  }
}
