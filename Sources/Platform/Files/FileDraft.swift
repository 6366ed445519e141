/// A file that is being written, and gets its name only when it is complete.
///
/// Readers of that name see the old file or the new one, always whole: an error, a full disk, or
/// whatever ends the program leaves the old file in place. Where the system supports files without
/// names, nothing else is left behind either.
struct FileDraft {
  private let target: String
  /// The temporary name in the target's folder, used briefly, or while the file is written.
  private let temporaryPath: String
  private let hasNoName: Bool

  /// Starts a file that will replace the one at `path`, and stores its descriptor in `descriptor`.
  init(replacing path: String, descriptor: inout Int32) throws(FileError) {
    target = FileSystem.resolvingLinks(path)
    let folder = target.parentPath
    temporaryPath = "\(folder)/.ocellus-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    if FileSystem.exists(target), target.withFileName({ access($0, W_OK) }) != 0 {
      throw FileError(failedAt: path, action: .written)
    }
    descriptor = Self.openWithoutName(in: folder)
    hasNoName = descriptor >= 0
    if !hasNoName {
      descriptor = temporaryPath.withFileName {
        open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
    }
    guard descriptor >= 0 else { throw FileError(failedAt: path, action: .written) }
    FileSystem.copyPermissions(of: target, to: descriptor)
  }

  /// Opens a file without a name; the result is negative if the file system does not support that.
  private static func openWithoutName(in folder: String) -> Int32 {
    #if os(Linux) || os(Android)
      // The file gets its name later, through this folder.
      guard FileSystem.isDirectory("/proc/self/fd") else { return -1 }
      let withoutName = 0o20_000_000 | O_DIRECTORY
      return folder.withFileName { open($0, withoutName | O_WRONLY | O_CLOEXEC, 0o666) }
    #else
      return -1
    #endif
  }

  /// Closes the file and gives it its name.
  func publish(_ descriptor: Int32, as path: String) throws(FileError) {
    var code = hasNoName ? link(descriptor) : 0
    let closing = close(descriptor) == 0 ? 0 : errno
    if code == 0 { code = closing }
    if code == 0 { code = rename() }
    guard code == 0 else {
      _ = temporaryPath.withFileName { unlink($0) }
      throw FileError(.system(code), path: path, action: .written)
    }
  }

  /// Removes a file that was not completed.
  func discard() {
    if !hasNoName { _ = temporaryPath.withFileName { unlink($0) } }
  }

  /// Gives a file without a name the temporary one, and returns the system's error code or 0.
  private func link(_ descriptor: Int32) -> Int32 {
    let result = temporaryPath.withFileName {
      linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, $0, AT_SYMLINK_FOLLOW)
    }
    return result == 0 ? 0 : errno
  }

  /// Renames the file to the target, and returns the system's error code or 0.
  private func rename() -> Int32 {
    let result = temporaryPath.withFileName { source in
      target.withFileName { OcellusPlatform.rename(source, $0) }
    }
    return result == 0 ? 0 : errno
  }
}
