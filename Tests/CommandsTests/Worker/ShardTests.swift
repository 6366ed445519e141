import Foundation
import OcellusAudit
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct ShardTests {
  private let folder: TemporaryDirectory
  private let list: String
  private let pictures: [String]

  /// Creates nine pictures, two of which cannot be read.
  init() throws {
    folder = try TemporaryDirectory()
    var pictures: [String] = []
    for number in 0..<9 {
      let path = "\(folder.path)/\(number).ppm"
      let bytes = Array("P6 8 8 255\n".utf8) + (0..<192).map { UInt8(($0 * (number + 3)) & 255) }
      try FileSystem.write(number % 4 == 3 ? Array(bytes.prefix(9)) : bytes, to: path)
      pictures.append(path)
    }
    self.pictures = pictures
    list = folder.path + "/list.txt"
    try FileSystem.write(Array((pictures.joined(separator: "\n") + "\n").utf8), to: list)
  }

  private func label(_ directory: String, _ shard: String = "1/1") -> ProgramRun {
    ProgramRun("label", list, "--shard", shard, "--resume", directory)
  }

  private func merged(_ directory: String) throws -> (lines: String, root: String) {
    let all = directory + "-all.jsonl"
    let run = ProgramRun("merge", directory, "-o", all, "--json")
    #expect(run.code == 0, "\(run.errors)")
    let report = try #require(JSONParser.parse(Array(run.output.utf8)).object)
    return (
      String(decoding: try FileSystem.read(all), as: UTF8.self),
      try #require(report["root"]?.string)
    )
  }

  @Test func shardsShareOutAll() throws {
    #expect(try Shard("2/3").part(of: pictures).map(\.position) == [2, 5, 8])
    #expect(try Shard("3/16").part(of: []).isEmpty)
    for text in ["0/3", "4/3", "1", "a/b", "1/0", "1/2/3", "-1/2"] {
      #expect(throws: UsageError.self) { try Shard(text) }
    }
  }

  /// Any number of shards, or a worker, gives the results and the root of a single run.
  @Test func rootsAreThoseOfASingleRun() throws {
    let whole = folder.path + "/whole"
    #expect(label(whole).code == ExitCode.partial.rawValue)
    let expected = try merged(whole)
    #expect(expected.lines.split(separator: "\n").count == 9)
    for count in [2, 4, 16] {
      let directory = "\(folder.path)/\(count)"
      for number in 1...count { _ = label(directory, "\(number)/\(count)") }
      let found = try merged(directory)
      #expect(found.lines == expected.lines && found.root == expected.root)
    }
    let answers = folder.path + "/answers.jsonl"
    let run = ProgramRun(
      "worker", "label", "--requests", list, "--receipt", "--unordered", "--jobs", "3")
    try FileSystem.write(Array(run.output.utf8), to: answers)
    let report = ProgramRun("merge", answers, "--json").output
    #expect(report.contains(expected.root))
  }

  /// A run that continues after a killed one gives the results of an undisturbed run.
  @Test func workGoesOnWhereItStopped() throws {
    let whole = folder.path + "/undisturbed"
    _ = label(whole)
    let expected = try merged(whole)
    let bytes = try FileSystem.read(whole + "/results-1-of-1.jsonl")
    for cut in stride(from: 0, through: bytes.count, by: bytes.count / 23) {
      let directory = "\(folder.path)/cut\(cut)"
      try FileSystem.createDirectory(directory)
      try FileSystem.write(Array(bytes[..<cut]), to: directory + "/results-1-of-1.jsonl.part")
      #expect(ProgramRun("merge", directory).errors.contains("not complete"))
      _ = label(directory)
      #expect(try merged(directory) == expected, "cut at \(cut)")
    }
    let again = label(whole)
    #expect(again.code == ExitCode.partial.rawValue)
    #expect(again.output.contains("all 9 results are there, 2 of them errors"))
  }

  /// Merging works with more shards than the soft limit of open files.
  @Test func manyShardsAreMerged() throws {
    let whole = folder.path + "/whole"
    #expect(label(whole).code == ExitCode.partial.rawValue)
    let expected = try merged(whole)
    let directory = folder.path + "/many"
    for number in 1...40 { _ = label(directory, "\(number)/40") }
    let script = #"ulimit -S -n 24; "$0" "$@""#
    let run = try ProgramRun(inShell: script, ["merge", directory, "--json"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains(expected.root))
  }

  @Test func otherListsAreRefused() throws {
    let directory = folder.path + "/other"
    _ = label(directory)
    try FileSystem.write(Array(pictures.reversed().joined(separator: "\n").utf8), to: list)
    let run = label(directory)
    #expect(run.code == 1 && run.errors.contains("another picture"))
    _ = label(directory + "2", "1/2")
    #expect(ProgramRun("merge", directory + "2").errors.contains("shard 2 of 2 is missing"))
  }

  @Test func oneResultIsProved() throws {
    let directory = folder.path + "/proved"
    _ = label(directory)
    let (proof, report) = (folder.path + "/proof.json", folder.path + "/root.json")
    let run = ProgramRun(
      "merge", directory, "--json", "--prove", pictures[4], "--proof", proof)
    try FileSystem.write(Array(run.output.utf8), to: report)
    #expect(ProgramRun("receipt", "check", proof, report).code == 0)
    let root = try #require(JSONParser.parse(FileSystem.read(report)).object?["root"]?.string)
    #expect(ProgramRun("receipt", "check", proof, root).code == 0)
    #expect(ProgramRun("receipt", "check", proof).errors.contains("receipt check PROOF ROOT"))
    var text = String(decoding: try FileSystem.read(proof), as: UTF8.self)
    text.replace(#""width": 8"#, with: #""width": 9"#)
    try FileSystem.write(Array(text.utf8), to: proof)
    let check = ProgramRun("receipt", "check", proof, report)
    #expect(check.code == 1, "\(check.output)")
    #expect(
      ProgramRun("merge", directory, "--prove", pictures[3], "--proof", proof).code == 1)
  }

  /// Each leaf of each small tree has a path to the root, which fails for any other leaf.
  @Test func pathsLeadToTheRoot() {
    for count in 1...20 {
      let leaves = (0..<count).map { [UInt8($0), 7] }
      let root = MerkleTree.root(of: leaves)
      for index in 0..<count {
        let path = MerkleTree.path(to: index, among: leaves)
        let found = MerkleTree.root(over: leaves[index], at: index, of: count, path: path)
        #expect(found == root, "\(index) of \(count)")
        let other = MerkleTree.root(over: [99], at: index, of: count, path: path)
        #expect(other != root)
        #expect(
          MerkleTree.root(over: leaves[index], at: index, of: count, path: path + [[1]]) == nil)
      }
    }
  }
}
