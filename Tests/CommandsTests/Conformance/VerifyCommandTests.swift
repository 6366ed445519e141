import Foundation
import OcellusJSON
import OcellusPlatform
import OcellusProof
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// `verify` on a corpus of copies of one real case, some with wrong expectations.
@Suite struct VerifyCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileSystem.createDirectory(directory.path + "/RESHAPE")
    try FileSystem.createDirectory(directory.path + "/OTHER")
  }

  /// Adds a copy of a case with a changed description.
  private func add(
    _ name: String, to group: String = "RESHAPE", replacing old: String = "", with new: String = ""
  ) throws {
    let corpus = try ConformanceCorpus()
    let copy = "\(directory.path)/\(group)/\(name)"
    for part in [".bin", ".tflite"] {
      try FileSystem.write(
        try corpus.contents(of: "RESHAPE/float32_infer\(part)"), to: copy + part)
    }
    var description = String(
      decoding: try corpus.contents(of: "RESHAPE/float32_infer.json"), as: UTF8.self)
    if !old.isEmpty {
      let range = try #require(description.range(of: old))
      description.replaceSubrange(range, with: new)
    }
    try FileSystem.write(Array(description.utf8), to: copy + ".json")
  }

  private func verify(_ options: String...) -> ProgramRun {
    ProgramRun(["verify", directory.path, "--in-process"] + options)
  }

  @Test func goodCasesPass() throws {
    try add("one")
    try add("two")
    let run = verify()
    #expect(run.code == 0)
    #expect(run.output.hasSuffix("\n2 passed, 0 failed\n"))
  }

  @Test func aCaseThatShouldFailAndDoesNotIsAFailure() throws {
    try add("one")
    try add("wrong", replacing: #""expect": "ok""#, with: #""expect": "invoke_error""#)
    let run = verify()
    #expect(run.code == 1)
    #expect(run.output.contains("FAILED RESHAPE/wrong: it runs, expected invoke_error\n"))
    #expect(run.output.hasSuffix("\n1 passed, 1 failed\n"))
  }

  @Test func filterTakesExactNames() throws {
    try add("one")
    try add("two", to: "OTHER")
    #expect(verify("--filter", "OTHER").output.hasSuffix("\n1 passed, 0 failed\n"))
    #expect(verify("--filter", "OTHER,RESHAPE").output.hasSuffix("\n2 passed, 0 failed\n"))
    let nothing = verify("--filter", "RESH")
    #expect(nothing.code == 1)
    #expect(nothing.errors == "ocellus: no case was found\n")
  }

  @Test func jsonHasStableNames() throws {
    try add("wrong", replacing: #""expect": "ok""#, with: #""expect": "invoke_error""#)
    let run = verify("--json")
    let report = try #require(try JSONParser.parse(Array(run.output.utf8)).object)
    #expect(report["passed"] == 0)
    #expect(report["failed"] == 1)
    #expect(report["operators"] == [["name": "RESHAPE", "passed": 0, "failed": 1]])
    let failure = try #require(report["failures"]?.array?.first?.object)
    #expect(failure["case"] == "RESHAPE/wrong")
    #expect(failure["path"] == .string(directory.path + "/RESHAPE/wrong.json"))
    #expect(failure["reason"] == "it runs, expected invoke_error")
    #expect(report["cases"]?.array?.count == 1)
  }

  @Test func workersReachTheSameVerdicts() throws {
    try add("one")
    try add("wrong", replacing: #""expect": "ok""#, with: #""expect": "invoke_error""#)
    let isolated = try ProgramRun(ofProcess: ["verify", directory.path, "--jobs", "2"])
    #expect(isolated.output == verify().output)
  }

  @Test func anOutputsOwnToleranceWinsOverTheCases() throws {
    // The model copies the third element, and the case expects another number.
    func change(_ tolerance: String, own: String?) throws {
      let name = "case\(tolerance.count)\(own?.count ?? 0)"
      try add(
        name, replacing: #""tolerance": {"kind": "exact"}"#, with: #""tolerance": \#(tolerance)"#)
      let path = "\(directory.path)/RESHAPE/\(name)"
      var description = String(decoding: try FileSystem.read(path + ".json"), as: UTF8.self)
      let outputs = try #require(description.range(of: #""outputs""#)).upperBound
      let bytes = try #require(description.range(of: "}", range: outputs..<description.endIndex))
      if let own { description.insert(contentsOf: ", \"tolerance\": \(own)", at: bytes.lowerBound) }
      try FileSystem.write(Array(description.utf8), to: path + ".json")
      let output = try #require(
        try ConformanceCase(path: path + ".json").invocations[0].outputs.first)
      var values = try FileSystem.read(path + ".bin")
      let place = output.range.lowerBound + 8
      let number = values[place..<place + 4].withUnsafeBytes { $0.loadUnaligned(as: Float.self) }
      withUnsafeBytes(of: number + 0.5) { values.replaceSubrange(place..<place + 4, with: $0) }
      try FileSystem.write(values, to: path + ".bin")
    }
    let wide = #"{"kind": "close", "atol": 2, "rtol": 0}"#
    try change(wide, own: nil)
    #expect(verify("--outputs").output.contains("25.0 %"))
    #expect(verify().output.hasSuffix("\n1 passed, 0 failed\n"))
    try change(wide, own: #"{"kind": "exact"}"#)
    #expect(verify().output.hasSuffix("\n1 passed, 1 failed\n"))
    try change(#"{"kind": "exact"}"#, own: wide)
    #expect(verify().output.hasSuffix("\n2 passed, 1 failed\n"))
  }

  /// An operator that is missing here does not pass as an error of the official runtime.
  @Test func aMissingOperatorIsNoExpectedError() throws {
    let corpus = try ConformanceCorpus()
    for (name, op) in [("err_shapes", "ADD"), ("err_unknown_custom", "MODEL")] {
      for part in [".bin", ".json"] {
        try FileSystem.write(
          try corpus.contents(of: "\(op)/\(name)\(part)"),
          to: "\(directory.path)/OTHER/\(name)\(part)")
      }
      // The model's operator is unknown.
      try FileSystem.write(
        try corpus.contents(of: "MODEL/err_unknown_custom.tflite"),
        to: "\(directory.path)/OTHER/\(name).tflite")
    }
    let run = verify()
    #expect(run.output.contains("FAILED OTHER/err_shapes: expected another allocate_error: "))
    #expect(run.output.hasSuffix("\n1 passed, 1 failed\n"))
  }

  @Test func archivesAreReadWithoutUnpacking() throws {
    try add("one")
    try add("wrong", replacing: #""expect": "ok""#, with: #""expect": "invoke_error""#)
    let archive = directory.path + "/corpus.tar.gz"
    _ = try Executable.errors(
      of: "tar", ["-czf", archive, "-C", directory.path, "./RESHAPE"], with: "")
    let run = ProgramRun("verify", archive, "--in-process")
    #expect(run.output == verify().output)
    let report = ProgramRun("verify", archive, "--in-process", "--json").output
    #expect(report.contains("\"path\": \"\(archive)/RESHAPE/wrong.json\""))
  }

  /// In an archive, a case refers to a model in the same archive.
  @Test func modelsOfArchivesAreInThem() throws {
    let model = #""expect": "ok", "model": "../models/m.tflite""#
    try add("one", replacing: #""expect": "ok""#, with: model)
    let archive = directory.path + "/corpus.tar"
    func verdict() throws -> ProgramRun {
      _ = try Executable.errors(of: "tar", ["-cf", archive, "-C", directory.path, "."], with: "")
      return ProgramRun("verify", archive, "--in-process")
    }
    #expect(
      try verdict().output.contains("RESHAPE/../models/m.tflite: this file is not in the archive"))
    try FileSystem.createDirectory(directory.path + "/models")
    try FileSystem.write(
      FileSystem.read(directory.path + "/RESHAPE/one.tflite"),
      to: directory.path + "/models/m.tflite")
    #expect(try verdict().output.hasSuffix("\n1 passed, 0 failed\n"))
  }

  @Test func aModelThatIsNotThereIsNoExpectedError() throws {
    try add("gone", replacing: #""expect": "ok""#, with: #""expect": "load_error""#)
    #expect(unlink(directory.path + "/RESHAPE/gone.tflite") == 0)
    #expect(verify().output.contains("FAILED RESHAPE/gone: load_error"))
  }

  @Test func whatIsNoCorpusIsAnError() throws {
    let path = directory.path + "/some.txt"
    try FileSystem.write(Array("some text".utf8), to: path)
    let run = ProgramRun("verify", path)
    #expect(run.code == 1)
    #expect(run.errors.hasPrefix("ocellus: \(path): malformed at byte 0: "))
    #expect(ProgramRun("verify", directory.path + "/none").errors.contains("No such file"))
  }

  @Test func damagedDescriptionsAreFailures() throws {
    try add("one", replacing: "\"inputs\"", with: "\"outpts\"")
    #expect(verify().output.contains("one.json: 'inputs' is missing"))
  }
}
