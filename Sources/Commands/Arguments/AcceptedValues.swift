/// The kind of values that an argument accepts, for completion in shells.
enum AcceptedValues: Hashable, Sendable {
  /// Free text such as numbers, for which there is nothing to complete.
  case text
  /// A list of words, complete or nearly so.
  case words([String])
  /// The name of a command of this program.
  case commandName
  /// A file, or a directory where the command accepts directories.
  case file
  /// The file of a model, or the name of a model in the store.
  case model
  /// A file to be written.
  case newFile
  /// A directory for files to be written.
  case newFolder
}
