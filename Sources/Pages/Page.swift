package import OcellusJSON

/// A report as one self-contained HTML page.
///
/// The page's script makes everything from the JSON in the page, so page and JSON cannot disagree.
/// Only the last line is no part of the JSON: which program made the page, and when.
package struct Page {
  private let title: String
  private let contents: JSONValue
  private let style: String
  private let body: String
  private let script: String

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - title: The title until the script has read the contents.
  ///   - contents: The JSON that the script reads as `report`.
  ///   - style: CSS rules beyond those of all pages.
  ///   - body: The elements that the script fills.
  ///   - script: The script, which may use the functions of `commonScript`.
  package init(title: String, contents: JSONValue, style: String, body: String, script: String) {
    (self.title, self.contents) = (title, contents)
    (self.style, self.body, self.script) = (style, body, script)
  }

  /// The HTML text.
  package var html: String {
    // In an inline script only `</script` ends the script, so escape `<`, which tensor names may
    // contain.
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
      <footer id="origin">\(PageOrigin.current.text)</footer>
      <noscript>This page is made by the script in it, which is switched off.</noscript>
      </main>
      <script type="application/json" id="contents">\(json)</script>
      <script>\(Self.commonScript)
      \(script)</script>
      </body>
      </html>

      """
  }

  /// A dialog for the details of one item.
  private static let detail = """
    <dialog id="detail" aria-labelledby="detail-title">
    <form method="dialog"><button aria-label="Close">×</button></form>
    <h2 id="detail-title"></h2><div id="detail-body"></div>
    </dialog>
    """
}
