extension ProfilePage {
  /// The script that fills the page from its JSON.
  static var script: String { factsScript + "\n" + drawingsScript + "\n" + tablesScript }

  private static let factsScript = #"""
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
    find("title").replaceChildren("Profile of ", ...breakable(report.model.split("/").pop()));
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
      ["Loading", plain(report.load_ms, 4) + " ms, and planning " + plain(report.planning_ms, 4) + " ms"],
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
    """#

  private static let tablesScript = #"""
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
      { title: "Kernel", value: (s) => s.kernel, isText: true, isWide: true, isLong: true },
    ];
    sortable(find("steps"), report.steps, columns, { column: columns[3], isDown: true }, (step, cells) =>
      opens(element("tr", { "data-node": place(step) }, ...cells), () => show(step)));
    """#
}
