package import OcellusJSON
import OcellusPages

/// The report of an audit as one self-contained HTML page.
///
/// The page's script makes everything from the JSON in the page, so page and JSON cannot disagree.
package struct ReportPage {
  private let contents: JSONValue

  package init(_ contents: JSONValue) { self.contents = contents }

  /// The page.
  package var html: String {
    Page(
      title: "Audit", contents: contents, style: Self.style, body: Self.body, script: Self.script
    ).html
  }

  /// The page's elements, which the script fills.
  private static let body = """
    <header>
    <h1 id="title">Audit</h1>
    <p id="subtitle"></p>
    <ul id="findings" aria-label="Findings"></ul>
    <dl id="facts"></dl>
    </header>
    <section id="pictures" aria-label="Pictures"></section>
    <section aria-labelledby="graph-title">
    <h2 id="graph-title">Graph</h2>
    <fieldset id="colors"><legend>Colour by</legend></fieldset>
    <p id="scale"></p>
    <div id="graph" tabindex="0" role="group" aria-label="Nodes of the graph"></div>
    </section>
    <section aria-labelledby="layers-title">
    <h2 id="layers-title">Layers</h2>
    <p class="hint">Headings sort; a row opens its node.</p>
    <div class="scroll"><table id="layers"><thead></thead><tbody></tbody></table></div>
    </section>
    <section id="health" aria-labelledby="health-title">
    <h2 id="health-title">Quantization</h2><div class="scroll"></div>
    </section>
    <section aria-labelledby="receipt-title">
    <h2 id="receipt-title">Receipt</h2>
    <dl id="receipt"></dl>
    </section>
    """
}
