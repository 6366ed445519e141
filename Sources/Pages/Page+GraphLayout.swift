extension Page {
  /// Functions that arrange the nodes of a graph in groups, rows and columns.
  static let graphLayoutScript = #"""
    // The groups of a graph are the scopes in its nodes' names. A group's members are nodes and groups, ordered
    // by the first of their nodes; its edges join nodes of different members.
    function groupedNodes(nodes) {
      const makeGroup = (name, parent) => ({ name, parent, members: [], edges: [], isOpen: false });
      const root = makeGroup("", null), groups = new Map();
      nodes.forEach((node, order) => {
        let group = root, path = "";
        for (const name of node.scope) {
          path += name + "/";
          if (!groups.has(path)) {
            groups.set(path, makeGroup(name, group));
            group.members.push(groups.get(path));
          }
          group = groups.get(path);
        }
        group.members.push({ node, parent: group, first: order, count: 1 });
      });
      const whole = simplified(root);
      whole.parent = null;
      whole.isOpen = true;
      joinMembers(whole, nodes);
      return whole;
    }

    // A group of one member says no more than the member.
    function simplified(group) {
      group.members = group.members.map((member) => member.members ? simplified(member) : member);
      if (group.members.length === 1 && (group.parent || group.members[0].members)) {
        const [only] = group.members;
        if (only.members && group.name) only.name = group.name + "/" + only.name;
        only.parent = group.parent;
        return only;
      }
      for (const member of group.members) member.parent = group;
      group.first = Math.min(...group.members.map((member) => member.first));
      group.count = group.members.reduce((sum, member) => sum + member.count, 0);
      return group;
    }
    const lineage = (member) => member ? [...lineage(member.parent), member] : [];
    const leaves = (member) => member.members ? member.members.flatMap(leaves) : [member];

    // An edge belongs to the innermost group that holds both of its ends.
    function joinMembers(root, nodes) {
      const lines = new Map(leaves(root).map((leaf) => [leaf.node.id, lineage(leaf)]));
      for (const node of nodes) for (const source of new Set(node.sources)) {
        const from = lines.get(source), to = lines.get(node.id);
        if (!from || from === to) continue;
        let depth = 0;
        while (from[depth] === to[depth]) depth++;
        from[depth - 1].edges.push([from[from.length - 1], to[to.length - 1], from[depth], to[depth]]);
      }
    }

    // Opens groups, the outer ones first, while there are no more boxes than a reader can take in at once. A graph
    // of very few boxes says nothing, so that its groups open in any case.
    function openGroups(root) {
      const few = 8, many = 60;
      let level = [root], shown = root.members.length;
      while (level.length) {
        const next = level.flatMap((group) => group.members.filter((member) => member.members));
        const more = next.reduce((sum, group) => sum + group.members.length - 1, 0);
        if (shown > few && shown + more > many) return;
        shown += more;
        for (const group of next) group.isOpen = true;
        level = next;
      }
    }

    const boxSize = { width: 168, height: 24, right: 30, down: 18, header: 22, margin: 10 };

    // Places a member's own members relative to it; nodes below what they read, those of a row side by side.
    // A sequence of rows that is too tall for its shape, its width by its height, goes on in a further column.
    function layOut(member, shape) {
      if (!member.members || !member.isOpen) {
        Object.assign(member, { width: boxSize.width, height: boxSize.height + (member.members ? 14 : 0) });
        return;
      }
      // A group with most of the nodes is nearly the whole picture.
      for (const inner of member.members) layOut(inner, inner.count > member.count / 2 ? shape : 1);
      const rows = rowsOf(member), columns = folded(rows, shape);
      const top = member.parent ? boxSize.header : 0, margin = boxSize.margin;
      let left = margin, height = 0;
      for (const column of columns) {
        const all = column.rows.flat(), shift = left - Math.min(...all.map((inner) => inner.x));
        let down = top + margin;
        for (const row of column.rows) {
          for (const inner of row) { inner.x += shift; inner.y = down; }
          down += rowHeight(row) + boxSize.down;
        }
        left = Math.max(...all.map((inner) => inner.x + inner.width)) + 2 * boxSize.right;
        height = Math.max(height, down - boxSize.down);
      }
      Object.assign(member, { width: left - 2 * boxSize.right + margin, height: height + margin });
    }
    const rowHeight = (row) => Math.max(...row.map((inner) => inner.height));

    // Each member as near to those it reads as its row permits. An edge that leads back to an earlier member,
    // as edges of interleaved groups do, does not count.
    function rowsOf(group) {
      const members = [...group.members].sort((a, b) => a.first - b.first);
      const above = new Map(members.map((member) => [member, []]));
      for (const [, , from, to] of group.edges) if (from.first < to.first) above.get(to).push(from);
      const rows = [], depths = new Map();
      for (const member of members) {
        const depth = 1 + Math.max(-1, ...above.get(member).map((source) => depths.get(source)));
        depths.set(member, depth);
        (rows[depth] = rows[depth] || []).push(member);
      }
      const center = (member) => member.x + member.width / 2;
      const mean = (numbers) => numbers.length ? numbers.reduce((a, b) => a + b) / numbers.length : 0;
      for (const row of rows) {
        const wanted = new Map(row.map((member) => [member, mean(above.get(member).map(center))]));
        row.sort((a, b) => wanted.get(a) - wanted.get(b) || a.first - b.first);
        let right = -Infinity;
        for (const member of row) {
          member.x = Math.max(wanted.get(member) - member.width / 2, right);
          right = member.x + member.width + boxSize.right;
        }
        const drift = mean(row.map((member) => center(member) - wanted.get(member)));
        for (const member of row) member.x -= drift;
      }
      return rows;
    }

    // Of all numbers of columns, the one whose picture is nearest to the shape.
    function folded(rows, shape) {
      const width = (column) => { const all = column.rows.flat();
        return Math.max(...all.map((m) => m.x + m.width)) - Math.min(...all.map((m) => m.x)); };
      const total = rows.reduce((sum, row) => sum + rowHeight(row) + boxSize.down, 0);
      let best = null;
      for (let count = 1; count <= Math.min(24, Math.ceil(rows.length / 6)); count++) {
        const columns = [];
        for (const row of rows) {
          const last = columns[columns.length - 1], height = rowHeight(row) + boxSize.down;
          if (last && last.height + height / 2 <= total / count) { last.rows.push(row); last.height += height; }
          else columns.push({ rows: [row], height });
        }
        const wide = columns.reduce((sum, column) => sum + width(column) + 2 * boxSize.right, 0);
        const misfit = Math.abs(Math.log(wide / Math.max(...columns.map((column) => column.height)) / shape));
        if (!best || misfit < best.misfit) best = { columns, misfit };
      }
      return best.columns;
    }

    // The path of an edge between two boxes: down; beside the boxes between, if it is long; or to the top of a
    // further column.
    function edgePath(from, to) {
      const x1 = from.left + from.width / 2, y1 = from.top + from.height, x2 = to.left + to.width / 2, y2 = to.top;
      if (y2 <= y1) {
        const gap = to.left > from.left ? to.left - boxSize.right / 2 : to.left + to.width + boxSize.right / 2;
        return `M${x1} ${y1} v8 H${gap} V${y2 - 8} H${x2} v8`;
      }
      const bend = Math.min(12, (y2 - y1) / 2);
      if (y2 - y1 < 2 * boxSize.down || Math.abs(x1 - x2) > boxSize.width) {
        return `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
      }
      const side = Math.max(from.left + from.width, to.left + to.width);
      return `M${from.left + from.width} ${y1 - 8} C${side + 24} ${y1 + 12} ${side + 24} ${y2 - 12} ` +
        `${to.left + to.width} ${y2 + 8}`;
    }
    """#
}
