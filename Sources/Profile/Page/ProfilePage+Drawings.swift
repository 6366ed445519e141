extension ProfilePage {
  /// The part of the script that draws the map of times, the roofline, the recorded run and the arena.
  static let drawingsScript = #"""
    const frame = (width, height) => drawing("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    const label = (x, y, text, attributes) => drawing("text", { x, y, ...attributes }, document.createTextNode(text));

    // A map: rows of steps, each row as square as it can be (Bruls, Huizing, van Wijk, 2000).
    function drawMap(width) {
      const height = 360, drawn = frame(width, height);
      let rest = [...report.steps].filter((step) => step.ms > 0).sort((a, b) => b.ms - a.ms);
      let area = { x: 0, y: 0, width, height };
      const scale = width * height / total;
      const worst = (row, side) => {
        const sum = row.reduce((s, step) => s + step.ms * scale, 0);
        return Math.max(...row.map((step) => { const a = step.ms * scale;
          return Math.max(side * side * a / (sum * sum), sum * sum / (side * side * a)); }));
      };
      while (rest.length) {
        const side = Math.min(area.width, area.height), isTall = area.width >= area.height;
        let count = 1;
        while (count < rest.length && worst(rest.slice(0, count + 1), side) <= worst(rest.slice(0, count), side)) count++;
        const row = rest.slice(0, count), sum = row.reduce((s, step) => s + step.ms * scale, 0);
        const depth = side > 0 ? sum / side : 0;
        let along = 0;
        for (const step of row) {
          const length = depth > 0 ? step.ms * scale / depth : 0;
          const box = isTall ? { x: area.x, y: area.y + along, width: depth, height: length }
            : { x: area.x + along, y: area.y, width: length, height: depth };
          drawn.append(shape("rect", { ...box, fill: colour(step.operator) }, step, describe(step)));
          if (box.width > 80 && box.height > 16) drawn.append(
            label(box.x + 4, box.y + 13, (place(step) + " " + step.operator).slice(0, Math.floor(box.width / 6.5))));
          along += length;
        }
        area = isTall ? { x: area.x + depth, y: area.y, width: area.width - depth, height: area.height }
          : { x: area.x, y: area.y + depth, width: area.width, height: area.height - depth };
        rest = rest.slice(count);
      }
      return drawn;
    }
    // The colours of the operators that take most time.
    function legend() {
      const times = operators.map((name) => [name,
        report.steps.filter((step) => step.operator === name).reduce((sum, step) => sum + step.ms, 0)]);
      return times.sort((a, b) => b[1] - a[1]).slice(0, 8).filter(([, ms]) => share(ms) >= 0.005).map(([name, ms]) =>
        element("li", {}, drawing("svg", { width: 12, height: 12, "aria-hidden": "true" },
          drawing("rect", { width: 12, height: 12, fill: colour(name) })), name + " " + percent(share(ms))));
    }
    if (total > 0) {
      find("legend").append(...legend());
      fitted(find("map"), drawMap);
    } else find("map-section").remove();

    // The roofline, both axes in powers of ten.
    const multiplying = report.steps.filter((step) =>
      step.intensity !== null && step.gmac_per_s > 0 && !step.is_noise);
    function drawRoof(width) {
      const height = 420, left = 48, bottom = 36, drawn = frame(width, height);
      const peak = Math.max(limits.float_gmac_per_s, limits.byte_gmac_per_s);
      const span = (numbers) => [Math.floor(Math.log10(Math.min(...numbers))), Math.ceil(Math.log10(Math.max(...numbers)))];
      const [x0, x1] = span([0.1, ...multiplying.map((s) => s.intensity), 1000]);
      const [y0, y1] = span([...multiplying.map((s) => s.gmac_per_s), peak * 1.3, 1]);
      const x = (v) => left + (Math.log10(v) - x0) / (x1 - x0) * (width - left - 24);
      const y = (v) => height - bottom - (Math.log10(v) - y0) / (y1 - y0) * (height - bottom - 8);
      for (let power = x0; power <= x1; power++) drawn.append(
        drawing("line", { class: "grid", x1: x(10 ** power), x2: x(10 ** power), y1: 8, y2: height - bottom }),
        label(x(10 ** power), height - bottom + 14, String(Number((10 ** power).toPrecision(1))), { "text-anchor": "middle" }));
      for (let power = y0; power <= y1; power++) drawn.append(
        drawing("line", { class: "grid", x1: left, x2: width - 24, y1: y(10 ** power), y2: y(10 ** power) }),
        label(left - 6, y(10 ** power) + 4, String(Number((10 ** power).toPrecision(1))), { "text-anchor": "end" }));
      drawn.append(label(width / 2, height - 4, "multiply-adds for each byte", { "text-anchor": "middle" }),
        label(left + 6, 18, "GMAC/s"));
      const names = [];
      for (const level of limits.levels) {
        const from = Math.max(10 ** x0, 10 ** y0 / level.gb_per_s), to = Math.min(10 ** x1, peak / level.gb_per_s);
        if (from >= to) continue;
        drawn.append(drawing("line", { class: "roof", x1: x(from), y1: y(from * level.gb_per_s), x2: x(to), y2: y(to * level.gb_per_s) }));
        names.push({ x: x(from) + 4, y: y(from * level.gb_per_s) - 12, anchor: "start",
          text: level.name + " " + plain(level.gb_per_s, 3) + " GB/s" });
      }
      for (const [name, rate] of [["float", limits.float_gmac_per_s], ["8-bit", limits.byte_gmac_per_s]]) {
        drawn.append(drawing("line", { class: "roof", x1: left, x2: width - 24, y1: y(rate), y2: y(rate) }));
        names.push({ x: width - 28, y: y(rate) - 4, anchor: "end", text: name + " " + plain(rate, 3) + " GMAC/s" });
      }
      const largest = Math.max(...multiplying.map((step) => step.ms));
      for (const step of [...multiplying].sort((a, b) => b.ms - a.ms)) drawn.append(shape("circle", {
        cx: x(step.intensity), cy: y(step.gmac_per_s), r: 3 + 11 * Math.sqrt(step.ms / largest),
        fill: colour(step.operator) }, step, describe(step) + ", " + percent(step.of_limit) + " of limit"));
      // Names of limits that are nearly equal stand one above the other.
      for (const side of ["start", "end"]) {
        let top = Infinity;
        for (const name of names.filter((n) => n.anchor === side).sort((a, b) => b.y - a.y)) {
          top = Math.min(name.y, top - 13);
          drawn.append(label(name.x, top, name.text, { "text-anchor": side, class: "over" }));
        }
      }
      return drawn;
    }
    if (isComparable && multiplying.length) fitted(find("roof"), drawRoof);
    else if (limits && !isComparable) find("roof").append(element("p", {}, "It is not drawn, because " +
      (noise.reason !== null ? "the times are noise: " + noise.reason :
        "other work on this machine interrupted the measurement of the limits") + "."));
    else find("roof-section").remove();

    // The recorded run: a row for the steps, and one for the parts of each thread.
    function drawRun(width) {
      const spans = report.timeline.spans, height = 22;
      const threads = 1 + Math.max(-1, ...spans.filter((span) => span[3] >= 0).map((span) => span[2]));
      const drawn = frame(width, height * (1 + threads));
      const scale = width / Math.max(report.timeline.microseconds, 1e-9);
      // What runs inside a loop is drawn over it.
      const inward = [...spans].sort((a, b) => a[4] - b[4] || b[5] - a[5]);
      for (const [subgraph, node, thread, part, start, duration] of inward) {
        const step = steps.get(subgraph + ":" + node);
        if (!step || duration * scale < 0.05) continue;
        drawn.append(shape("rect", { x: start * scale, y: part < 0 ? 0 : height * (1 + thread),
          width: Math.max(duration * scale, 0.3), height: height - 2, fill: colour(step.operator) }, step,
          place(step) + " " + step.operator + (part < 0 ? "" : ", part " + part + " on thread " + thread) + ", " +
          plain(duration, 4) + " µs"));
      }
      return drawn;
    }
    fitted(find("line"), drawRun);
    {
      const threads = new Set(report.timeline.spans.filter((span) => span[3] >= 0).map((span) => span[2])).size;
      find("line-hint").textContent = "The steps of one run, from left to right as they followed each other" +
        (threads ? ", and below them the parts that " + (threads === 1 ? "a thread" : threads + " threads") + " took" : "") +
        ". The run took " + plain(report.timeline.microseconds / 1000, 4) + " ms, the median of " + grouped(times) + "." +
        (report.timeline.is_cut_short ? " There was more than fits." : "");
    }

    // The arena: bytes upwards; to the right nodes, or time where the timeline has all of the run.
    const held = report.arena, outer = report.timeline.spans.filter((span) => span[3] < 0);
    const ofModel = (span) => span[0] === outer[outer.length - 1][0];
    const nodeCount = 1 + Math.max(-1, ...held.map((tenant) => tenant[5]), ...outer.filter(ofModel).map((span) => span[1]));
    function nodeTimes() {
      const begins = [], ends = [], spans = new Map(outer.filter(ofModel).map((span) => [span[1], span]));
      for (let node = 0, time = 0; node < nodeCount; node++) {
        const span = spans.get(node);
        begins[node] = span ? span[4] : time;
        time = ends[node] = span ? span[4] + span[5] : time;
      }
      return { begins, ends, whole: report.timeline.microseconds };
    }
    const nodeNumbers = () => ({ begins: [...Array(nodeCount).keys()], ends: [...Array(nodeCount).keys()].map((n) => n + 1),
      whole: nodeCount });
    const makers = new Map(report.steps.filter((step) => !outer.length || step.subgraph === outer[outer.length - 1][0])
      .flatMap((step) => step.nodes.map((node) => [node.node, node.operator])));
    const bytes = Math.max(0, ...held.map((tenant) => tenant[2] + tenant[3]));
    function drawArena({ begins, ends, whole }, width) {
      const height = 320, drawn = frame(width, height);
      for (const [segment, tensor, offset, count, first, last] of held) {
        const made = drawing("rect", { x: begins[first] * width / whole,
          width: Math.max((ends[last] - begins[first]) * width / whole, 0.5),
          y: height - (offset + count) * height / bytes, height: Math.max(count * height / bytes, 0.5),
          fill: `hsl(${tensor * 47 % 360} 55% 75%)` });
        made.append(drawing("title", {}, "tensor " + tensor + (makers.has(first) ? " of " + makers.get(first) : "") + ", " +
          grouped(count) + " bytes at " + grouped(offset) + ", nodes " + first + " to " + last +
          (segment ? ", segment " + segment : "")));
        drawn.append(made);
      }
      return drawn;
    }
    if (held.length) {
      const axes = [["nodes", nodeNumbers], ...(outer.length && !report.timeline.is_cut_short ? [["time", nodeTimes]] : [])];
      let chosen = nodeNumbers;
      const again = fitted(find("arena"), (width) => drawArena(chosen(), width));
      axes.forEach(([title, axis], position) => {
        const button = element("input", { type: "radio", name: "arena-axis" });
        button.checked = position === 0;
        button.addEventListener("change", () => { chosen = axis; again(); });
        find("arena-axes").append(element("label", {}, button, " " + title));
      });
      find("arena-size").textContent = grouped(bytes);
    } else find("arena-section").remove();
    """#
}
