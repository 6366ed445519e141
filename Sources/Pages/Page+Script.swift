extension Page {
  /// The functions that the scripts of all pages share: elements, numbers as text, sortable tables.
  static let commonScript = #"""
    "use strict";
    const report = JSON.parse(document.getElementById("contents").textContent);
    const find = (id) => document.getElementById(id);
    function element(name, attributes, ...children) {
      const made = document.createElement(name);
      for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
      made.append(...children.filter((child) => child !== null && child !== undefined));
      return made;
    }
    function drawing(name, attributes, ...children) {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
      made.append(...children);
      return made;
    }
    const grouped = (number) => number.toLocaleString("en-US");
    // What JSON cannot say, an infinite ratio, is null there.
    const plain = (number, digits) => number === null || number === undefined ? "" :
      Math.abs(number) >= 1e15 ? number.toExponential((digits || 5) - 1) :
      Number.isInteger(number) ? grouped(number) : String(Number(number.toPrecision(digits || 5)));
    const percent = (share) => share ? plain(100 * share, 3) + " %" : "";
    const list = (target, pairs) => target.append(...pairs.filter((pair) => pair[1] !== "").flatMap(
      (pair) => [element("dt", {}, pair[0]), element("dd", {}, pair[1])]));

    // Draws something as wide as its place is, again whenever that changes; returns a function that does so, too.
    function fitted(target, draw) {
      let width = 0;
      const again = () => target.replaceChildren(draw(width));
      const measure = () => {
        const now = Math.max(280, Math.floor(target.clientWidth));
        if (now !== width) { width = now; again(); }
      };
      measure();
      new ResizeObserver(measure).observe(target);
      return again;
    }
    // A file's name, which may break where its words end.
    const breakable = (name) => name.split(/(?<=[_.-])/).flatMap((part, place) =>
      place ? [element("wbr"), part] : [part]);

    // What opens something by itself, with a mouse or without.
    function opens(target, show) {
      target.setAttribute("tabindex", "0");
      target.addEventListener("click", show);
      target.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(); }
      });
      return target;
    }
    function showDetail(title, ...children) {
      find("detail-title").textContent = title;
      find("detail-body").replaceChildren(...children.filter((child) => child !== null));
      find("detail").showModal();
    }
    function table(titles, rows) {
      return element("div", { class: "scroll" }, element("table", {},
        element("thead", {}, element("tr", {}, ...titles.map((t) => element("th", { scope: "col" }, t)))),
        element("tbody", {}, ...rows.map((row) =>
          element("tr", {}, ...row.map((cell) => element("td", {}, cell)))))));
    }

    // A table whose headings sort it. A column has a title and either a value, shown as a number unless it is
    // text, or a drawing; makeRow takes the cells of an item.
    function sortable(target, items, columns, order, makeRow) {
      const classes = (column) =>
        [column.isText || column.draw ? "" : "number", column.isWide ? "wide" : "", column.isLong ? "long" : ""].join(" ").trim();
      const text = (column, item) => column.draw ? column.draw(item) : column.isText ?
        column.value(item) : (column.show || plain)(column.value(item));
      function fill() {
        const value = (item) => {
          const found = order.column.value(item);
          return found === null || found === undefined ? -Infinity : found;
        };
        const sorted = items.map((item, place) => ({ item, place }));
        sorted.sort((a, b) => (value(a.item) < value(b.item) ? -1 : value(a.item) > value(b.item) ? 1 :
          a.place - b.place) * (order.isDown ? -1 : 1));
        target.querySelector("tbody").replaceChildren(...sorted.map(({ item }) => makeRow(item,
          columns.map((column) => element("td", { class: classes(column) }, text(column, item))))));
        for (const heading of target.querySelectorAll("th")) {
          heading.setAttribute("aria-sort", heading.column === order.column ?
            (order.isDown ? "descending" : "ascending") : "none");
        }
      }
      target.querySelector("thead").append(element("tr", {}, ...columns.map((column) => {
        const heading = element("th", { scope: "col", class: classes(column) });
        heading.column = column;
        if (!column.value) { heading.append(column.title); return heading; }
        const button = element("button", { type: "button" }, column.title);
        button.addEventListener("click", () => {
          order = { column, isDown: order.column === column ? !order.isDown : !column.isText };
          fill();
        });
        heading.append(button);
        return heading;
      })));
      fill();
    }
    """#
}
