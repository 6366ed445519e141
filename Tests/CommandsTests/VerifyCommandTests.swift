import Foundation
import OcellusJSON
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// The corpus here is made of copies of one real case, with wrong expectations put in.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct VerifyCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileSystem.createDirectory(directory.path + "/RESHAPE")
    try FileSystem.createDirectory(directory.path + "/OTHER")
  }

  /// Copies a case, changing its description.
  private func add(
    _ name: String, to group: String = "RESHAPE", replacing old: String = "", with new: String = ""
  ) throws {
    let original = SharedFiles.paths(in: "conformance/cases/RESHAPE", withExtension: "json")
      .first { $0.contains("/float32") && !$0.contains("err") }
    let base = String(try #require(original).dropLast(".json".count))
    let copy = "\(directory.path)/\(group)/\(name)"
    for part in [".bin", ".tflite"] {
      try FileSystem.write(FileSystem.read(base + part), to: copy + part)
    }
    var description = String(decoding: try FileSystem.read(base + ".json"), as: UTF8.self)
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
  }

  @Test func workersReachTheSameVerdicts() throws {
    try add("one")
    try add("wrong", replacing: #""expect": "ok""#, with: #""expect": "invoke_error""#)
    let isolated = try ProgramRun(ofProcess: ["verify", directory.path, "--jobs", "2"])
    #expect(isolated.output == verify().output)
  }

  @Test func damagedDescriptionsAreFailures() throws {
    try add("one", replacing: "\"inputs\"", with: "\"outpts\"")
    #expect(verify().output.contains("one.json: 'inputs' is missing"))
  }
}
