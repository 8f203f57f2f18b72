
"use strict";
const data = JSON.parse(document.getElementById("report-data").textContent);
const byId = id => document.getElementById(id);

// Everything of the trace's reaches the page as text.
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// A table whose headings sort: columns are {head, text, key, show}. `first` is the column that it is sorted by at
// first; null keeps the order of the rows.
function table(rows, columns, first, filterText) {
  const body = element("tbody");
  let sorted = null, shown = rows;
  const fill = () => {
    const pieces = shown.map(row => element("tr", {}, ...columns.map(column => {
      const cell = element("td", {className: column.wide ? "text wide" : column.text ? "text" : ""});
      const content = column.show ? column.show(row) : column.key(row);
      cell.append(content === null || content === undefined ? "–" : content instanceof Node ? content : typeof content === "number" ? count(content) : content);
      return cell;
    })));
    body.replaceChildren(...pieces);
  };
  const sort = (column, head, down) => {
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    sorted = {column, down};
    const rank = row => { const value = column.key(row); return value === null || value === undefined ? -Infinity : value; };
    shown = [...shown].sort((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      const order = typeof x === "string" && typeof y === "string" ? x.localeCompare(y, "en", {numeric: true}) : x < y ? -1 : x > y ? 1 : 0;
      return down ? -order : order;
    });
    fill();
  };
  const heads = columns.map(column => {
    const button = element("button", {textContent: column.head, title: "Sort"});
    const head = element("th", {className: column.wide ? "text wide" : column.text ? "text" : "", scope: "col"}, button);
    button.addEventListener("click", () => {
      const again = sorted && sorted.column === column;
      sort(column, head, again ? !sorted.down : !column.text);
    });
    return head;
  });
  const made = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body);
  if (first === null) fill(); else sort(columns[first], heads[first], !columns[first].text);
  const filter = element("input", {className: "filter", type: "search", placeholder: "Show rows with …", ariaLabel: "Show rows with"});
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    shown = rows.filter(row => filterText(row).toLowerCase().includes(wanted));
    if (sorted) sort(sorted.column, heads[columns.indexOf(sorted.column)], sorted.down); else fill();
  });
  return [filter, element("div", {className: "scroll"}, made)];
}

function note(text) { return element("p", {className: "note", textContent: text}); }

function overview() {
  const sum = key => data.traces.reduce((total, trace) => total + trace[key], 0);
  const card = (value, what) => element("div", {className: "card"}, element("b", {textContent: value}), element("span", {textContent: what}));
  const scopes = data.stats.filter(row => row.kind === "function" || row.kind === "user");
  const calls = scopes.reduce((total, row) => total + row.count, 0);
  const plural = (number, one) => one + (number === 1 ? "" : "s");
  const clock = data.traces.find(trace => trace.ghz);
  const cards = [card(count(data.traces.length), plural(data.traces.length, "trace")), card(count(sum("waves")), "waves"), card(count(sum("records")), "records"),
    card(count(calls), "scopes closed"), card(clock ? parseFloat(clock.ghz.toFixed(3)) + " GHz" : "unknown", "shader clock" + (clock ? ", " + clock.clock : "")),
    card(count(data.losses.filter(row => row.loss).length), plural(data.losses.filter(row => row.loss).length, "kind") + " of losses")];
  const top = [...scopes].filter(row => row.exclusive).sort((a, b) => b.exclusive.sum - a.exclusive.sum).slice(0, 8);
  const most = top.length ? top[0].exclusive.sum : 1;
  const list = table(top, [
    {head: "Where the time goes", text: true, key: row => row.name},
    {head: "Exclusive cycles", key: row => row.exclusive.sum, show: row => {
      const bar = element("span", {className: "share"}); bar.style.width = Math.round(120 * row.exclusive.sum / Math.max(most, 1)) + "px";
      return element("span", {}, bar, count(row.exclusive.sum)); }},
    {head: "Calls", key: row => row.count},
    {head: "Kernel", text: true, key: row => row.kernel},
  ], 1, row => row.name + row.kernel)[1];
  const lost = element("p", {className: data.lossless ? "good" : "bad", textContent: data.lossless ? "Nothing was lost: every record could be decoded." : "This trace has losses: " + data.summary.replace(/^lost: /, "") + "."});
  byId("tab-overview").append(element("div", {className: "cards"}, ...cards), lost, top.length ? list : note("No scope was closed in this trace."));
  byId("tab-overview").append(element("h2", {textContent: "Traces"}), table(data.traces, [
    {head: "Trace", text: true, key: trace => trace.path}, {head: "Waves", key: trace => trace.waves}, {head: "Records", key: trace => trace.records},
    {head: "Cycles", key: trace => trace.end}, {head: "Begins at", key: trace => Number(trace.begin), show: trace => trace.begin},
    {head: "GPU", text: true, key: trace => trace.gfxip === null ? "" : "gfx" + trace.gfxip},
  ], 1, trace => trace.path)[1]);
}

function statistics() {
  const times = (what, key) => row => row[what] ? row[what][key] : null;
  const columns = [
    {head: "Scope", text: true, key: row => row.name, show: row => row.source ? element("span", {}, row.name, element("br"), element("span", {className: "note", textContent: row.source})) : row.name},
    {head: "Kind", text: true, key: row => row.kind}, {head: "Kernel", text: true, key: row => row.kernel}, {head: "Count", key: row => row.count},
    {head: "Exclusive", key: times("exclusive", "sum")}, {head: "Inclusive", key: times("inclusive", "sum")},
    {head: "Min", key: times("inclusive", "min")}, {head: "Median", key: times("inclusive", "median")}, {head: "p95", key: times("inclusive", "p95")}, {head: "Max", key: times("inclusive", "max")},
    {head: "CU max/mean", key: row => row.imbalance, show: row => row.imbalance === null ? null : row.imbalance.toFixed(2)}, {head: "Cut", key: row => row.cut},
  ];
  byId("tab-statistics").append(note("Cycles of the shader clock. Min, median, p95 and max are of single calls, from open to close. Cut counts scopes whose end is not known. A click on a heading sorts."));
  if (data.stats_left_out) byId("tab-statistics").append(note(count(data.stats_left_out) + " rows with less time are left out; sqtt stats prints all."));
  byId("tab-statistics").append(...table(data.stats, columns, 4, row => row.name + " " + row.kernel + " " + row.source));
}

function memory() {
  const pair = key => [row => row[key] ? row[key].touched : null, row => row[key] ? count(row[key].touched) + " / " + count(row[key].minimum) : null];
  const [lines, showLines] = pair("lines"), [sectors, showSectors] = pair("sectors"), [banks, showBanks] = pair("bank_cycles");
  const place = byId("tab-memory");
  if (!data.memory.rows.length) return place.append(note("This trace has no traced memory operations. Compile with address tracing to see what loads and stores touch."));
  place.append(note("Traced memory operations by marker. Touched / minimum: what was touched, and how little would have held the same bytes."));
  if (data.memory.rows.some(row => row.neighbours)) place.append(note("LDS cycles with ~ count neighbouring lanes: nobody published which lanes that GPU serves together in such an access."));
  if (data.memory.left_out) place.append(note(count(data.memory.left_out) + " markers that cost less are left out; sqtt memory-trace --summary prints all."));
  place.append(...table(data.memory.rows, [
    {head: "Source", text: true, key: row => row.source || "(unknown)"}, {head: "Operation", text: true, key: row => row.kind + " " + row.marker, show: row => element("span", {}, row.kind, element("br"), element("span", {className: "note", textContent: "marker " + row.marker}))},
    {head: "Finding", text: true, wide: true, key: row => row.finding}, {head: "Operations", key: row => row.operations},
    {head: "Lanes %", key: row => row.lanes, show: row => row.lanes.toFixed(0)}, {head: "Bytes/lane", key: row => row.access_bytes}, {head: "Stride", key: row => row.stride},
    {head: "Cache lines", key: lines, show: showLines}, {head: "Sectors", key: sectors, show: showSectors},
    {head: "Efficiency", key: row => row.efficiency, show: row => row.efficiency === null ? null : (100 * row.efficiency).toFixed(0) + "%"},
    {head: "LDS cycles", key: banks, show: row => row.neighbours ? "~ " + showBanks(row) : showBanks(row)}, {head: "Kernel", text: true, key: row => row.kernel},
  ], null, row => row.source + " " + row.kind + " marker " + row.marker + " " + row.kernel + " " + row.finding));
}

function losses() {
  const place = byId("tab-losses");
  if (!data.losses.length) return place.append(element("p", {className: "good", textContent: "Nothing was lost, and there is nothing to remark."}));
  place.append(note("What is missing or unsure in this trace, and what helps. Remarks have no effect on answers."));
  place.append(...table(data.losses, [
    {head: "What", text: true, key: row => row.text, show: row => element("span", {className: row.loss ? "bad" : "", textContent: row.text})},
    {head: "Count", key: row => row.count}, {head: "Loss", text: true, key: row => row.loss ? "loss" : "remark"},
    {head: "Where", text: true, key: row => row.places.length ? row.places[0][0] : "", show: row => element("ul", {className: "places"}, ...row.places.map(([where, times]) => element("li", {textContent: count(times) + ": " + where})))},
    {head: "What helps", text: true, key: row => row.advice || ""},
  ], 1, row => row.text + row.places.map(([where]) => where).join(" ")));
}

function flame() {
  // A document of its own, without access to this one. Its script writes the zoom into the address, which a document
  // without an address may not.
  const script = "<scr" + "ipt>history.replaceState = () => {};</scr" + "ipt>";
  byId("flame-frame").srcdoc = "<!DOCTYPE html><meta charset=utf-8><style>body{margin:0}body>svg{width:100%;height:auto;display:block}</style>" + script + data.flame.replace(/^<\?xml[^>]*\?>/, "").replace(/<!DOCTYPE[^>]*>/, "");
  if (data.flame_lumped) byId("tab-flame").prepend(note(count(data.flame_lumped) + " scopes were put together with others: too deep, or too many different stacks."));
}

const timeline = new Timeline({canvas: byId("lanes-canvas"), scroller: byId("lanes"), space: byId("lanes-space"), tooltip: byId("tooltip")},
  lines => byId("selection").replaceChildren(...lines.map((line, at) => element("div", {}, at ? line : element("b", {textContent: line})))));

function openTrace(index) {
  const trace = data.traces[index];
  if (!trace) { byId("left-out").textContent = "No trace."; return; }
  timeline.open(trace);
  const parts = [[trace.spans_left_out, "shorter scopes"], [trace.points_left_out, "points"], [trace.lanes_left_out, "waves of further slots"]].filter(([number]) => number);
  byId("left-out").textContent = parts.length ? "To keep this file small, not drawn: " + parts.map(([number, what]) => count(number) + " " + what).join(", ") + ". Tables and flame graph have all; sqtt perfetto writes all." : "";
  byId("selection").textContent = "Nothing selected.";
}

byId("report-title").textContent = data.title;
data.traces.forEach((trace, index) => byId("trace-choice").append(element("option", {value: index, textContent: trace.name})));
byId("trace-choice").addEventListener("change", event => openTrace(Number(event.target.value)));
byId("zoom-in").addEventListener("click", () => timeline.zoom(0.6));
byId("zoom-out").addEventListener("click", () => timeline.zoom(1.6));
byId("zoom-all").addEventListener("click", () => timeline.all());
byId("scope-search").addEventListener("input", event => {
  const found = timeline.search(event.target.value);
  byId("search-count").textContent = event.target.value ? count(found) + " found" : "";
});

const tabs = [...document.querySelectorAll("nav button")];
const done = new Set();
const makers = {flame, statistics, memory, losses};
function openTab(name) {
  for (const tab of tabs) {
    const isOpen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", isOpen);
    byId("tab-" + tab.dataset.tab).hidden = !isOpen;
  }
  // Made when they are looked at first.
  if (makers[name] && !done.has(name)) { done.add(name); makers[name](); }
  if (name === "timeline" && !done.has(name)) { done.add(name); openTrace(0); }
}
for (const tab of tabs) tab.addEventListener("click", () => {
  openTab(tab.dataset.tab);
  history.replaceState(null, "", "#" + tab.dataset.tab);
});
overview();
// A link to a part opens it.
const linked = tabs.find(tab => "#" + tab.dataset.tab === location.hash);
openTab(linked ? linked.dataset.tab : "overview");
