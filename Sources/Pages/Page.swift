package import OcellusJSON

/// A report as one page that needs nothing else: no network, no other file.
///
/// All it shows is made by its script from the JSON inside it, so that no number can be another.
package struct Page {
  private let title: String
  private let contents: JSONValue
  private let style: String
  private let body: String
  private let script: String

  /// A page of some contents.
  ///
  /// - Parameters:
  ///   - title: What it is called before the script has read the contents.
  ///   - contents: What `report` is for the script.
  ///   - style: Its looks beyond those that all pages have.
  ///   - body: What is there before the script fills it.
  ///   - script: Fills it, with the functions of `commonScript`.
  package init(title: String, contents: JSONValue, style: String, body: String, script: String) {
    (self.title, self.contents) = (title, contents)
    (self.style, self.body, self.script) = (style, body, script)
  }

  /// The page.
  package var html: String {
    // Inside a page's script only this ends it, whatever names tensors have.
    let json = contents.text.split(separator: "<", omittingEmptySubsequences: false)
      .joined(separator: "\\u003c")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <link rel="icon" href="data:,">
      <title>\(title)</title>
      <style>\(Self.commonStyle)
      \(style)</style>
      </head>
      <body>
      <main>\(body)
      \(Self.detail)
      <noscript>This page is made by the script in it, which is switched off.</noscript>
      </main>
      <script type="application/json" id="contents">\(json)</script>
      <script>\(Self.commonScript)
      \(script)</script>
      </body>
      </html>

      """
  }

  /// Where one thing is shown by itself.
  private static let detail = """
    <dialog id="detail" aria-labelledby="detail-title">
    <form method="dialog"><button aria-label="Close">×</button></form>
    <h2 id="detail-title"></h2><div id="detail-body"></div>
    </dialog>
    """
}
