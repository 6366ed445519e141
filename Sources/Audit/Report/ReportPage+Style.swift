extension ReportPage {
  /// The style of what only this page has: pictures, the graph and histograms.
  static let style = """
    .spark rect, .histogram rect { fill: var(--accent); }
    #graph { overflow: auto; max-height: 480px; border: 1px solid var(--line); background: var(--panel); }
    #graph path { fill: none; stroke: var(--soft); stroke-opacity: .6; }
    #graph g rect { stroke: var(--line); } #graph g { cursor: pointer; }
    #graph g:focus rect, #graph g:hover rect { stroke: var(--accent); stroke-width: 2; }
    #graph g text { fill: #10151a; pointer-events: none; }
    #pictures figure { margin: 16px 0; } #pictures img { max-width: 100%; height: auto; display: block; }
    figcaption { margin: 6px 0; }
    img.map { image-rendering: pixelated; width: 100%; max-width: 472px; background: #000; }
    @media print { #graph { max-height: none; overflow: visible; border: 0; } }
    """
}
