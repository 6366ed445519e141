package import Foundation

/// Headless Chromium, which loads a page and runs a script in it that acts as a reader does.
package enum Browser {
  /// The path of the browser, if it is installed.
  package static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The script did not end.
  package struct Silence: Error {
    /// The page at that time.
    package let page: String
  }

  /// Loads a page, runs a script in it, and returns the script's `seen` as JSON.
  ///
  /// `seen.errors` holds the messages of errors, and `seen.requests` the number of loaded
  /// resources.
  package static func visit(_ page: String, doing script: String) throws -> Data {
    let folder = try TemporaryDirectory()
    let file = "\(folder.path)/page.html"
    let visit = #"""
      <pre id="seen"></pre><script>
      {
      const seen = { errors: [] };
      addEventListener("error", (event) => seen.errors.push(event.message));
      \#(script)
      seen.requests = performance.getEntriesByType("resource").length;
      document.getElementById("seen").textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen))));
      }
      </script>
      """#
    try Data(page.replacing("</body>", with: visit + "</body>").utf8)
      .write(to: URL(filePath: file))
    let process = Process()
    process.executableURL = URL(filePath: path ?? "")
    process.arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)/profile",
      "--virtual-time-budget=5000", "--dump-dom", "file://\(file)",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let match = text.firstMatch(of: /<pre id="seen">([A-Za-z0-9+\/=]+)<\/pre>/),
      let seen = Data(base64Encoded: String(match.1))
    else { throw Silence(page: text) }
    return seen
  }
}
