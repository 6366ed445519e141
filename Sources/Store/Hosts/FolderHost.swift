import OcellusPlatform

/// A folder on this machine as a host.
struct FolderHost: OfferingHost {
  let path: String

  var description: String { path }

  func versions(
    of name: ModelName, after record: ModelRecord, from desk: HostContext
  ) throws(StoreError) -> [OfferedVersion]? {
    let versions =
      if let manifest = try manifest() { manifest.versions(of: name) } else {
        // Only this model's digests are computed.
        try ModelFolder(path).entry(named: name).map { entry throws(StoreError) in
          try entry.offered()
        }
      }
    guard let versions else { throw StoreError(.notFound, "\(path) has no model '\(name)'") }
    return versions
  }

  func all(from desk: HostContext) throws(StoreError) -> Manifest? {
    if let manifest = try manifest() { return manifest }
    return try ModelFolder(path).manifest()
  }

  private func manifest() throws(StoreError) -> Manifest? {
    let file = path + "/" + Manifest.fileName
    guard FileSystem.exists(file) else { return nil }
    let bytes = try inStore { () throws(FileError) in
      try FileSystem.read(file, limit: Manifest.longest)
    }
    return try Manifest(parsing: bytes, base: .folder(path))
  }
}
