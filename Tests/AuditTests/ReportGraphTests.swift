import Foundation
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusTestSupport
import Testing

/// The graph of a report, as a browser shows it to a reader who moves, enlarges and searches it.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium"))
struct ReportGraphTests {
  /// A script for the browser that acts as a reader does.
  private static let visit = #"""
    const get = (id) => document.getElementById(id);
    const frame = get("graph"), layer = frame.querySelector("svg > g");
    const nodes = () => [...frame.querySelectorAll("[data-node]")];
    const view = () => layer.getAttribute("transform");
    const isInside = () => {
      const bounds = frame.getBoundingClientRect();
      return [...frame.querySelectorAll("g[role] rect")].every((box) => {
        const own = box.getBoundingClientRect();
        return own.left >= bounds.left - 1 && own.right <= bounds.right + 1 && own.top >= bounds.top - 1 &&
          own.bottom <= bounds.bottom + 1;
      });
    };
    const overlaps = () => {
      const boxes = nodes().map((node) => node.querySelector("rect").getBoundingClientRect());
      return boxes.filter((a, i) => boxes.some((b, j) => j > i && a.left < b.right - .01 && b.left < a.right - .01 &&
        a.top < b.bottom - .01 && b.top < a.bottom - .01)).length;
    };
    const does = (act) => { const before = view(); act(); return view() !== before; };
    const press = (key) => frame.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const wheel = (more) => frame.dispatchEvent(
      new WheelEvent("wheel", { deltaY: -100, bubbles: true, cancelable: true, ...more }));
    const point = (type, x, y) => nodes()[0].dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x,
      clientY: y, bubbles: true }));

    get("graph-close").click();
    seen.closed = nodes().length; seen.closedGroups = [...frame.querySelectorAll("[data-group]")].map((g) => g.dataset.group);
    seen.isInsideClosed = isInside();
    frame.querySelector("[data-group]").dispatchEvent(new MouseEvent("click", { bubbles: true }));
    seen.opened = nodes().length;
    get("graph-open").click();
    seen.open = nodes().map((node) => Number(node.dataset.node)).sort((a, b) => a - b);
    seen.isInsideOpen = isInside(); seen.overlaps = overlaps();
    seen.odd = [...frame.querySelectorAll("svg *")].filter((shape) => [...shape.attributes].some(
      (attribute) => /NaN|Infinity|undefined/.test(attribute.value))).length;

    document.activeElement.blur();
    seen.moves = { wheelOfThePage: does(() => wheel({})), wheel: does(() => wheel({ ctrlKey: true })),
      enlarged: does(() => get("graph-in").click()), reduced: does(() => press("-")), sideways: does(() => press("ArrowLeft")),
      dragged: does(() => { point("pointerdown", 90, 90); point("pointermove", 120, 130); point("pointerup", 120, 130); }) };
    nodes()[0].dispatchEvent(new MouseEvent("click", { bubbles: true }));
    seen.dragOpens = get("detail").open;
    nodes()[0].dispatchEvent(new MouseEvent("click", { bubbles: true }));
    seen.clickOpens = get("detail").open;
    document.querySelector("#detail form button").click();
    press("0"); seen.isInsideAgain = isInside();

    get("graph-close").click();
    get("graph-search").value = "NEEDLE";
    get("graph-search").dispatchEvent(new Event("input"));
    seen.hits = get("graph-hits").textContent;
    get("graph-search").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    seen.hit = [...frame.querySelectorAll(".hit")].map((node) => Number(node.dataset.node));
    seen.place = get("graph-hits").textContent;
    seen.origin = get("origin").textContent;
    seen.isWide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
    """#

  /// Nodes in a chain, whose names have these scopes.
  private func contents(_ scopes: [String]) -> JSONValue {
    let nodes = scopes.enumerated().map { index, scope -> JSONValue in
      [
        "node": .integer(index), "operator": "ADD", "version": 1, "runs_as": "own step",
        "multiply_adds": 0, "microseconds": .null, "options": [:],
        "inputs": .integers(index == 0 ? [0] : [index, max(index - 3, 0)]),
        "outputs": [
          [
            "tensor": .integer(index + 1), "name": .string("\(scope)x\(index)"),
            "type": "float32", "shape": [1, 4], "scale": .null, "zero_point": .null, "scales": 0,
            "statistics": .null,
          ]
        ],
        "sqnr_db": .null, "different": .null, "largest": .null, "origin": .null, "map": .null,
      ]
    }
    return [
      "model": "m.tflite", "model_sha256": "", "model_bytes": 1, "description": "",
      "instruction_set": "reference", "threads": 1, "multiply_adds": 0,
      "node_runs": .integer(scopes.count), "timing": .null, "memory_bytes": 1, "findings": [],
      "compared_with": .null, "inputs": [], "tensors": [], "nodes": .array(nodes), "pictures": [],
      "receipt": ["root": "", "numerics": "", "inputs": []],
    ]
  }

  @Test func readersFindTheirWay() throws {
    // Two stages of twelve nodes, one with an inner group, interleaved with nodes of no group.
    let scopes =
      (0..<12).map { $0 < 5 ? "net/first/inner/" : "net/first/" } + ["net/", "net/"]
      + (0..<12).map { _ in "net/second/" } + ["net/first/needle", "net/"]
    let html = ReportPage(contents(scopes)).html
    let seen = try #require(
      try JSONParser.parse(Array(Browser.visit(html, doing: Self.visit))).object)
    #expect(seen["errors"] == [] && seen["requests"] == 0 && seen["odd"] == 0)
    // A scope around everything is no group.
    #expect(seen["closedGroups"] == ["first", "second"])
    #expect(seen["closed"] == 3 && seen["opened"]?.integer ?? 0 > 3)
    #expect(seen["open"] == .integers(Array(scopes.indices)))
    #expect(seen["overlaps"] == 0)
    for name in ["isInsideClosed", "isInsideOpen", "isInsideAgain"] {
      #expect(seen[name] == true, "\(name)")
    }
    // The wheel scrolls the page until the graph is clicked.
    #expect(
      seen["moves"] == [
        "wheelOfThePage": false, "wheel": true, "enlarged": true, "reduced": true,
        "sideways": true, "dragged": true,
      ])
    #expect(seen["dragOpens"] == false && seen["clickOpens"] == true)
    #expect(seen["hits"] == "1 found" && seen["place"] == "1 of 1" && seen["hit"] == [26])
    #expect(seen["isWide"] == false)
  }

  /// Graphs of hundreds of nodes without any groups fit their frame, too.
  @Test func largeGraphsFit() throws {
    let html = ReportPage(contents((0..<400).map { _ in "" })).html
    let visit = #"""
      const bounds = document.getElementById("graph").getBoundingClientRect();
      const boxes = [...document.querySelectorAll("#graph [data-node] rect")].map((box) => box.getBoundingClientRect());
      seen.count = boxes.length;
      seen.areInside = boxes.every((box) => box.left >= bounds.left && box.right <= bounds.right &&
        box.top >= bounds.top && box.bottom <= bounds.bottom);
      seen.width = Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left));
      seen.share = seen.width / bounds.width;
      """#
    let seen = try #require(try JSONParser.parse(Array(Browser.visit(html, doing: visit))).object)
    #expect(seen["errors"] == [] && seen["count"] == 400 && seen["areInside"] == true)
    // The frame is used, although the nodes are one chain.
    #expect(seen["share"]?.number ?? 0 > 0.6)
  }

  /// Names from a model's file stay text in the graph, too.
  @Test func namesOfGroupsAreNoMarkup() throws {
    let scope = "<img src=x onerror=document.title='bad'>/"
    let html = ReportPage(contents(["a", "a"].map { _ in scope } + ["b/", "b/"])).html
    let visit = #"""
      document.getElementById("graph-close").click();
      seen.title = document.title; seen.images = document.querySelectorAll("#graph img").length;
      seen.names = [...document.querySelectorAll("#graph [data-group]")].map((group) => group.dataset.group);
      """#
    let seen = try #require(try JSONParser.parse(Array(Browser.visit(html, doing: visit))).object)
    #expect(seen["errors"] == [] && seen["images"] == 0 && seen["title"] == "Audit of m.tflite")
    #expect(seen["names"] == .strings([String(scope.dropLast()), "b"]))
  }
}
