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
      title: "Audit", contents: contents, style: Page.graphStyle + "\n" + Self.style,
      body: Self.body, script: Page.graphScript + "\n" + Self.script
    ).html
  }

  /// The page's elements, which the script fills.
  private static let body = """
    <header>
    <h1 id="title">Audit</h1>
    <ul id="findings" aria-label="Findings"></ul>
    <dl id="facts"></dl>
    </header>
    <section id="pictures" aria-label="Pictures"></section>
    <section aria-labelledby="graph-title">
    <h2 id="graph-title">Graph</h2>
    <fieldset id="colors"><legend>Colour by</legend></fieldset>
    <p id="scale"></p>
    \(Page.graphBody)
    </section>
    <section aria-labelledby="layers-title">
    <h2 id="layers-title">Layers</h2>
    <p class="hint">Headings sort; a row opens its node. The numbers are those of the node's first result, as they are
    stored. <em>Saturated</em> elements have the smallest or the largest number of their type, so they may stand for
    numbers beyond it.<span class="compared"> <em>SQNR</em> is the ratio of the results of what this was compared with to
    the difference from them, in decibels: 20 dB more is a tenth of the difference. It is empty where there is
    none.</span> <em>Spread</em> is how many elements have which numbers, from the smallest to the largest.</p>
    <div class="scroll"><table id="layers"><thead></thead><tbody></tbody></table></div>
    </section>
    <section id="health" aria-labelledby="health-title">
    <h2 id="health-title">Quantization</h2>
    <p class="hint">The results of which most is saturated. <em>Steps in use</em> is how much of the type's range
    lies between their smallest and their largest number: the less, the coarser the numbers.</p>
    <div class="scroll"></div>
    </section>
    <section aria-labelledby="receipt-title">
    <h2 id="receipt-title">Receipt</h2>
    <p class="hint">The root is a hash of the model, the inputs and every number computed from them. Who has the model and
    the inputs can make it anew with <code>ocellus receipt</code>; if the roots are equal, so is everything.</p>
    <dl id="receipt"></dl>
    </section>
    """
}
