import Foundation
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusProfile
import OcellusTestSupport
import Testing

/// The page of a report, as a browser shows it.
///
/// Headless Chromium runs the page with a script that acts as a reader does and records what it
/// sees.
@Suite struct ReportPageTests {
  /// A script for the browser that acts as a reader does.
  private static let visit = #"""
    const rows = () => [...document.querySelectorAll("#layers tbody tr")];
    const nodes = () => rows().map((row) => Number(row.dataset.node));
    seen.nodes = nodes();
    const headings = [...document.querySelectorAll("#layers th button")];
    const slow = headings.find((button) => button.textContent === "µs");
    slow.click(); seen.slowestFirst = nodes(); slow.click(); seen.fastestFirst = nodes();
    seen.cells = rows().map((row) => [...row.cells].map((cell) => cell.textContent));
    rows()[0].dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    seen.isOpen = document.getElementById("detail").open;
    seen.title = document.getElementById("detail-title").textContent;
    seen.detail = document.getElementById("detail-body").textContent;
    document.querySelector("#detail form button").click();
    seen.isClosed = !document.getElementById("detail").open;
    document.getElementById("graph-open")?.click();
    seen.boxes = document.querySelectorAll("#graph [data-node]").length;
    document.querySelectorAll("#colors input")[1].click();
    seen.scale = document.getElementById("scale").textContent;
    seen.findings = [...document.querySelectorAll("#findings li")].map((item) => item.textContent);
    seen.receipt = document.getElementById("receipt").textContent;
    """#

  private func contents(of path: String) throws -> JSONValue {
    let model = try Model(path: path)
    let interpreter = try Interpreter(model, options: .init(runsNodesSeparately: true))
    try interpreter.fillInputs()
    var trace = Trace(.init(interpreter, model: path, level: .stats))
    interpreter.observer = Tracer(level: .stats) { trace.add($0) }
    try interpreter.run()
    try interpreter.fillInputs()
    let receipt = try ReceiptRecorder().receipt(of: interpreter)
    var report = AuditReport(model, trace: trace, receipt: receipt)
    report.times = try times(of: interpreter)
    return try report.json()
  }

  /// Times five runs with a clock that advances at each reading, by less in the last run.
  private func times(
    of interpreter: Interpreter, switchesPerRun: Int = 0
  ) throws -> NodeTimes? {
    interpreter.observer = nil
    var (time, switches, runCount) = (0, 0, 0)
    var counters = InterferenceCounters.none
    counters.involuntarySwitches = {
      switches += switchesPerRun
      return switches
    }
    let profiler = Profiler {
      time += runCount == 5 ? 1000 : 2000
      return time
    } counters: { _ in
      counters
    }
    for _ in 0..<5 {
      runCount += 1
      try profiler.record(interpreter)
    }
    return NodeTimes(profiler)
  }

  private func visit(_ page: String) throws -> JSONObject {
    let seen = try Browser.visit(page, doing: Self.visit)
    return try #require(try JSONParser.parse(Array(seen)).object)
  }

  @Test(
    .enabled(if: Browser.path != nil, "there is no Chromium"), arguments: PackageFiles.models)
  func readersFindTheirWay(path: String) throws {
    let contents = try contents(of: path)
    let seen = try visit(ReportPage(contents).html)
    let nodes = try #require(contents.object?["nodes"]?.array)
    let numbers = try nodes.map { try #require($0.object?["node"]?.integer) }
    #expect(seen["errors"] == [])
    #expect(seen["requests"] == 0)
    #expect(seen["nodes"] == .integers(numbers))
    #expect(seen["boxes"] == .integer(numbers.count))
    // The page sorts nodes without a time before the fastest.
    let times = nodes.map { $0.object?["microseconds"]?.number ?? -1 }
    #expect(times.max() == 2)
    let fastest = numbers.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    #expect(seen["fastestFirst"] == .integers(fastest))
    #expect(
      (seen["slowestFirst"]?.array ?? []).compactMap(\.integer).map { times[$0] }
        == times.sorted(by: >))
    #expect(seen["isOpen"] == true && seen["isClosed"] == true)
    let shown = fastest[0]
    let name = try #require(nodes[shown].object?["operator"]?.string)
    #expect(seen["title"]?.string == "Node \(shown) · \(name)")
    #expect(
      seen["detail"]?.string?.contains(try #require(nodes[shown].object?["runs_as"]?.string))
        == true)
    let findings = (contents.object?["findings"]?.array ?? []).map { $0.object?["text"] ?? .null }
    #expect(seen["findings"] == .array(findings))
    let root = contents.object?["receipt"]?.object?["root"]?.string ?? "none"
    #expect(seen["receipt"]?.string?.contains(root) == true)
    try expectNumbers(seen["cells"]?.array ?? [], of: nodes, in: fastest)
  }

  /// Expects that every number of the table equals the JSON's, rounded to the digits shown.
  private func expectNumbers(
    _ cells: [JSONValue], of nodes: [JSONValue], in order: [Int]
  ) throws {
    #expect(cells.count == order.count)
    for (row, node) in zip(cells, order) {
      let texts = (row.array ?? []).map { $0.string ?? "" }
      let object = try #require(nodes[node].object)
      let statistics = object["outputs"]?.array?.first?.object?["statistics"]?.object
      #expect(texts[0] == "\(node)")
      #expect(texts[1] == object["operator"]?.string)
      for (text, value) in [
        (texts[3], object["microseconds"]), (texts[4], object["multiply_adds"]),
        (texts[5], statistics?["minimum"]), (texts[6], statistics?["maximum"]),
        (texts[7], statistics?["mean"]),
      ] {
        let shown = Double(text.filter { $0 != "," }) ?? 0
        let number = value?.number ?? 0
        #expect(abs(shown - number) <= 1e-3 * abs(number), "node \(node): \(text) for \(number)")
      }
    }
  }

  /// Times of one run, or of disturbed runs, are neither shown nor coloured.
  @Test(.enabled(if: Browser.path != nil, "there is no Chromium"), arguments: [false, true])
  func timesAreNotShownIfTheyAreNoise(areTimed: Bool) throws {
    let path = PackageFiles.models[0]
    let interpreter = try Interpreter(Model(path: path), options: .init(runsNodesSeparately: true))
    try interpreter.fillInputs()
    var contents = try #require(contents(of: path).object)
    let times = areTimed ? try times(of: interpreter, switchesPerRun: 1) : nil
    #expect(times?.microseconds(of: 0) == nil)
    let nodes = try #require(contents["nodes"]?.array).compactMap(\.object)
    contents =
      contents + [
        "timing": times?.json ?? .null,
        "nodes": .array(nodes.map { .object($0 + ["microseconds": .null]) }),
      ]
    let seen = try #require(
      try JSONParser.parse(
        Array(
          Browser.visit(
            ReportPage(.object(contents)).html,
            doing: #"""
              seen.headings = [...document.querySelectorAll("#layers th")].map((h) => h.textContent);
              seen.colors = document.getElementById("colors").textContent;
              seen.facts = document.getElementById("facts").textContent;
              """#))
      ).object)
    #expect(seen["errors"] == [])
    #expect(seen["headings"]?.array?.contains("µs") == false)
    #expect(seen["colors"]?.string?.contains("time") == false)
    #expect(seen["facts"]?.string?.contains("interrupted 5 of 5 runs") == areTimed)
  }

  /// The median of several runs is reported, with the number of runs.
  @Test func nodesAreTimedInSeveralRuns() throws {
    let interpreter = try Interpreter(Model(path: PackageFiles.models[0]))
    try interpreter.fillInputs()
    let report = try AuditReport(of: interpreter, named: "model")
    let timing = try #require(try report.json().object?["timing"]?.object)
    #expect((3...15).contains(timing["runs"]?.integer ?? 0))
    #expect((timing["run_ms"]?.number ?? 0) > 0)
  }

  /// Names from a model's file are text: they cannot end the page's script.
  @Test func namesAreNoMarkup() throws {
    let contents: JSONValue = ["model": "</script><script>alert(1)</script>"]
    let html = ReportPage(contents).html
    #expect(html.components(separatedBy: "<script").count == 3)
    #expect(!html.contains("http://") || html.contains("http://www.w3.org/2000/svg"))
    #expect(!html.contains("https://"))
  }
}
