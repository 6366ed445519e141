// Writes Swift source code with files as base64 text: embed-models OUTPUT NAME=FILE…
import OcellusPlatform

var source = "/// Files as text of 64 letters.\nenum EmbeddedText {\n"
for argument in CommandLine.arguments.dropFirst(2) {
  let parts = argument.split(separator: "=", maxSplits: 1)
  guard parts.count == 2 else { fatalError("'\(argument)' is no NAME=FILE") }
  let text = Base64.text(of: try FileSystem.read(String(parts[1])))
  source += "  static let \(parts[0]): StaticString = \"\(text)\"\n"
}
source += "}\n"
try FileSystem.write(Array(source.utf8), to: CommandLine.arguments[1])
