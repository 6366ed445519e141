import OcellusPlatform
import OcellusStore
import OcellusVision

/// The offer to fetch a model for photographs, where the package's own model would be used.
///
/// It is made on a terminal only, and until somebody has chosen a default model.
struct PublicModelOffer {
  private let model: EmbeddedModel

  init(_ model: EmbeddedModel) { self.model = model }

  /// Asks, and does what the answer says; nothing if the command line names a model.
  ///
  /// A download that fails is reported, and the command goes on with the package's own model.
  func make(unlessGiven path: String?, in context: CommandContext) throws {
    guard path == nil, context.canAsk, try !DefaultModel(model).isChosen,
      let catalog = try? ModelCatalog(path: EmbeddedModel.catalogPath),
      let entry = catalog.entries.first(where: { $0.id == model.publicModelName })
    else { return }
    let store = ModelStore(.catalog(catalog))
    let answer = context.ask(question(about: entry))
    do {
      switch answer.lowercased().first {
      case "y":
        let report = ModelsReport(context: context, isJSON: false)
        _ = try (try? store.localModel(entry.id)) ?? report.fetch(entry.id, from: store)
        try store.setDefault(.stored(name: entry.id), for: model.role)
        context.note("From now on \(entry.id) is used; 'ocellus models default --own' undoes it.\n")
      case "v": try store.setDefault(.packaged, for: model.role)
      default: break
      }
    } catch {
      context.complain(error)
    }
  }

  private func question(about entry: ModelCatalog.Entry) -> String {
    """
    No model was named (-m), and the package's own knows drawn scenes only, no photographs.
    There is \(entry.name): \(entry.summary)
    \(entry.model.byteCount.byteText), licence \(entry.license), from \(entry.model.url)
    Fetch it, and use it from now on? [y = yes, n = not now, v = never ask again] 
    """
  }
}

extension ModelRole {
  /// Finds out what a model is for.
  init(ofModelAt path: String) throws {
    do {
      _ = try ObjectDetector(path: path)
      self = .detector
    } catch let detectorError {
      do {
        _ = try ImageLabeler(path: path)
        self = .labeler
      } catch {
        throw RunError(
          "only a model that finds objects or classifies pictures can be a default: as a detector, "
            + "\(detectorError); as a labeler, \(error)")
      }
    }
  }
}
