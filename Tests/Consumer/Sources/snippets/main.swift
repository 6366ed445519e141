// Runs the documentation's snippets, which `.ci/snippets` writes into this folder.
for snippet in snippets {
  print("== \(snippet.place)")
  try await snippet.run()
}
print("\(snippets.count) snippets compiled and ran")
