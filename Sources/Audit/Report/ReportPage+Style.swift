extension ReportPage {
  /// The style of what only this page has: pictures, the graph and histograms.
  static let style = """
    .spark rect, .histogram rect { fill: var(--accent); }
    #pictures figure { margin: 16px 0; } #pictures img { max-width: 100%; height: auto; display: block; }
    figcaption { margin: 6px 0; }
    img.map { image-rendering: pixelated; width: 100%; max-width: 472px; background: #000; }
    """
}
