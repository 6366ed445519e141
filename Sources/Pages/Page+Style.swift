extension Page {
  /// The style of all pages: light or dark as the system is, for narrow screens and for print.
  static let commonStyle = """
    :root { color-scheme: light dark; --ground: #fff; --ink: #1c2126; --soft: #5b6570; --line: #d6dbe0;
      --panel: #f5f7f9; --accent: #0b5cad; --good: #1a7f37; --note: #9a6700; --bad: #b42318; }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #14181c; --ink: #e4e8ec; --soft: #98a3ae; --line: #333b43; --panel: #1d2329;
        --accent: #6cb2ff; --good: #57ab5a; --note: #c69026; --bad: #f47067; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--ink);
      font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", sans-serif; }
    main { max-width: 1320px; margin: 0 auto; padding: 24px 16px 64px; }
    h1 { font-size: clamp(19px, 5vw, 24px); margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 18px; margin: 40px 0 8px; }
    #subtitle, .hint, #scale, footer { color: var(--soft); margin: 4px 0 12px; max-width: 100ch;
      overflow-wrap: anywhere; }
    footer { margin-top: 48px; }
    #findings { list-style: none; margin: 16px 0; padding: 0; display: grid; gap: 6px;
      grid-template-columns: minmax(0, 1fr); overflow-wrap: anywhere; }
    #findings li { background: var(--panel); border-left: 4px solid var(--soft); padding: 8px 12px; }
    #findings .good { border-color: var(--good); } #findings .note { border-color: var(--note); }
    #findings .bad { border-color: var(--bad); font-weight: 600; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; }
    dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
    /* A shadow at an edge says that there is more behind it. */
    .scroll { overflow-x: auto; background: linear-gradient(to right, var(--ground) 24px, transparent) left,
      linear-gradient(to left, var(--ground) 24px, transparent) right,
      linear-gradient(to right, #0005, transparent) left, linear-gradient(to left, #0005, transparent) right;
      background-repeat: no-repeat; background-size: 48px 100%, 48px 100%, 10px 100%, 10px 100%;
      background-attachment: local, local, scroll, scroll; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { padding: 4px 10px 4px 0; text-align: left; border-bottom: 1px solid var(--line);
      white-space: nowrap; }
    th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0;
      cursor: pointer; }
    .number { text-align: right; } td:last-child, th:last-child { padding-right: 0; }
    td.long { white-space: normal; min-width: 24ch; }
    tbody tr[tabindex] { cursor: pointer; }
    tbody tr[tabindex]:hover, tbody tr[tabindex]:focus { background: var(--panel); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    svg { display: block; } svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
    fieldset { border: 0; padding: 0; margin: 0; } legend { float: left; margin-right: 12px;
      color: var(--soft); } label { margin-right: 12px; }
    dialog { width: min(760px, calc(100vw - 24px)); max-height: 85vh; overflow: auto; color: var(--ink);
      background: var(--ground); border: 1px solid var(--line); padding: 16px 20px; }
    dialog::backdrop { background: #0008; } dialog h2 { margin: 0 32px 8px 0; overflow-wrap: anywhere; }
    dialog h3 { font-size: 15px; margin: 16px 0 4px; overflow-wrap: anywhere; }
    dialog form { float: right; } dialog form button { font-size: 20px; line-height: 1; padding: 2px 8px; }
    @media (max-width: 600px) { main { padding: 16px 12px 48px; } dl { grid-template-columns: 1fr; }
      dd { margin-bottom: 6px; } .wide { display: none; } }
    @media print { main { max-width: none; padding: 0; } dialog, .hint, fieldset { display: none; }
      tr, figure { break-inside: avoid; } svg { max-width: 100%; height: auto; } }
    """
}
