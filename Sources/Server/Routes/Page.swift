/// The page at `/`, where a person drops a picture and sees what the models find in it.
enum Page {
  static var response: HTTPResponse {
    var response = HTTPResponse.text(text, type: "text/html; charset=utf-8")
    // The page has everything in itself, and may load nothing.
    response.headers.append(
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src blob:; "
          + "connect-src 'self'"
      ))
    return response
  }

  private static let text = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Ocellus</title>
    <style>
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
      label.drop { display: block; padding: 3rem 1rem; border: 2px dashed #8888; border-radius: 8px;
        text-align: center; cursor: pointer; }
      label.drop.over { border-color: #4a7; }
      label.drop input { position: absolute; opacity: 0; width: 1px; }
      canvas { max-width: 100%; display: block; margin: 1rem 0; }
      pre { overflow: auto; max-height: 20rem; background: #8881; padding: 1rem; border-radius: 8px; }
      table { border-spacing: 1rem 0; margin-left: -1rem; }
    </style>
    <h1>Ocellus</h1>
    <p>
      <select id="task" aria-label="Task">
        <option>detect</option><option>label</option><option>segment</option><option>pose</option>
      </select>
      <input id="token" type="password" placeholder="token, if the server wants one" autocomplete="off">
    </p>
    <label class="drop" id="drop">Drop a picture here, or choose one.
      <input id="file" type="file" accept="image/*"></label>
    <p id="status" role="status"></p>
    <canvas id="canvas" hidden></canvas>
    <table id="table"></table>
    <details><summary>JSON</summary><pre id="json"></pre></details>
    <p><a href="openapi.json">What the server answers</a></p>
    <script>
      const get = id => document.getElementById(id);
      const colors = ["#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#008080", "#9a6324"];

      async function ask(file) {
        get("status").textContent = "Looking …";
        get("table").replaceChildren();
        const headers = { "Content-Type": "application/octet-stream" };
        if (get("token").value) headers.Authorization = "Bearer " + get("token").value;
        let answer;
        try {
          const response = await fetch(get("task").value, { method: "POST", body: file, headers });
          answer = await response.json();
        } catch (error) {
          get("status").textContent = "No answer: " + error;
          return;
        }
        get("json").textContent = JSON.stringify(answer, null, 2);
        if (answer.error) { get("status").textContent = answer.error; return; }
        get("status").textContent =
          `${answer.width} × ${answer.height} pixels, ${answer.milliseconds.toFixed(1)} ms`;
        await draw(file, answer);
        list(answer);
      }

      async function draw(file, answer) {
        const picture = await createImageBitmap(file);
        const canvas = get("canvas"), context = canvas.getContext("2d");
        [canvas.width, canvas.height, canvas.hidden] = [picture.width, picture.height, false];
        context.drawImage(picture, 0, 0);
        const unit = Math.max(picture.width, picture.height) / 400;
        context.lineWidth = unit;
        context.font = `${8 * unit}px system-ui, sans-serif`;
        (answer.detections || []).forEach((found, index) => {
          const box = found.box;
          context.strokeStyle = context.fillStyle = colors[index % colors.length];
          context.strokeRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
          context.fillText(name(found.categories[0]), box.left, Math.max(box.top - unit, 8 * unit));
        });
        (answer.subjects || []).forEach((subject, index) => {
          context.fillStyle = colors[index % colors.length];
          for (const point of subject.points) {
            context.beginPath();
            context.arc(point.x, point.y, 2 * unit, 0, 7);
            context.fill();
          }
        });
      }

      const name = category => category ? category.label ?? `class ${category.index}` : "object";

      function list(answer) {
        const rows = (answer.detections || []).map(d => [name(d.categories[0]), d.score])
          .concat((answer.labels || []).map(l => [name(l), l.score]))
          .concat((answer.classes || []).map(c => [name(c), c.share]));
        for (const [text, score] of rows) {
          const row = get("table").insertRow();
          row.insertCell().textContent = text;
          row.insertCell().textContent = (100 * score).toFixed(0) + " %";
        }
      }

      const drop = get("drop");
      get("file").addEventListener("change", event => event.target.files[0] && ask(event.target.files[0]));
      drop.addEventListener("dragover", event => { event.preventDefault(); drop.classList.add("over"); });
      drop.addEventListener("dragleave", () => drop.classList.remove("over"));
      drop.addEventListener("drop", event => {
        event.preventDefault();
        drop.classList.remove("over");
        if (event.dataTransfer.files[0]) ask(event.dataTransfer.files[0]);
      });
    </script>
    </html>

    """
}
