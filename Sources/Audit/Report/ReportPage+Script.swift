extension ReportPage {
  /// The script that fills the page from its JSON.
  static let script = #"""
    const timing = report.timing, hasTimes = report.nodes.some((node) => node.microseconds !== null);
    const statistics = (node) => node.outputs.length ? node.outputs[0].statistics : null;

    // The verdict first.
    find("title").replaceChildren("Audit of ", ...breakable(report.model.split("/").pop()));
    document.title = find("title").textContent;
    find("findings").append(...report.findings.map(
      (finding) => element("li", { class: finding.weight }, finding.text)));
    list(find("facts"), [
      ["Description", report.description || ""],
      ["Nodes", grouped(report.nodes.length) + (report.node_runs > report.nodes.length ? ", and " +
        grouped(report.node_runs - report.nodes.length) + " runs of nodes that they call" : "")],
      ["Multiply-adds", grouped(report.multiply_adds)],
      ["File", grouped(report.model_bytes) + " bytes"],
      ["Memory", grouped(report.memory_bytes) + " bytes"],
      ["Run", !timing ? "" : timing.reason !== null ? "not known: the times are noise, because " + timing.reason :
        plain(timing.run_ms, 4) + " ms, each node by itself, the median of " + grouped(timing.runs - timing.left_out) +
        " runs" + (timing.left_out ? " (" + grouped(timing.left_out) + " left out, which other work interrupted)" : "")],
      ["Kernels", report.instruction_set + (report.exact ? ", exact" : "") + ", " + report.threads +
        (report.threads === 1 ? " thread" : " threads")],
      ["Compared with", report.compared_with || ""]]);

    function histogram(statistics, width, height, name) {
      const counts = statistics && statistics.histogram ? statistics.histogram.counts : [];
      const largest = Math.max(1, ...counts);
      const drawn = drawing("svg", { class: name, width, height, viewBox: `0 0 ${width} ${height}`,
        role: "img", "aria-label": "how the numbers are spread" });
      counts.forEach((count, place) => {
        const bar = count ? Math.max(1, height * count / largest) : 0;
        drawn.append(drawing("rect", { x: place * width / counts.length, y: height - bar,
          width: width / counts.length, height: bar }));
      });
      return drawn;
    }

    // A node by itself.
    const tensors = new Map();
    for (const tensor of report.tensors) tensors.set(tensor.tensor, tensor);
    for (const node of report.nodes) for (const tensor of node.outputs) tensors.set(tensor.tensor, tensor);
    const makers = new Map();
    for (const node of report.nodes) for (const tensor of node.outputs) makers.set(tensor.tensor, node);

    function tensorDetail(tensor, role) {
      const s = tensor.statistics;
      const facts = element("dl");
      list(facts, [
        ["Type", tensor.type + " [" + tensor.shape.join(", ") + "]"],
        ["Made by", makers.has(tensor.tensor) ? "node " + makers.get(tensor.tensor).node : "the file or the caller"],
        ["Quantization", tensor.scale === null ? "" : tensor.scales > 1 ? tensor.scales + " scales" :
          "scale " + plain(tensor.scale) + ", zero point " + tensor.zero_point],
        ["Range", s ? plain(s.minimum) + " to " + plain(s.maximum) : ""],
        ["Mean", s ? plain(s.mean) : ""],
        ["Saturated", s ? percent(s.saturated_share) : ""],
        ["NaN, infinite", s && s.nan + s.infinite ? s.nan + ", " + s.infinite : ""]]);
      return element("div", {}, element("h3", {}, role + " " + tensor.tensor + " " + tensor.name), facts,
        s && s.histogram ? histogram(s, 320, 60, "histogram") : null);
    }

    function show(node) {
      const facts = element("dl");
      list(facts, [
        ["Runs as", node.runs_as], ["Multiply-adds", node.multiply_adds ? grouped(node.multiply_adds) : ""],
        ["Median time", node.microseconds === null ? "" : plain(node.microseconds, 4) + " µs"], ["Version", String(node.version)],
        ["SQNR", node.sqnr_db === null ? "" : plain(node.sqnr_db, 4) + " dB"],
        ["Different elements", node.different === null ? "" : grouped(node.different)],
        ["Largest difference", node.different ? plain(node.largest) : ""],
        ["Origin", node.origin && node.origin !== "none" ? node.origin : ""],
        ...Object.entries(node.options)]);
      const parts = [facts];
      if (node.map) parts.push(element("h3", {}, "Some channels of the first result"),
        element("img", { class: "map", src: node.map, alt: "channels as pictures" }));
      for (const tensor of node.outputs) parts.push(tensorDetail(tensor, "Result"));
      for (const index of node.inputs) if (tensors.has(index))
        parts.push(tensorDetail(tensors.get(index), "Operand"));
      showDetail("Node " + node.node + " · " + node.operator, ...parts);
    }

    // The table.
    const columns = [
      { title: "Node", value: (n) => n.node },
      { title: "Operator", value: (n) => n.operator, isText: true },
      { title: "Result", value: (n) => n.outputs.length ? "[" + n.outputs[0].shape.join(", ") + "]" : "",
        isText: true, isWide: true },
      { title: "µs", value: (n) => n.microseconds, show: (v) => plain(v, 4), isShown: hasTimes },
      { title: "Multiply-adds", value: (n) => n.multiply_adds, show: (v) => v ? grouped(v) : "", isWide: true },
      { title: "Minimum", value: (n) => statistics(n) && statistics(n).minimum, isWide: true },
      { title: "Maximum", value: (n) => statistics(n) && statistics(n).maximum, isWide: true },
      { title: "Mean", value: (n) => statistics(n) && statistics(n).mean, isWide: true },
      { title: "Saturated", value: (n) => statistics(n) ? statistics(n).saturated_share : null, show: percent },
      { title: "SQNR dB", value: (n) => n.different ? n.sqnr_db : null, show: (v) => plain(v, 4),
        isShown: report.compared_with !== null },
      { title: "Spread", draw: (n) => histogram(statistics(n), 64, 18, "spark"), isWide: true },
    ].filter((column) => column.isShown !== false);
    sortable(find("layers"), report.nodes, columns, { column: columns[0], isDown: false }, (node, cells) =>
      opens(element("tr", { "data-node": node.node }, ...cells), () => show(node)));

    // The graph. The name of a node's first result begins with the groups that the node is in.
    const nameOf = (node) => node.outputs.length ? node.outputs[0].name : "";
    const scope = (node) => nameOf(node).split(";")[0].split("/").slice(0, -1).filter((name) => name !== "");
    const graph = graphView(find("graph"), report.nodes.map((node) => ({ id: node.node,
      title: node.node + " " + node.operator, scope: scope(node), record: node,
      words: [nameOf(node), ...node.outputs.map((tensor) => tensor.type + " [" + tensor.shape.join(", ") + "]")].join(" "),
      sources: node.inputs.filter((index) => makers.has(index)).map((index) => makers.get(index).node),
    })), (node) => show(node.record));
    const measures = [
      ...(hasTimes ? [{ title: "time", value: (n) => n.microseconds || 0, unit: "µs", isSum: true }] : []),
      { title: "saturation", value: (n) => statistics(n) ? 100 * statistics(n).saturated_share : 0, unit: "%" },
    ];
    if (report.compared_with !== null) measures.push({ title: "error",
      value: (n) => n.different && n.sqnr_db !== null ? Math.max(0, 160 - n.sqnr_db) : 0,
      unit: "dB of noise above -160 dB" });
    const paint = (measure) => graph.paint({ value: (node) => measure.value(node.record), isSum: measure.isSum,
      report: (largest) => { find("scale").textContent = largest > 0 ?
        "Pale is none, red is " + plain(largest, 3) + " " + measure.unit + "." : "All nodes are pale: there is none."; } });
    measures.forEach((measure, position) => {
      const button = element("input", { type: "radio", name: "color" });
      button.checked = position === 0;
      button.addEventListener("change", () => paint(measure));
      find("colors").append(element("label", {}, button, " " + measure.title));
    });
    paint(measures[0]);

    // Pictures, with what was found in them and what became of the rest.
    for (const picture of report.pictures) {
      const answers = picture.answers;
      const caption = element("figcaption", {});
      if (answers.error) caption.append(element("p", {}, answers.error));
      const rows = (answers.detections || answers.categories || []);
      if (rows.length) caption.append(table(["Label", "Score", "Box"], rows.map((row) => [
        row.label === null ? "class " + row.index : row.label, plain(row.score, 4),
        row.box ? row.box.map((edge) => plain(edge, 4)).join(", ") : ""])));
      if (answers.ledger) caption.append(element("h3", {}, "What became of the candidates"),
        table(["Reason", "Candidates"], answers.ledger.map((row) => [row.reason, grouped(row.count)])));
      find("pictures").append(element("figure", {}, element("h2", {}, picture.name),
        element("img", { src: picture.file, alt: "the picture with its boxes" }), caption));
    }

    // Quantization: the results that lose most.
    const quantized = report.nodes.filter((node) => node.outputs.some((t) => t.scale !== null));
    if (quantized.length) {
      const used = (t) => t.statistics && t.statistics.maximum !== null && t.type.includes("int8") ?
        (t.statistics.maximum - t.statistics.minimum) / 255 : null;
      const worst = [...quantized].sort((a, b) => statistics(b).saturated_share - statistics(a).saturated_share);
      document.querySelector("#health div").append(table(
        ["Node", "Operator", "Scale", "Zero point", "Steps in use", "Saturated"],
        worst.slice(0, 20).map((node) => { const t = node.outputs[0]; return [String(node.node),
          node.operator, plain(t.scale), plain(t.zero_point), percent(used(t)),
          percent(t.statistics ? t.statistics.saturated_share : 0)]; })));
    } else find("health").remove();
    for (const part of document.querySelectorAll(".compared"))
      if (report.compared_with === null) part.remove();

    list(find("receipt"), [["Root", report.receipt.root], ["Model", report.model_sha256],
      ...report.receipt.inputs.map((hash) => ["Input", hash]), ["Numbers", report.receipt.numerics]]);
    """#
}
