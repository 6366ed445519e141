import Foundation
import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

@Suite struct WorkerTests {
  /// Returns the requests that some bytes contain.
  private func requests(_ bytes: [UInt8], _ form: RequestReader.Form) throws -> [WorkRequest] {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/requests"
    try FileSystem.write(bytes, to: path)
    var reader = RequestReader(try OpenFile(reading: path), form: form)
    var requests: [WorkRequest] = []
    while let request = try reader.next() { requests.append(request) }
    return requests
  }

  /// Returns a worker's answers to lines.
  private func answers(
    to lines: [String], _ arguments: [String]
  ) throws -> (run: ProgramRun, answers: [JSONObject]) {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/requests"
    try FileSystem.write(Array(lines.joined(separator: "\n").utf8), to: path)
    let run = ProgramRun(["worker"] + arguments + ["--requests", path])
    let answers = try run.output.split(separator: "\n").map { line in
      try #require(try JSONParser.parse(Array(line.utf8)).object)
    }
    return (run, answers)
  }

  /// An option of one kind of work is an error for the others.
  @Test(arguments: [
    ["fly"], ["evaluate", "-m", "m"], ["detect", "-m", "m", "--annotations", "truth.json"],
    ["detect"],
  ]) func wrongUsageIsTold(arguments: [String]) throws {
    #expect(try answers(to: [], arguments).run.code == (arguments == ["detect"] ? 0 : 2))
  }

  @Test func linesArePathsOrJSON() throws {
    let text = """
      a b.jpg\r

      {"id": "x", "path": "c.jpg"}
      {"data": "AQID"}
      {"id": 5, "inputs": {"image": "i.npy", "0": "j.npy"}}
      {"id": 6}
      {"id": 7, "path": "a", "data": "b"}
      {"id": 8, "data": "?"}
      {"id": 9, "paths": "a"}
      {"id": 10, "path": 3}
      {broken
      last
      """
    let found = try requests(Array(text.utf8), .lines)
    #expect(found.map(\.number) == Array(1...11))
    let identified = ["\"x\"", nil, "5", "6", "7", "8", "9", "10"]
    #expect(found.map { $0.id?.text } == [nil] + identified + [nil, nil])
    #expect(
      found.map { $0.source == nil } == [
        false, false, false, false, true, true, true, true, true, true, false,
      ])
    guard case .file("a b.jpg") = found[0].source, case .file("c.jpg") = found[1].source,
      case .contents([1, 2, 3]) = found[2].source, case .inputs(let inputs) = found[3].source
    else {
      Issue.record("\(found)")
      return
    }
    #expect(inputs.map(\.name) == ["image", "0"])
  }

  @Test func framesAreCutWhereTheyShouldBe() throws {
    let whole: [UInt8] = [2, 0, 0, 0, 7, 8, 0, 0, 0, 0]
    #expect(try requests(whole, .frames).count == 2)
    guard case .contents([7, 8]) = try requests(whole, .frames)[0].source else {
      Issue.record("another frame")
      return
    }
    for cut in [1, 2, 3, 5] {
      let problem = try requests(Array(whole[..<cut]), .frames).last?.problem
      #expect(problem?.contains("ends in") == true, "\(cut)")
    }
    #expect(
      try requests([255, 255, 255, 255, 1], .frames).first?.problem.contains("longer") == true)
  }

  @Test func base64IsThatOfFoundation() {
    var random = SeededGenerator(seed: 3)
    for count in 0..<50 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let text = Data(bytes).base64EncodedString()
      #expect(Base64.text(of: bytes) == text)
      #expect(Base64.bytes(of: text) == bytes)
      #expect(Base64.bytes(of: text + "\r\n") == bytes)
      #expect(Base64.bytes(of: text.trimmingCharacters(in: ["="])) == bytes)
    }
    #expect(Base64.bytes(of: "AQ=D") == nil)
    #expect(Base64.bytes(of: "A") == nil)
    #expect(Base64.bytes(of: "AQ ID") == nil)
  }

  @Test(arguments: [1, 2, 5])
  func answersComeInOrderAndNotTooManyAreOnTheWay(jobs: Int) throws {
    let accepted = Monitor(0)
    let answers = Monitor([Int]())
    let most = Monitor(0)
    let pipeline = RequestPipeline<Int>(
      (0..<jobs).map { _ in
        { @Sendable number in
          usleep(UInt32(number * 37 % 11) * 100)
          return [UInt8(number)]
        }
      }, isOrdered: true)
    try pipeline.run(
      next: {
        let number = accepted.change { number in
          number += 1
          return number - 1
        }
        most.change { $0 = max($0, number - answers.change(\.count)) }
        return number < 100 ? number : nil
      },
      write: { ready throws(FileError) in
        answers.change { $0 += ready.map { Int($0[0]) } }
      })
    #expect(answers.change(\.self) == Array(0..<100))
    #expect(most.change(\.self) <= 4 * jobs)
  }

  /// Answers that are ready when the slow first one ends are written together, in at most two
  /// writes.
  @Test func whatIsReadyIsWrittenAtOnce() throws {
    let numbers = Monitor(0)
    let others = Monitor(0)
    let writings = Monitor([Int]())
    let pipeline = RequestPipeline<Int>(
      (0..<2).map { _ in
        { @Sendable number in
          if number == 0 { others.wait { $0 == 7 ? () : nil } } else { others.change { $0 += 1 } }
          return [UInt8(number)]
        }
      }, isOrdered: true)
    try pipeline.run(
      next: {
        let number = numbers.change { number in
          number += 1
          return number - 1
        }
        return number < 8 ? number : nil
      },
      write: { ready throws(FileError) in writings.change { $0.append(ready.count) } })
    #expect(writings.change { $0.reduce(0, +) } == 8)
    #expect(writings.change(\.count) <= 2)
  }

  @Test func whatCannotBeWrittenEndsTheWork() throws {
    let pipeline = RequestPipeline<Int>(
      [{ @Sendable _ in [] }, { @Sendable _ in [] }], isOrdered: false)
    let error = FileError(failedAt: "somewhere", action: .written)
    #expect(throws: FileError.self) {
      try pipeline.run(next: { 1 }, write: { _ throws(FileError) in throw error })
    }
  }

  /// Answers equal those of the command, except times, and a failed request affects no other.
  @Test func answersAreThoseOfTheCommand() throws {
    let picture = CommandSamples.picture
    let data = Base64.text(of: try FileSystem.read(picture))
    let (run, answers) = try answers(
      to: [
        picture, "/nowhere.jpg", #"{"id": "b", "data": "\#(data)"}"#, #"{"id": 4, "data": "AAAA"}"#,
        #"{"id": 5, "inputs": {"a": "b"}}"#, "{",
      ], ["detect", "--jobs", "2", "--receipt"])
    #expect(run.code == 0)
    #expect(answers.map { $0["error"] == nil } == [true, false, true, false, false, false])
    #expect(answers.map { $0["id"]?.text } == [nil, nil, "\"b\"", "4", "5", nil])
    #expect(answers.map { $0["request"]?.integer } == [1, 2, nil, nil, nil, 6])
    let line = ProgramRun("detect", picture, "--jsonl").output
    let expected = try #require(JSONParser.parse(Array(line.utf8)).object)
    for name in ["model_sha256", "detections", "width", "height"] {
      #expect(answers[0][name] == expected[name], "\(name)")
      #expect(answers[2][name] == expected[name], "\(name)")
    }
    // The same picture by path and by value has the same receipt.
    #expect(answers[0]["receipt"] != nil && answers[0]["receipt"] == answers[2]["receipt"])
    #expect(run.errors.contains("6 requests"))
  }

  /// Numbers that the worker gives are told apart from all that callers may choose.
  @Test func numbersAreNoIdentifiers() throws {
    let (_, answers) = try answers(
      to: [
        "/nowhere.jpg", #"{"id": 1, "path": "/a"}"#, #"{"id": "1", "path": "/b"}"#,
        #"{"id": null, "path": "/c"}"#, #"{"id": {"request": 1}, "path": "/d"}"#,
        #"{"path": "/e"}"#,
      ], ["label", "--jobs", "1"])
    let signatures = answers.map { answer in
      answer.members.filter { ["id", "request"].contains($0.name) }
        .map { "\($0.name) \($0.value.text)" }
    }
    #expect(
      signatures == [
        ["request 1"], ["id 1"], ["id \"1\""], ["id null"], ["id {\"request\": 1}"],
        ["request 6"],
      ])
  }

  /// Large pictures are decoded at the size that the command uses.
  @Test(arguments: [[], ["--exact"], ["--roi", "100,100,900,900"]])
  func largePicturesAreTheSame(options: [String]) throws {
    let folder = try TemporaryDirectory()
    let large = folder.path + "/large.jpg"
    #expect(
      ProgramRun("image", CommandSamples.picture, "--resize", "2000x1400", "-o", large).code == 0)
    let (_, answers) = try answers(to: [large], ["detect", "--jobs", "1"] + options)
    let line = ProgramRun(["detect", large, "--jsonl"] + options).output
    let expected = try #require(JSONParser.parse(Array(line.utf8)).object)
    #expect(answers[0]["detections"] != nil && answers[0]["detections"] == expected["detections"])
  }

  @Test func tensorsAreRunLikeTheCommandDoes() throws {
    let picture = CommandSamples.picture
    let (run, answers) = try answers(
      to: [picture, picture], ["run", "-m", CommandSamples.labeler, "--jobs", "1"])
    #expect(run.code == 0)
    let line = ProgramRun("run", CommandSamples.labeler, "--input", picture, "--json").output
    let expected = try #require(JSONParser.parse(Array(line.utf8)).object)
    let whole = try #require(expected["outputs"]?.array?.first?.object)
    for answer in answers {
      let output = try #require(answer["outputs"]?.array?.first?.object)
      for name in ["name", "type", "shape", "minimum", "maximum", "mean"] {
        #expect(output[name] != nil && output[name] == whole[name], "\(name)")
      }
      let shape = output["shape"]?.array?.compactMap(\.integer) ?? []
      #expect(output["values"]?.array?.count == shape.reduce(1, *))
    }
  }

  /// The deadline of a request does not limit planning, which precedes all requests.
  @Test(
    arguments: [
      ([], .seconds(60)), (["--run-limit", "7"], .seconds(7)), (["--unlimited"], .seconds(1 << 40)),
    ] as [([String], Duration)])
  func deadlinesAreThoseOfRequests(options: [String], planning: Duration) throws {
    let arguments = ["run", "-m", "m", "--deadline", "5"] + options
    let parsed = try ArgumentParser(WorkerCommand.definition).parse(arguments)
    let budget = try WorkerCommand(parsed).options.budget
    #expect(budget.time == .milliseconds(5))
    #expect(budget.planningTime == planning)
  }

  @Test func asignalEndsItWhenAllIsAnswered() throws {
    let script = #"""
      mkfifo "$TMP/requests"
      "$0" "$@" < "$TMP/requests" > "$TMP/answers" 2> "$TMP/errors" &
      worker=$!
      exec 3> "$TMP/requests"
      for i in 1 2 3; do echo "PICTURE" >&3; done
      while [ ! -s "$TMP/answers" ]; do sleep 0.1; done
      kill -TERM $worker
      wait $worker
      echo "code $?"
      wc -l < "$TMP/answers"
      cat "$TMP/errors"
      """#.replacing("PICTURE", with: CommandSamples.picture)
    let run = try ProgramRun(inShell: script, ["worker", "label", "--jobs", "1"])
    #expect(run.output.hasPrefix("code 0\n3\n"), "\(run.output)")
    #expect(run.output.contains("3 requests"))
  }
}
