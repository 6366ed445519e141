package import OcellusJSON
import OcellusPages

/// A profile as one self-contained HTML page.
package struct ProfilePage {
  private let contents: JSONValue

  /// Makes a page from the JSON of `profile --json` and `Profile.pictures`.
  package init(_ contents: JSONValue) { self.contents = contents }

  /// The page.
  package var html: String {
    Page(
      title: "Profile", contents: contents, style: Self.style, body: Self.body,
      script: Self.script
    ).html
  }

  private static let body = """
    <header>
    <h1 id="title">Profile</h1>
    <p id="subtitle"></p>
    <ul id="findings" aria-label="Findings"></ul>
    <dl id="facts"></dl>
    </header>
    <section id="map-section" aria-labelledby="map-title">
    <h2 id="map-title">Where the time goes</h2>
    <p class="hint">Each rectangle is a step of the model, as large as its share of the time. Its colour is its
    operator's. Click one to see its numbers.</p>
    <ul id="legend" aria-label="Colours of operators"></ul>
    <div id="map"></div>
    </section>
    <section id="roof-section" aria-labelledby="roof-title">
    <h2 id="roof-title">Roofline</h2>
    <p class="hint">How fast the steps multiply (upwards), by the multiply-adds that they do for each byte they move
    (to the right). The lines are what this machine can do: slanted ones are how fast bytes come from a cache or from
    memory, level ones how fast it multiplies. A dot far below all lines could be faster. Dots are as
    large as their steps' times; steps whose times are noise are left out.</p>
    <div id="roof"></div>
    </section>
    <section aria-labelledby="line-title">
    <h2 id="line-title">A typical run</h2>
    <p class="hint" id="line-hint"></p>
    <div id="line"></div>
    </section>
    <section id="arena-section" aria-labelledby="arena-title">
    <h2 id="arena-title">Memory of computed tensors</h2>
    <p class="hint">The computed tensors share one block of memory, the arena, of <span id="arena-size"></span> bytes.
    Each rectangle is a tensor: its height is its place and size in the arena, its length how long it is needed. Its
    name appears under the pointer.</p>
    <fieldset id="arena-axes"><legend>From left to right</legend></fieldset>
    <div id="arena"></div>
    </section>
    <section aria-labelledby="groups-title">
    <h2 id="groups-title">Groups</h2>
    <p class="hint"><em>Of limit</em> is the sum of the steps' limits divided by the sum of their times, without steps
    that have no limit.</p>
    <fieldset id="groupings"><legend>By</legend></fieldset>
    <div class="scroll"><table id="groups"><thead></thead><tbody></tbody></table></div>
    </section>
    <section aria-labelledby="steps-title">
    <h2 id="steps-title">Steps</h2>
    <p class="hint">Headings sort; a row opens its step. <em>ms</em> is the median of the timed runs, <em>± %</em>
    half of their interquartile range, <em>limit ms</em> the shortest time that the step could take on this machine,
    and <em>of limit</em> that limit divided by <em>ms</em>; it is left out if the times are noise.</p>
    <div class="scroll"><table id="steps"><thead></thead><tbody></tbody></table></div>
    </section>
    """

  private static let style = """
    svg a, svg .step { cursor: pointer; }
    #legend { list-style: none; margin: 0 0 10px; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 18px; }
    #legend svg { display: inline-block; margin-right: 6px; } #arena { margin-top: 8px; }
    #roof .over { paint-order: stroke; stroke: var(--ground); stroke-width: 3px; }
    svg .step:hover, svg .step:focus { stroke: var(--ink); stroke-width: 2; }
    #map rect, #line rect, #arena rect { stroke: var(--ground); stroke-width: 1; }
    #map text, #arena text { fill: #10151a; pointer-events: none; }
    #roof line, #roof path { stroke: var(--soft); fill: none; }
    #roof .roof { stroke: var(--accent); stroke-width: 1.5; }
    #roof .grid { stroke: var(--line); }
    #roof circle { fill-opacity: .75; stroke: var(--ground); }
    """
}
