/// What a value may be, as far as a shell can offer it to somebody who is typing.
enum AcceptedValues: Hashable, Sendable {
  /// Nothing to offer: numbers, and what only the user knows.
  case text
  /// These words, or most of what is ever given.
  case words([String])
  /// The name of a command of this program.
  case commandName
  /// A file, or a folder where folders are taken for one.
  case file
  /// The file of a model, or the name of one in the store.
  case model
  /// A file that is written.
  case newFile
  /// A folder into which files are written.
  case newFolder
}
