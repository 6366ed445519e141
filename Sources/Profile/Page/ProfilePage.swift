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
    <p class="hint">Every step as large as its time; colours are operators. A step opens.</p>
    <div id="map" class="scroll"></div>
    </section>
    <section id="roof-section" aria-labelledby="roof-title">
    <h2 id="roof-title">Roofline</h2>
    <p class="hint">Steps that multiply, by multiply-adds for each byte that they move. Lines are what this
    machine can do: slanted ones by how fast bytes come, level ones by how fast it multiplies. Dots are as
    large as their steps' times. Steps whose times are noise are left out.</p>
    <div id="roof" class="scroll"></div>
    </section>
    <section aria-labelledby="line-title">
    <h2 id="line-title">A typical run</h2>
    <p class="hint" id="line-hint"></p>
    <div id="line" class="scroll"></div>
    </section>
    <section id="arena-section" aria-labelledby="arena-title">
    <h2 id="arena-title">Memory of computed tensors</h2>
    <p class="hint">From left to right, who holds which bytes of the arena, and when.</p>
    <fieldset id="arena-axes"><legend>From left to right</legend></fieldset>
    <div id="arena" class="scroll"></div>
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
    svg .step:hover, svg .step:focus { stroke: var(--ink); stroke-width: 2; }
    #map rect, #line rect, #arena rect { stroke: var(--ground); stroke-width: 1; }
    #map text, #arena text { fill: #10151a; pointer-events: none; }
    #roof line, #roof path { stroke: var(--soft); fill: none; }
    #roof .roof { stroke: var(--accent); stroke-width: 1.5; }
    #roof .grid { stroke: var(--line); }
    #roof circle { fill-opacity: .75; stroke: var(--ground); }
    """
}
