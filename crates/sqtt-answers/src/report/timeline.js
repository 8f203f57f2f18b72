
"use strict";
// A canvas that shows lanes of waves: zooms, moves, tells what is under the pointer.
class Timeline {
  constructor(elements, onSelect) {
    Object.assign(this, elements);
    this.context = this.canvas.getContext("2d");
    this.onSelect = onSelect;
    this.row = 18; this.gap = 8; this.axis = 26; this.strip = 9;
    this.trace = null; this.query = ""; this.selected = null;
    const scroller = this.scroller;
    scroller.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.resize()).observe(scroller);
    this.canvas.addEventListener("wheel", event => {
      if (!event.ctrlKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX)) return;
      event.preventDefault();
      if (event.ctrlKey) this.zoom(Math.exp(event.deltaY * 0.002), this.x(event));
      else this.move(event.deltaX / this.scale());
    }, {passive: false});
    let drag = null;
    this.canvas.addEventListener("pointerdown", event => {
      this.canvas.setPointerCapture(event.pointerId);
      drag = {x: event.clientX, y: event.clientY, from: this.from, top: scroller.scrollTop, moved: false};
    });
    this.canvas.addEventListener("pointermove", event => {
      if (!drag) return this.hover(event);
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (Math.abs(dx) + Math.abs(dy) > 3) { drag.moved = true; this.canvas.classList.add("dragging"); }
      if (!drag.moved) return;
      const width = this.to - this.from;
      this.show(drag.from - dx / this.scale(), drag.from - dx / this.scale() + width);
      scroller.scrollTop = drag.top - dy;
    });
    this.canvas.addEventListener("pointerup", event => {
      this.canvas.classList.remove("dragging");
      if (drag && !drag.moved) this.select(this.at(event));
      drag = null;
    });
    this.canvas.addEventListener("pointerleave", () => { this.tooltip.hidden = true; });
    this.canvas.addEventListener("dblclick", event => {
      const hit = this.at(event);
      if (hit && hit.span) this.show(hit.span[0] - hit.span[1] * 0.05, hit.span[0] + hit.span[1] * 1.05);
    });
    this.canvas.addEventListener("keydown", event => {
      const step = (this.to - this.from) * 0.15;
      const actions = {w: () => this.zoom(0.7), s: () => this.zoom(1.4), a: () => this.move(-step), d: () => this.move(step),
        ArrowLeft: () => this.move(-step), ArrowRight: () => this.move(step), 0: () => this.all()};
      const action = actions[event.key] || actions[event.key.toLowerCase()];
      if (action && !event.ctrlKey && !event.metaKey) { event.preventDefault(); action(); }
    });
  }

  open(trace) {
    this.trace = trace; this.selected = null;
    let top = this.axis + this.gap / 2;
    this.tops = trace.lanes.map(lane => { const at = top; top += this.laneHeight(lane) + this.gap; return at; });
    this.height = top;
    this.space.style.height = top + "px";
    this.colours = trace.names.map(([name]) => colour(name));
    this.scroller.scrollTop = 0;
    this.all();
    this.resize();
  }

  // A wave's row, a strip for points where there are some, and the rows of scopes.
  laneHeight(lane) { return (Math.min(lane.depth, 30) + 1) * this.row + (lane.points.length ? this.strip : 0); }
  rowTop(lane, depth) { return depth * this.row + (depth && lane.points.length ? this.strip : 0); }
  gutter() { return Math.min(190, this.width * 0.3); }
  scale() { return (this.width - this.gutter()) / (this.to - this.from); }
  x(event) { return event.clientX - this.canvas.getBoundingClientRect().left; }
  time(x) { return this.from + (x - this.gutter()) / this.scale(); }
  all() { const end = Math.max(this.trace.end, 1); this.show(-end * 0.01, end * 1.01); }
  move(by) { this.show(this.from + by, this.to + by); }
  zoom(by, x = this.gutter() + (this.width - this.gutter()) / 2) {
    const at = this.time(Math.max(x, this.gutter()));
    this.show(at - (at - this.from) * by, at + (this.to - at) * by);
  }
  show(from, to) {
    const end = Math.max(this.trace.end, 1), most = end * 1.2;
    let width = Math.min(Math.max(to - from, 4), most);
    const middle = (from + to) / 2;
    from = Math.min(Math.max(middle - width / 2, -end * 0.1), end * 1.1 - width * 0.1);
    this.from = from; this.to = from + width;
    this.draw();
  }
  search(query) { this.query = query.toLowerCase(); this.matches = new Set();
    if (this.query) this.trace.names.forEach(([name], index) => { if (name.toLowerCase().includes(this.query)) this.matches.add(index); });
    this.draw();
    let count = 0;
    if (this.query) for (const lane of this.trace.lanes) {
      for (const span of lane.spans) count += this.matches.has(span[3]);
      for (const point of lane.points) count += this.matches.has(point[1]);
    }
    return count;
  }
  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.scroller.clientWidth; this.view = this.scroller.clientHeight;
    if (!this.width) return;
    this.canvas.width = this.width * ratio; this.canvas.height = this.view * ratio;
    this.canvas.style.width = this.width + "px"; this.canvas.style.height = this.view + "px";
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw();
  }

  draw() {
    if (!this.trace || !this.width) return;
    const c = this.context, gutter = this.gutter(), scale = this.scale(), scroll = this.scroller.scrollTop;
    c.clearRect(0, 0, this.width, this.view);
    c.font = "12px system-ui, 'DejaVu Sans', sans-serif"; c.textBaseline = "middle";
    this.drawn = 0;
    this.trace.lanes.forEach((lane, index) => {
      const top = this.tops[index] - scroll, height = this.laneHeight(lane);
      if (top + height < this.axis || top > this.view) return;
      c.fillStyle = index % 2 ? "#fafbfc" : "#f3f5f8";
      c.fillRect(gutter, top - this.gap / 2, this.width - gutter, height + this.gap);
      c.save(); c.beginPath(); c.rect(gutter, this.axis, this.width - gutter, this.view); c.clip();
      const right = [];
      for (let at = firstAfter(lane.spans, this.from); at < lane.spans.length; at++) {
        const span = lane.spans[at], [begin, duration, depth, name, end] = span;
        if (begin > this.to) break;
        if (begin + duration < this.from || depth > 30) continue;
        const x = gutter + (begin - this.from) * scale, y = top + this.rowTop(lane, depth);
        const width = Math.max(duration * scale, 1);
        // What would be drawn over the same pixel is left out.
        if (width <= 1 && x < (right[depth] ?? -1)) continue;
        right[depth] = Math.floor(x) + 1;
        const isMatch = !this.query || this.matches.has(name);
        c.globalAlpha = isMatch ? 1 : 0.18;
        c.fillStyle = depth === 0 ? "#c9d1de" : this.colours[name];
        c.fillRect(x, y, width, this.row - 2);
        this.drawn++;
        if (end > 1) { c.fillStyle = "#b3391f"; c.fillRect(x + width - Math.min(3, width), y, Math.min(3, width), this.row - 2); }
        if (this.selected && this.selected.span === span) { c.strokeStyle = "#1d2330"; c.lineWidth = 2; c.strokeRect(x + 1, y + 1, width - 2, this.row - 4); }
        if (width > 30) this.label(this.trace.names[name][0], Math.max(x, gutter) + 4, y + this.row / 2 - 1, Math.min(x + width, this.width) - Math.max(x, gutter) - 8);
      }
      let last = -1;
      for (const point of lane.points) {
        const x = gutter + (point[0] - this.from) * scale;
        if (x < gutter - 4 || x > this.width + 4 || x < last + 1) continue;
        last = x;
        c.globalAlpha = !this.query || this.matches.has(point[1]) ? 1 : 0.18;
        c.fillStyle = this.selected && this.selected.point === point ? "#b3391f" : "#1d2330";
        c.beginPath(); c.moveTo(x, top + this.row); c.lineTo(x - 3, top + this.row + 6); c.lineTo(x + 3, top + this.row + 6); c.fill();
      }
      c.restore();
      c.globalAlpha = 1; c.fillStyle = "#fff"; c.fillRect(0, top - this.gap / 2, gutter, height + this.gap);
      c.fillStyle = "#5b6475"; this.label(lane.name, 8, top + this.row / 2, gutter - 12);
    });
    this.ruler(gutter, scale);
  }

  label(text, x, y, width) {
    const c = this.context;
    if (width < 14) return;
    if (c.fillStyle !== "#5b6475") c.fillStyle = "#1d2330";
    // About how many letters fit, then one by one.
    let shown = text.slice(0, Math.ceil(width / 4));
    while (shown && c.measureText(shown === text ? shown : shown + "…").width > width) shown = shown.slice(0, -1);
    if (shown) c.fillText(shown === text ? shown : shown + "…", x, y);
  }

  ruler(gutter, scale) {
    const c = this.context;
    c.globalAlpha = 1; c.fillStyle = "#fff"; c.fillRect(0, 0, this.width, this.axis);
    c.fillStyle = "#dfe3ea"; c.fillRect(0, this.axis - 1, this.width, 1); c.fillRect(gutter, 0, 1, this.view);
    const ghz = this.trace.ghz || 1, raw = 110 / scale / ghz, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(by => by * power).find(by => by >= raw) * ghz;
    for (let time = Math.ceil(this.from / step) * step; time < this.to; time += step) {
      const x = gutter + (time - this.from) * scale;
      c.fillStyle = "#dfe3ea"; c.fillRect(x, this.axis - 6, 1, 6);
      c.fillStyle = "#5b6475"; this.label(duration(time, this.trace.ghz), x + 3, this.axis / 2, 104);
    }
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top + this.scroller.scrollTop;
    if (x < this.gutter() || event.clientY - box.top < this.axis) return null;
    const index = this.tops.findLastIndex(top => top - this.gap / 2 <= y);
    const lane = this.trace.lanes[index];
    if (!lane) return null;
    const time = this.time(x), near = 4 / this.scale();
    const strip = lane.points.length ? this.strip : 0, below = y - this.tops[index] - this.row;
    const depth = below < 0 ? 0 : 1 + Math.floor((below - strip) / this.row);
    if (below >= 0 && below < strip) {
      let best = null;
      for (const point of lane.points) if (Math.abs(point[0] - time) < near && (!best || Math.abs(point[0] - time) < Math.abs(best[0] - time))) best = point;
      if (best) return {lane, point: best};
    }
    let found = null;
    for (const span of lane.spans) {
      if (span[0] > time + near) break;
      if (span[2] === depth && span[0] <= time + 0.5 / this.scale() && span[0] + Math.max(span[1], 1 / this.scale()) >= time) found = span;
    }
    return found && {lane, span: found};
  }

  hover(event) {
    const hit = this.at(event);
    this.tooltip.hidden = !hit;
    if (!hit) return;
    this.tooltip.textContent = describe(this.trace, hit).join("\n");
    this.tooltip.style.whiteSpace = "pre-line";
    this.tooltip.style.left = Math.min(event.clientX + 14, innerWidth - 320) + "px";
    this.tooltip.style.top = Math.min(event.clientY + 14, innerHeight - 110) + "px";
  }

  select(hit) { this.selected = hit; this.draw(); this.onSelect(hit ? describe(this.trace, hit) : ["Nothing selected."]); }
}

// The first span that may reach into the view: an outer one begins before those in it.
function firstAfter(spans, time) {
  let low = 0, high = spans.length;
  while (low < high) { const middle = (low + high) >> 1; if (spans[middle][0] < time) low = middle + 1; else high = middle; }
  while (low > 0 && !(spans[low - 1][2] === 0 && spans[low - 1][0] + spans[low - 1][1] < time)) low--;
  return low;
}

const ENDS = ["", "open when its wave ended", "open at the end of the trace", "cut by packet loss"];

function describe(trace, hit) {
  const [name, source] = trace.names[hit.span ? hit.span[3] : hit.point[1]];
  const lines = [name];
  if (source) lines.push(source);
  if (hit.span) {
    const [begin, length, depth, , end] = hit.span;
    lines.push(`${depth === 0 ? "wave, " : ""}${count(length)} cycles${trace.ghz ? " = " + duration(length, trace.ghz) : ""}, from ${count(begin)}`);
    if (end) lines.push(ENDS[end]);
  } else {
    const value = hit.point[2];
    lines.push(`at ${count(hit.point[0])}${value === null ? "" : `, value ${count(value)} (0x${value.toString(16)})`}`);
  }
  lines.push(hit.lane.name);
  return lines;
}

function count(number) { return Number(number).toLocaleString("en-US"); }

function duration(cycles, ghz) {
  if (!ghz) return count(Math.round(cycles)) + " cycles";
  const ns = cycles / ghz, [unit, by] = Math.abs(ns) >= 1e9 ? ["s", 1e9] : Math.abs(ns) >= 1e6 ? ["ms", 1e6] : Math.abs(ns) >= 1e3 ? ["µs", 1e3] : ["ns", 1];
  return parseFloat((ns / by).toPrecision(6)) + " " + unit;
}

function colour(name) {
  let hash = 2166136261;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16777619);
  return `hsl(${(hash >>> 0) % 360}, 58%, 74%)`;
}
