import Foundation
import OcellusEngine
import OcellusJSON
import OcellusProfile
import OcellusTestSupport
import Testing

/// The page of a profile, as a browser shows it.
@Suite struct ProfilePageTests {
  /// A script for the browser that acts as a reader does.
  private static let visit = #"""
    const rows = () => [...document.querySelectorAll("#steps tbody tr")];
    const places = () => rows().map((row) => row.dataset.node);
    seen.slowestFirst = places();
    const headings = [...document.querySelectorAll("#steps th button")];
    headings.find((button) => button.textContent === "ms").click();
    seen.fastestFirst = places();
    seen.cells = rows().map((row) => [...row.cells].map((cell) => cell.textContent));
    rows()[0].dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    seen.isOpen = document.getElementById("detail").open;
    seen.title = document.getElementById("detail-title").textContent;
    document.querySelector("#detail form button").click();
    seen.isClosed = !document.getElementById("detail").open;
    for (const id of ["map", "roof", "line", "arena"])
      seen[id] = document.querySelectorAll("#" + id + " svg .step, #arena svg rect").length;
    const left = () => [...document.querySelectorAll("#arena svg rect")].map((shape) => Number(shape.getAttribute("x")));
    const byNode = left();
    document.querySelectorAll("#arena-axes input")[1].click();
    seen.arenaAxes = [byNode.length === left().length, left().every((x) => x >= 0 && x <= innerWidth),
      left().some((x, position) => x !== byNode[position])];
    seen.odd = [...document.querySelectorAll("svg *")].filter((shape) => [...shape.attributes].some(
      (attribute) => /NaN|Infinity|undefined/.test(attribute.value))).length;
    document.querySelectorAll("#groupings input")[2].click();
    seen.groups = [...document.querySelectorAll("#groups tbody tr")].map((row) => row.cells[0].textContent);
    seen.findings = document.querySelectorAll("#findings li").length;
    const width = document.documentElement.clientWidth;
    seen.cut = [...document.querySelectorAll("svg")].filter(
      (drawn) => drawn.getBoundingClientRect().right > width).length;
    seen.legend = document.querySelectorAll("#legend li").length;
    """#

  private func contents(_ path: String, threads: Int) throws -> JSONObject {
    let interpreter = try Interpreter(Model(path: path), options: .init(threads: threads))
    try interpreter.fillInputs()
    let profile = try Profile(of: interpreter, options: .init(runs: 3))
    let about: JSONObject = [
      "model": .string(path), "load_ms": .number(1), "planning_ms": .number(1), "signature": .null,
    ]
    return about + profile.json + profile.pictures
  }

  @Test(
    .enabled(if: Browser.path != nil, "there is no Chromium"), arguments: PackageFiles.models,
    [1, 2])
  func readersFindTheirWay(path: String, threads: Int) throws {
    let contents = try contents(path, threads: threads)
    let page = ProfilePage(.object(contents)).html
    let seen = try #require(
      try JSONParser.parse(Array(Browser.visit(page, doing: Self.visit))).object)
    let steps = try #require(contents["steps"]?.array).compactMap(\.object)
    let times = steps.map { $0["ms"]?.number ?? 0 }
    let fastest = steps.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    func places(_ order: [Int]) -> JSONValue {
      .array(order.map { .string("\(steps[$0]["node"]?.integer ?? -1)") })
    }
    #expect(seen["errors"] == [] && seen["requests"] == 0 && seen["odd"] == 0)
    #expect(seen["fastestFirst"] == places(fastest))
    #expect(seen["isOpen"] == true && seen["isClosed"] == true)
    let first = steps[fastest[0]]
    #expect(
      seen["title"]?.string
        == "Node \(first["node"]?.integer ?? -1) · \(first["operator"]?.string ?? "")")
    for id in ["map", "roof", "line", "arena"] {
      #expect((seen[id]?.integer ?? 0) > 0, "nothing in #\(id)")
    }
    #expect(seen["arenaAxes"] == [true, true, true])
    #expect(seen["cut"] == 0 && seen["legend"]?.integer ?? 0 > 0)
    #expect((seen["groups"]?.array ?? []).count > 1)
    let isNoise = contents["noise"]?.object?["reason"] != .null
    #expect(isNoise ? seen["findings"] == 1 : (seen["findings"]?.integer ?? 0) >= 3)
    try expectNumbers(seen["cells"]?.array ?? [], of: fastest.map { steps[$0] })
    #expect(page.utf8.count < 3 << 20)
  }

  /// Expects that every number of the table equals the JSON's, rounded to the digits shown.
  private func expectNumbers(_ cells: [JSONValue], of steps: [JSONObject]) throws {
    #expect(cells.count == steps.count)
    for (row, step) in zip(cells, steps) {
      let texts = (row.array ?? []).map { $0.string ?? "" }
      #expect(texts[1] == step["operator"]?.string)
      let multiplies = step["multiply_adds"]?.integer != 0
      for (text, value, digits) in [
        (texts[3], step["ms"], 4), (texts[6], step["multiply_adds"], 9),
        (texts[7], multiplies ? step["gmac_per_s"] : 0, 4), (texts[8], step["gb_per_s"], 3),
      ] {
        let shown = Double(text.filter { $0 != "," }) ?? 0
        let number = value?.number ?? 0
        var tolerance = abs(number)
        for _ in 0..<digits - 1 { tolerance /= 10 }
        #expect(abs(shown - number) <= tolerance, "\(texts): \(text) for \(number)")
      }
    }
  }

  /// Of times that are noise, the page states no finding and draws no roofline, and says why.
  @Test(.enabled(if: Browser.path != nil, "there is no Chromium"), arguments: [false, true])
  func nothingIsConcludedFromNoise(isNoise: Bool) throws {
    let contents = try contents(PackageFiles.models[0], threads: 1)
    let changed =
      contents + [
        "noise": [
          "runs": 60, "left_out": 51, "involuntary_switches": 99, "stolen_ms": 0,
          "reason": isNoise ? "other work interrupted 58 of 60 runs" : .null,
        ],
        "limits": .object((contents["limits"]?.object ?? [:]) + ["is_disturbed": false]),
      ]
    let visit = #"""
      seen.dots = document.querySelectorAll("#roof circle").length;
      seen.roof = document.getElementById("roof").textContent;
      seen.findings = [...document.querySelectorAll("#findings li")].map((item) => item.textContent);
      seen.facts = document.getElementById("facts").textContent;
      """#
    let page = ProfilePage(.object(changed)).html
    let seen = try #require(try JSONParser.parse(Array(Browser.visit(page, doing: visit))).object)
    let findings = (seen["findings"]?.array ?? []).compactMap(\.string)
    #expect(seen["errors"] == [])
    if isNoise {
      #expect(findings.count == 1 && findings[0].contains("other work interrupted 58 of 60 runs"))
      #expect(seen["dots"] == 0)
      #expect(seen["roof"]?.string?.contains("other work interrupted 58 of 60 runs") == true)
    } else {
      #expect(findings.contains { $0.contains("51 of 60 runs were left out") })
      #expect((seen["dots"]?.integer ?? 0) > 0)
    }
    // Every time of a run says which run it is.
    for name in ["Run", "Timed run", "Sum of steps", "Recorded run"] {
      #expect(seen["facts"]?.string?.contains(name) == true)
    }
  }

  /// A profile without steps has a page, too.
  @Test(.enabled(if: Browser.path != nil, "there is no Chromium"))
  func nothingIsShownOfNothing() throws {
    let contents: JSONObject = [
      "model": "</script><b>", "load_ms": 0, "signature": .null, "instruction_set": "reference",
      "threads": 1, "planning_ms": 0, "packed_bytes": 0, "first_ms": 0, "runs": 1,
      "run_ms": TimeStatistics([0]).json, "watched_ms": TimeStatistics([0]).json, "steps_ms": 0,
      "overhead": 0, "accounted": 0, "multiply_adds": 0, "limits": .null, "of_limit": .null,
      "noise": ["runs": 2, "left_out": 0, "reason": .null],
      "counters": ["counted": [], "reason": .null], "steps": [],
      "timeline": ["microseconds": 0, "runs": 1, "is_cut_short": false, "spans": []], "arena": [],
    ]
    let html = ProfilePage(.object(contents)).html
    #expect(html.components(separatedBy: "<script").count == 3)
    let seen = try JSONParser.parse(
      Array(Browser.visit(html, doing: "seen.title = document.title;")))
    #expect(
      seen.object?["errors"] == [] && seen.object?["title"]?.string == "Profile of script><b>")
  }
}
