extension Page {
  /// The script of a graph that readers move, enlarge, search, and whose groups they open.
  ///
  /// `graphView(target, nodes, show)` fills an element. A node has an `id`, a `title`, a `scope`
  /// of group names, the ids of its `sources`, and `words` that a search finds.
  package static var graphScript: String { graphLayoutScript + "\n" + graphViewScript }

  /// The controls of a graph and its frame.
  package static let graphBody = """
    <div id="graph-controls" role="group" aria-label="View of the graph">
    <input id="graph-search" type="search" placeholder="Search nodes" aria-label="Search nodes">
    <span id="graph-hits" role="status"></span>
    <button type="button" id="graph-in" title="Enlarge (+)" aria-label="Enlarge">+</button>
    <button type="button" id="graph-out" title="Reduce (−)" aria-label="Reduce">−</button>
    <button type="button" id="graph-fit" title="Show all (0)">Show all</button>
    <button type="button" id="graph-open">Open groups</button>
    <button type="button" id="graph-close">Close groups</button>
    </div>
    <div id="graph" tabindex="0" role="group" aria-label="Nodes of the graph"></div>
    <p class="hint">Click a box to see its node, and a box with ▸ to open it: it is a group of nodes whose names begin
    alike. Drag to move; + and −, two fingers, or Ctrl with the wheel change the size. Once the graph is clicked, the
    wheel alone, or one finger, moves the graph and not the page.</p>
    """

  /// The style of a graph.
  package static let graphStyle = """
    #graph { overflow: hidden; height: min(640px, 70vh); border: 1px solid var(--line); touch-action: pan-y;
      background: var(--panel); cursor: grab; user-select: none; -webkit-user-select: none; }
    #graph:focus-within { touch-action: none; }
    #graph svg { width: 100%; height: 100%; }
    #graph path { fill: none; stroke: var(--soft); stroke-opacity: .7; }
    #graph g[role] rect { stroke: var(--soft); stroke-opacity: .6; } #graph g[role] { cursor: pointer; }
    #graph g:focus > rect, #graph g[role]:hover > rect { stroke: var(--accent); stroke-opacity: 1; stroke-width: 2; }
    #graph g[role] text { fill: #10151a; pointer-events: none; }
    #graph .open > rect { fill: var(--ground); } #graph .open > text { fill: var(--ink); font-weight: 600; }
    #graph .hit > rect { stroke: var(--accent); stroke-opacity: 1; stroke-width: 3; }
    #graph-controls { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 8px 0; }
    #graph-controls button, #graph-controls input { font: inherit; padding: 2px 10px; color: inherit;
      background: var(--panel); border: 1px solid var(--line); border-radius: 3px; }
    #graph-search { width: 180px; } #graph-hits { color: var(--soft); min-width: 8ch; }
    @media print { #graph-controls { display: none; } }
    """

  private static let graphViewScript = #"""
    function graphView(target, nodes, show) {
      const root = groupedNodes(nodes), view = { x: 0, y: 0, scale: 1 };
      // Edges lie over open groups and under everything else.
      const [openOnes, edges, others] = [drawing("g", {}), drawing("g", {}), drawing("g", {})];
      const layer = drawing("g", {}, openOnes, edges, others);
      let measure = null, boxes = new Map(), hits = [], hit = -1, isMoved = false;
      target.append(drawing("svg", {}, layer));
      const frame = () => ({ width: target.clientWidth || 360, height: target.clientHeight || 480 });
      const groups = (group = root) =>
        [group, ...group.members.filter((member) => member.members).flatMap((inner) => groups(inner))];

      // MARK: Drawing
      function place() {
        layer.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
      }
      function draw() {
        layOut(root, frame().width / frame().height);
        boxes = new Map();
        for (const part of [openOnes, edges, others]) part.replaceChildren();
        drawMembers(root, 0, 0);
        drawEdges();
        paint();
        place();
      }
      function drawMembers(group, left, top) {
        for (const member of group.members) {
          drawMember(member, left + member.x, top + member.y);
          if (isOpen(member)) drawMembers(member, left + member.x, top + member.y);
        }
      }
      const isOpen = (member) => Boolean(member.members) && member.isOpen;
      function drawMember(member, left, top) {
        const own = { member, left, top, width: member.width, height: member.height };
        own.rectangle = drawing("rect", { x: left, y: top, width: own.width, height: own.height, rx: 3 });
        own.drawn = drawing("g", attributesOf(member), drawing("title", {}, member.members ?
          member.name + ", " + grouped(member.count) + " nodes" : member.node.words), own.rectangle, ...labels(own));
        opens(own.drawn, () => { if (member.members) toggle(member); else show(member.node); });
        (isOpen(member) ? openOnes : others).append(own.drawn);
        boxes.set(member, own);
      }
      function drawEdges() {
        const drawn = new Set();
        for (const group of groups()) for (const [from, to] of group.edges) {
          const ends = [boxes.get(visible(from)), boxes.get(visible(to))], path = edgePath(...ends);
          if (ends[0] === ends[1] || drawn.has(path)) continue;
          drawn.add(path);
          edges.append(drawing("path", { d: path }));
        }
      }
      function attributesOf(member) {
        if (!member.members) return { role: "button", "data-node": member.node.id, "aria-label": "node " + member.node.title };
        return { role: "button", "data-group": member.name, class: isOpen(member) ? "open" : "closed",
          "aria-expanded": isOpen(member), "aria-label": "group " + member.name };
      }
      function labels({ member, left, top, width }) {
        const line = (y, text) => drawing("text", { x: left + 6, y: top + y }, fitting(text, width - 12));
        if (!member.members) return [line(16, member.node.title)];
        if (isOpen(member)) return [line(15, "▾ " + member.name)];
        return [line(15, "▸ " + member.name), line(30, grouped(member.count) + " nodes")];
      }
      // The end of a name tells more than its beginning.
      const fitting = (text, width) => { const most = Math.floor(width / 6.4);
        return text.length <= most ? text : text.slice(0, 2) + "…" + text.slice(text.length - most + 3); };
      const visible = (leaf) => lineage(leaf).find((member) => !isOpen(member));

      // MARK: Colours. A group has the sum of its nodes' values, or the largest of them.
      const valueOf = (member) => { const values = leaves(member).map((leaf) => measure.value(leaf.node));
        return measure.isSum ? values.reduce((a, b) => a + b, 0) : Math.max(...values); };
      function paint() {
        if (!measure) return;
        const painted = [...boxes.values()].filter((own) => !isOpen(own.member));
        const found = Math.max(0, ...painted.map((own) => valueOf(own.member)));
        // Small values stay pale where it is known which are large.
        const largest = found > 0 ? Math.max(found, measure.large || 0) : 0;
        for (const own of painted) {
          const share = largest > 0 ? valueOf(own.member) / largest : 0;
          own.rectangle.setAttribute("fill", `hsl(${50 - 50 * share} 90% ${92 - 34 * share}%)`);
        }
        measure.report(largest);
      }

      // MARK: The view
      // On a phone, what is too small to be read at first begins at its left upper corner.
      function begin() {
        fit();
        if (view.scale >= 0.45 || frame().width > 600) return;
        Object.assign(view, { scale: 0.7, x: 8, y: 8 });
        place();
      }
      function fit() {
        const { width, height } = frame();
        view.scale = Math.min(1.25, width / root.width, height / root.height);
        view.x = (width - root.width * view.scale) / 2;
        view.y = (height - root.height * view.scale) / 2;
        place();
      }
      function zoom(factor, x = frame().width / 2, y = frame().height / 2) {
        const scale = Math.min(4, Math.max(0.05, view.scale * factor));
        view.x = x - (x - view.x) * scale / view.scale;
        view.y = y - (y - view.y) * scale / view.scale;
        view.scale = scale;
        place();
      }
      function move(x, y) { view.x += x; view.y += y; place(); }
      function toggle(group) {
        const before = boxes.get(group);
        group.isOpen = !group.isOpen;
        draw();
        // What was clicked stays where it is.
        const after = boxes.get(group);
        move((before.left - after.left) * view.scale, (before.top - after.top) * view.scale);
        after.drawn.focus({ preventScroll: true });
      }
      function openAll(isOpen) {
        for (const group of groups()) group.isOpen = isOpen || group === root;
        draw();
        fit();
      }

      // MARK: Search
      function go(place) {
        if (!hits.length) return;
        hit = (place + hits.length) % hits.length;
        const leaf = hits[hit];
        for (const group of lineage(leaf.parent)) group.isOpen = true;
        draw();
        const own = boxes.get(leaf), { width, height } = frame();
        view.scale = Math.max(view.scale, 0.9);
        view.x = width / 2 - (own.left + own.width / 2) * view.scale;
        view.y = height / 2 - (own.top + own.height / 2) * view.scale;
        mark();
      }
      function mark() {
        for (const own of boxes.values()) own.drawn.classList.toggle("hit", false);
        const shown = hit >= 0 ? [hits[hit]] : hits;
        for (const leaf of shown) { const own = boxes.get(visible(leaf)); if (own) own.drawn.classList.add("hit"); }
        find("graph-hits").textContent = !find("graph-search").value ? "" : !hits.length ? "none" :
          hit >= 0 ? grouped(hit + 1) + " of " + grouped(hits.length) : grouped(hits.length) + " found";
        place();
      }
      function search(text) {
        const wanted = text.trim().toLowerCase();
        hits = wanted ? leaves(root).filter((leaf) =>
          (leaf.node.title + " " + leaf.node.words).toLowerCase().includes(wanted)) : [];
        hits.sort((a, b) => a.first - b.first);
        hit = -1;
        mark();
      }
      find("graph-search").addEventListener("input", (event) => search(event.target.value));
      find("graph-search").addEventListener("keydown", (event) => {
        if (event.key === "Enter") go(hit + (event.shiftKey ? -1 : 1));
      });

      // MARK: Pointers, the wheel and keys
      const pointers = new Map();
      const middle = () => { const all = [...pointers.values()], bounds = target.getBoundingClientRect();
        return { x: all.reduce((sum, p) => sum + p.x, 0) / all.length - bounds.left,
          y: all.reduce((sum, p) => sum + p.y, 0) / all.length - bounds.top,
          spread: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 }; };
      target.addEventListener("pointerdown", (event) => {
        if (!pointers.size) isMoved = false;
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
      });
      target.addEventListener("pointermove", (event) => {
        const pointer = pointers.get(event.pointerId);
        if (!pointer) return;
        if (!isMoved && Math.hypot(event.clientX - pointer.startX, event.clientY - pointer.startY) < 5) return;
        isMoved = true;
        target.setPointerCapture(event.pointerId);
        const before = middle();
        Object.assign(pointer, { x: event.clientX, y: event.clientY });
        const after = middle();
        move(after.x - before.x, after.y - before.y);
        if (before.spread > 0) zoom(after.spread / before.spread, after.x, after.y);
      });
      for (const end of ["pointerup", "pointercancel", "pointerleave"])
        target.addEventListener(end, (event) => pointers.delete(event.pointerId));
      // The click at the end of a movement opens nothing.
      target.addEventListener("click", (event) => { if (isMoved) event.stopPropagation(); isMoved = false; }, true);
      target.addEventListener("wheel", (event) => {
        // Whoever scrolls the page shall get past the graph.
        if (!event.ctrlKey && !target.matches(":focus-within")) return;
        event.preventDefault();
        const bounds = target.getBoundingClientRect();
        zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.clientX - bounds.left, event.clientY - bounds.top);
      }, { passive: false });
      const keys = { "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": fit,
        ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60) };
      target.addEventListener("keydown", (event) => {
        if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        keys[event.key]();
      });
      for (const [id, act] of [["in", () => zoom(1.25)], ["out", () => zoom(0.8)], ["fit", fit],
        ["open", () => openAll(true)], ["close", () => openAll(false)]])
        find("graph-" + id).addEventListener("click", act);
      if (groups().length === 1) for (const id of ["open", "close"]) find("graph-" + id).remove();

      openGroups(root);
      draw();
      begin();
      let width = frame().width;
      new ResizeObserver(() => { if (frame().width !== width) { width = frame().width; draw(); begin(); } }).observe(target);
      return { paint: (chosen) => { measure = chosen; paint(); } };
    }
    """#
}
