extension ProfilePage {
  /// The script that fills the page from its JSON.
  static let script = #"""
    const limits = report.limits;
    const place = (step) => (step.subgraph ? step.subgraph + ":" : "") + step.node;
    const total = report.steps.reduce((sum, step) => sum + step.ms, 0);
    const share = (ms) => total > 0 ? ms / total : 0;
    const noise = report.noise, isComparable = limits !== null && !limits.is_disturbed && noise.reason === null;
    const operators = [...new Set([...report.steps].sort((a, b) => b.ms - a.ms).map((s) => s.operator))];
    const colour = (name) => `hsl(${(operators.indexOf(name) * 67 + 205) % 360} 62% 72%)`;
    const layer = (step) => {
      const name = step.output_name.split(";")[0], slash = name.lastIndexOf("/");
      return (slash < 0 ? name : name.slice(0, slash)) || "(no name)";
    };

    // What a run is.
    find("title").textContent = "Profile of " + report.model.split("/").pop();
    document.title = find("title").textContent;
    find("subtitle").textContent = report.instruction_set + " kernels, " + report.threads +
      (report.threads === 1 ? " thread" : " threads") + (report.signature ? ", signature " + report.signature : "");
    const slowest = [...report.steps].sort((a, b) => b.ms - a.ms)[0];
    const limitText = report.of_limit && plain(report.of_limit.limit_ms, 4) + " ms, " +
      percent(report.of_limit.share) + " of the " + plain(report.of_limit.ms, 4) + " ms of the steps that have a limit";
    const leftOut = noise.left_out ? [["note", grouped(noise.left_out) + " of " + grouped(noise.runs) +
      " runs were left out because other work on this machine interrupted them"]] : [];
    const findings = noise.reason !== null ?
      [["bad", "These times are noise, and nothing is concluded from them: " + noise.reason + "."]] : [
      ["good", "a run takes " + plain(report.run_ms.median, 4) + " ms"],
      ...leftOut,
      [report.accounted < 0.97 ? "note" : "good",
        "steps add up to " + percent(report.accounted) + " of the runs in which they were timed"],
      ...(slowest && !slowest.is_noise ? [["note", "the slowest step is node " + place(slowest) + " (" +
        slowest.operator + "): " + percent(share(slowest.ms)) + " of the sum of steps"]] : []),
      ...(limitText ? [["note", "at the limits of this machine these steps would take " + limitText]] : []),
      ...(limits && limits.is_disturbed ? [["note", "other work interrupted the measurement of this machine's " +
        "limits, so steps are not compared with them"]] : [])];
    find("findings").append(...findings.map(([weight, text]) => element("li", { class: weight }, text)));
    const times = report.timeline.runs;
    list(find("facts"), [
      ["Load, plan", plain(report.load_ms, 4) + " ms, " + plain(report.planning_ms, 4) + " ms"],
      ["First run", plain(report.first_ms, 4) + " ms"],
      ["Run", plain(report.run_ms.median, 4) + " ms: the median of " + grouped(report.runs) +
        " runs in which no steps were timed; half of them took " + plain(report.run_ms.p25, 4) + " to " +
        plain(report.run_ms.p75, 4) + " ms"],
      ["Timed run", plain(report.watched_ms.median, 4) + " ms: the median of the runs in which steps were timed, " +
        "which costs " + plain(100 * report.overhead, 3) + " %"],
      ["Sum of steps", plain(report.steps_ms, 4) + " ms: the medians of all steps; shares are shares of it"],
      ["Recorded run", plain(report.timeline.microseconds / 1000, 4) + " ms: the run in the timeline, the median of " +
        grouped(times) + "; recording every part of a step takes time, too"],
      ["Limit", limitText || ""],
      ["Multiply-adds", grouped(report.multiply_adds)],
      ["Packed weights", grouped(report.packed_bytes) + " bytes"],
      ["Counters", report.counters.counted.join(", ") + (report.counters.reason ? " (" + report.counters.reason + ")" : "")]]);

    // A step by itself.
    function show(step) {
      const facts = element("dl");
      list(facts, [
        ["Median time", plain(step.ms, 4) + " ms, " + percent(share(step.ms)) + " of the sum of steps" +
          (step.is_noise ? "; noise, since half of the runs differ so much" : "")],
        ["Half of the runs", plain(step.time.p25, 4) + " to " + plain(step.time.p75, 4) + " ms"],
        ["First run", plain(step.first_ms, 4) + " ms"],
        ["Calls in a run", plain(step.calls_per_run)],
        ["Kernel", step.kernel], ["Output", step.output + " " + step.output_name],
        ["Multiply-adds", step.multiply_adds ? grouped(step.multiply_adds) : ""],
        ["Reads, writes", grouped(step.read_bytes) + ", " + grouped(step.written_bytes) + " bytes"],
        ["Multiply-adds a byte", plain(step.intensity, 3)],
        ["Reached", (step.multiply_adds ? plain(step.gmac_per_s, 4) + " GMAC/s, " : "") + plain(step.gb_per_s, 4) + " GB/s"],
        ["Limit", step.bound === null ? "" : plain(step.bound_ms, 4) + " ms, by " + step.bound +
          (step.of_limit === null ? "" : "; that is " + percent(step.of_limit) + " of the median time")],
        ["Threads at work", step.busy === null ? "" : percent(step.busy)],
        ...Object.entries(step.counts).map(([name, count]) => [name.replaceAll("_", " "), plain(count)])]);
      showDetail("Node " + place(step) + " · " + step.operator, facts, step.nodes.length > 1 ?
        table(["Node", "Operator", "Multiply-adds", "Output"], step.nodes.map((node) =>
          [String(node.node), node.operator, node.multiply_adds ? grouped(node.multiply_adds) : "", node.output])) : null);
    }
    const steps = new Map(report.steps.map((step) => [step.subgraph + ":" + step.node, step]));
    function shape(name, attributes, step, text) {
      const made = drawing(name, { ...attributes, class: "step", role: "button",
        "aria-label": "node " + place(step) + " " + step.operator });
      made.append(drawing("title", {}, text));
      return opens(made, () => show(step));
    }
    const describe = (step) => place(step) + " " + step.operator + ", " + plain(step.ms, 4) + " ms, " + percent(share(step.ms));
    const frame = (width, height) => drawing("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    const label = (x, y, text, attributes) => drawing("text", { x, y, ...attributes }, document.createTextNode(text));

    // A map: rows of steps, each row as square as it can be (Bruls, Huizing, van Wijk, 2000).
    function drawMap() {
      const width = 1080, height = 360, drawn = frame(width, height);
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
      find("map").append(drawn);
    }
    if (total > 0) drawMap(); else find("map-section").remove();

    // The roofline, both axes in powers of ten.
    const multiplying = report.steps.filter((step) =>
      step.intensity !== null && step.gmac_per_s > 0 && !step.is_noise);
    function drawRoof() {
      const width = 1080, height = 420, left = 56, bottom = 36, drawn = frame(width, height);
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
      for (const level of limits.levels) {
        const from = Math.max(10 ** x0, 10 ** y0 / level.gb_per_s), to = Math.min(10 ** x1, peak / level.gb_per_s);
        if (from >= to) continue;
        drawn.append(drawing("line", { class: "roof", x1: x(from), y1: y(from * level.gb_per_s), x2: x(to), y2: y(to * level.gb_per_s) }),
          label(x(to) - 4, y(to * level.gb_per_s) + 14 + 13 * limits.levels.indexOf(level),
            level.name + " " + plain(level.gb_per_s, 3) + " GB/s", { "text-anchor": "end" }));
      }
      for (const [name, rate] of [["float", limits.float_gmac_per_s], ["8-bit", limits.byte_gmac_per_s]]) drawn.append(
        drawing("line", { class: "roof", x1: left, x2: width - 24, y1: y(rate), y2: y(rate) }),
        label(width - 28, y(rate) - 4, name + " " + plain(rate, 3) + " GMAC/s", { "text-anchor": "end" }));
      const largest = Math.max(...multiplying.map((step) => step.ms));
      for (const step of [...multiplying].sort((a, b) => b.ms - a.ms)) drawn.append(shape("circle", {
        cx: x(step.intensity), cy: y(step.gmac_per_s), r: 3 + 11 * Math.sqrt(step.ms / largest),
        fill: colour(step.operator) }, step, describe(step) + ", " + percent(step.of_limit) + " of limit"));
      find("roof").append(drawn);
    }
    if (isComparable && multiplying.length) drawRoof();
    else if (limits && !isComparable) find("roof").append(element("p", {}, "It is not drawn, because " +
      (noise.reason !== null ? "the times are noise: " + noise.reason :
        "other work on this machine interrupted the measurement of the limits") + "."));
    else find("roof-section").remove();

    // The recorded run: a row for the steps, and one for the parts of each thread.
    {
      const spans = report.timeline.spans, width = 1080, height = 22;
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
      find("line").append(drawn);
      find("line-hint").textContent = "Steps one after the other" + (threads ? ", and below them the parts that " +
        threads + " threads took" : "") + ": the recorded run, " + plain(report.timeline.microseconds / 1000, 4) +
        " ms, which is the median of " + grouped(times) + "." +
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
    function drawArena({ begins, ends, whole }) {
      const width = 1080, height = 320, drawn = frame(width, height);
      const bytes = Math.max(...held.map((tenant) => tenant[2] + tenant[3]));
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
      find("arena").replaceChildren(drawn, element("p", { class: "hint" }, grouped(bytes) + " bytes"));
    }
    if (held.length) {
      const axes = [["nodes", nodeNumbers], ...(outer.length && !report.timeline.is_cut_short ? [["time", nodeTimes]] : [])];
      axes.forEach(([title, axis], position) => {
        const button = element("input", { type: "radio", name: "arena-axis" });
        button.checked = position === 0;
        button.addEventListener("change", () => drawArena(axis()));
        find("arena-axes").append(element("label", {}, button, " " + title));
      });
      drawArena(nodeNumbers());
    } else find("arena-section").remove();

    // Groups of steps.
    const groupings = [["operator", (step) => step.operator], ["kernel", (step) => step.kernel], ["layer", layer]];
    function group(name) {
      const groups = new Map();
      for (const step of report.steps) {
        const sum = groups.get(name(step)) || { name: name(step), steps: 0, ms: 0, multiply_adds: 0, limit: 0, limited: 0 };
        sum.steps++; sum.ms += step.ms; sum.multiply_adds += step.multiply_adds;
        if (step.of_limit !== null) { sum.limit += step.bound_ms; sum.limited += step.ms; }
        groups.set(name(step), sum);
      }
      const columns = [
        { title: "Group", value: (g) => g.name, isText: true }, { title: "Steps", value: (g) => g.steps },
        { title: "ms", value: (g) => g.ms, show: (v) => plain(v, 4) },
        { title: "Share", value: (g) => share(g.ms), show: percent },
        { title: "Multiply-adds", value: (g) => g.multiply_adds, show: (v) => v ? grouped(v) : "", isWide: true },
        { title: "Of limit", value: (g) => g.limited ? g.limit / g.limited : null, show: percent },
      ];
      find("groups").replaceChildren(element("thead"), element("tbody"));
      sortable(find("groups"), [...groups.values()], columns, { column: columns[2], isDown: true },
        (item, cells) => element("tr", {}, ...cells));
    }
    groupings.forEach(([title, name], position) => {
      const button = element("input", { type: "radio", name: "grouping" });
      button.checked = position === 0;
      button.addEventListener("change", () => group(name));
      find("groupings").append(element("label", {}, button, " " + title));
    });
    group(groupings[0][1]);

    // Steps.
    const columns = [
      { title: "Node", value: (s) => s.subgraph * 1e6 + s.node, show: (v) => (v >= 1e6 ? Math.floor(v / 1e6) + ":" : "") + v % 1e6 },
      { title: "Operator", value: (s) => s.operator, isText: true },
      { title: "Output", value: (s) => s.output, isText: true, isWide: true },
      { title: "ms", value: (s) => s.ms, show: (v) => plain(v, 4) },
      { title: "Share", value: (s) => share(s.ms), show: percent },
      { title: "± %", value: (s) => s.time.median ? 50 * (s.time.p75 - s.time.p25) / s.time.median : null, show: (v) => plain(v, 2), isWide: true },
      { title: "Multiply-adds", value: (s) => s.multiply_adds, show: (v) => v ? grouped(v) : "", isWide: true },
      { title: "GMAC/s", value: (s) => s.multiply_adds ? s.gmac_per_s : null, show: (v) => plain(v, 4) },
      { title: "GB/s", value: (s) => s.gb_per_s, show: (v) => plain(v, 3) },
      { title: "Limit ms", value: (s) => s.bound_ms, show: (v) => plain(v, 4), isWide: true },
      { title: "Of limit", value: (s) => s.of_limit, show: percent },
      { title: "Bound by", value: (s) => s.bound || "", isText: true, isWide: true },
      { title: "Kernel", value: (s) => s.kernel, isText: true, isWide: true },
    ];
    sortable(find("steps"), report.steps, columns, { column: columns[3], isDown: true }, (step, cells) =>
      opens(element("tr", { "data-node": place(step) }, ...cells), () => show(step)));
    """#
}
