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
    <p class="hint">Green says that the model was computed as it should be. Whether what it says about the picture is
    right is another question.</p>
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
    stored: of quantized results, the integers. <em>Saturated</em> elements have the smallest or the largest integer of
    their type, so they may stand for numbers beyond it; an end that stands for zero does not count, because an
    activation makes it.<span class="compared"> <em>SQNR</em> is how large the results of the other run are beside the
    difference from them, in decibels: 20 dB more is a tenth of the difference.</span><span class="wide"> <em>Spread</em>
    is a histogram from the smallest to the largest number.</span></p>
    <div class="scroll"><table id="layers"><thead></thead><tbody></tbody></table></div>
    </section>
    <section id="health" aria-labelledby="health-title">
    <h2 id="health-title">Quantization</h2>
    <p class="hint">The results with the largest shares of saturated elements. <em>Range in use</em> is the part of the
    type's range between their smallest and their largest number: the less of it is used, the coarser the numbers.</p>
    <div class="scroll"></div>
    </section>
    <section aria-labelledby="receipt-title">
    <h2 id="receipt-title">Receipt</h2>
    <p class="hint">The root is a hash of the model, the inputs and every number computed from them. Anyone who has the
    model and the inputs can compute it again with <code>ocellus receipt</code>: equal roots mean that everything is
    equal.</p>
    <dl id="receipt"></dl>
    </section>
    """
}
