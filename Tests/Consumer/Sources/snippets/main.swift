// Runs the snippets of the documentation, which `.ci/snippets` writes into the folder beside this file.
for snippet in snippets {
  print("== \(snippet.place)")
  try await snippet.run()
}
print("\(snippets.count) snippets compiled and ran")
