// SPDX-License-Identifier: Apache-2.0
// The network views of a report: colours over time, the figures of a router or link, the path of a packet, a deadlock.
// Each <section class="view"> has its drawing in SVG and its data as JSON beside it; see page_view.h for their form.
"use strict";

const SvgNames = "http://www.w3.org/2000/svg";

/** An element of the page, or with "svg:" before its name, of a drawing. */
function element(name, attributes, ...children) {
  const made = name.startsWith("svg:") ? document.createElementNS(SvgNames, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The colour of a share from 0 to 1 of the scale. */
function heat(share, colours) {
  const at = Math.max(0, Math.min(1, share)) * (colours.length - 1);
  const i = Math.min(Math.floor(at), colours.length - 2);
  const channel = (k) => {
    const part = (c) => parseInt(c.slice(1 + 2 * k, 3 + 2 * k), 16);
    return Math.round(part(colours[i]) + (at - i) * (part(colours[i + 1]) - part(colours[i])));
  };
  return `rgb(${channel(0)}, ${channel(1)}, ${channel(2)})`;
}

const number = (value, digits) => value === null || value === undefined ? "–"
  : value.toLocaleString("en", {minimumFractionDigits: digits, maximumFractionDigits: digits});

/** The largest number, at least a little above 0, so that it can be divided by. */
const largest = (list) => list.reduce((a, b) => Math.max(a, b ?? 0), 1e-9);

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);

/** Lists of one length, added up place by place. */
const sums = (lists) => (lists[0] ?? []).map((_, k) => lists.reduce((sum, list) => sum + list[k], 0));

/** Rows as a table; the first row is its head, the first columns are of text. */
function table(rows, texts = 1) {
  const cell = (kind) => (text, i) => element(kind, i < texts ? {class: "text"} : {}, String(text));
  const [head, ...body] = rows;
  return element("table", {},
    element("thead", {}, element("tr", {}, ...head.map(cell("th")))),
    element("tbody", {}, ...body.map((row) => element("tr", {}, ...row.map(cell("td"))))));
}

class NetworkView {
  constructor(section, colours) {
    this.data = JSON.parse(section.querySelector("script").textContent);
    this.colours = colours;
    this.section = section;
    this.svg = section.querySelector(".map svg");
    this.links = [...this.svg.querySelectorAll(".link")];
    this.routers = [...this.svg.querySelectorAll(".router")];
    this.nodes = [...this.svg.querySelectorAll(".node")];
    this.over = this.svg.querySelector(".over");
    this.side = section.querySelector(".side");
    this.key = section.querySelector(".key");
    this.step = 0;  // 0: the whole window; k: interval k - 1
    this.chosen = null;
    this.by = "utilisation";
    this.timer = null;
    // Of each router, its input ports; and all flits in them, by interval.
    this.inputs = this.data.routers.map(() => []);
    this.data.queues?.inputs.forEach((input) => this.inputs[input.router].push(input));
    this.queued = this.inputs.map((inputs) => sums(inputs.flatMap((input) => input.flits)));
    this.connect();
    this.show();
  }

  connect() {
    const find = (name) => this.section.querySelector(`[name=${name}]`);
    this.slider = find("time");
    this.slider.addEventListener("input", () => { this.step = Number(this.slider.value); this.show(); });
    find("by").addEventListener("change", (event) => { this.by = event.target.value; this.show(); });
    this.player = find("play");
    this.player.addEventListener("click", () => this.play());
    this.routers.forEach((r, i) => r.addEventListener("click", () => this.choose({router: i})));
    this.links.forEach((l, i) => l.addEventListener("click", () => this.choose({link: i})));
    this.packet = find("packet");
    this.packet?.addEventListener("change", () => this.choose({packet: Number(this.packet.value)}));
    find("ring")?.addEventListener("click", () => this.choose({ring: true}));
    find("svg").addEventListener("click", () => this.save("svg", this.picture().url));
    find("png").addEventListener("click", () => this.save_png());
    if (this.data.ring.length > 0) this.chosen = {ring: true};
    this.make_movable();
  }

  /** The wheel zooms at the pointer, dragging moves, a double click shows all again. */
  make_movable() {
    const box = this.svg.viewBox.baseVal, all = [box.x, box.y, box.width, box.height];
    const set = (x, y, width, height) => this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    const scale = () => Math.max(box.width / this.svg.clientWidth, box.height / this.svg.clientHeight);
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const factor = Math.min(event.deltaY > 0 ? 1.2 : 1 / 1.2, all[2] / box.width);
      const at = this.svg.getBoundingClientRect();
      const x = box.x + box.width * (event.clientX - at.left) / at.width;
      const y = box.y + box.height * (event.clientY - at.top) / at.height;
      set(x + (box.x - x) * factor, y + (box.y - y) * factor, box.width * factor, box.height * factor);
    }, {passive: false});
    this.svg.addEventListener("pointermove", (event) => {
      if (event.buttons !== 1) return;
      set(box.x - event.movementX * scale(), box.y - event.movementY * scale(), box.width, box.height);
    });
    this.svg.addEventListener("dblclick", () => set(...all));
  }

  /** Runs through the intervals, from the first. */
  play() {
    if (this.timer !== null) return this.stop();
    this.player.textContent = "stop";
    this.step = 0;
    this.timer = setInterval(() => {
      if (this.step >= Number(this.slider.max)) return this.stop();
      this.slider.value = ++this.step;
      this.show();
    }, 250);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.player.textContent = "play";
  }

  choose(what) {
    this.chosen = what;
    this.show();
  }

  /** Utilisation of the run's channels, by row, now. */
  utilisation() {
    const {rows, series} = this.data;
    return this.step === 0 ? rows.map((row) => row.utilisation) : series.channels.map((c) => c[this.step - 1] ?? 0);
  }

  /** Of each router what it is coloured by, now. */
  load(utilisation) {
    const {routers} = this.data;
    if (this.by === "utilisation")
      return routers.map((r) => r.rows.reduce((sum, row) => sum + utilisation[row], 0) / Math.max(1, r.rows.length));
    return this.by_time().map((list) => this.now(list));
  }

  /** Flits in routers, by interval: what the colours show, if not utilisation. */
  by_time() { return this.by === "queues" ? this.queued : this.data.series.occupancy; }

  /** What a list of intervals says of the time at which the slider stands. */
  now(list) { return this.step === 0 ? mean(list.slice(this.data.series.first)) : list[this.step - 1] ?? 0; }

  /** The ends of the scales: those of the whole run, so that colours mean the same at all times. */
  scales() {
    const {rows, series} = this.data;
    const channels = largest([...rows.map((r) => r.utilisation), ...(series ? series.channels.flat() : [])]);
    return {link: channels, router: this.by === "utilisation" ? channels : largest(this.by_time().flat())};
  }

  show() {
    const utilisation = this.utilisation(), load = this.load(utilisation), scale = this.scales();
    this.links.forEach((l, i) => {
      l.style.stroke = heat(utilisation[this.data.links[i].row] / scale.link, this.colours);
      l.classList.toggle("chosen", this.chosen?.link === i);
    });
    this.routers.forEach((r, i) => {
      const share = load[i] / scale.router;
      r.style.fill = heat(share, this.colours);
      r.nextElementSibling.style.fill = share > 0.55 ? "#ffffff" : "#000000";
      r.classList.toggle("chosen", this.chosen?.router === i);
    });
    this.nodes.forEach((n, i) => n.classList.toggle("waits", this.data.queued[i] > 0));
    this.section.querySelector("output").textContent = this.time();
    this.draw_key(scale);
    this.over.replaceChildren();
    this.side.replaceChildren(...this.details(utilisation, load));
  }

  /** What is shown, as a drawing of its own: network, time and scales, with the looks that the style of the page gives. */
  picture() {
    const looks = ["fill", "font-family", "font-size", "stroke", "stroke-dasharray", "stroke-width", "text-anchor"];
    const copy = (drawing, place) => {
      const made = drawing.cloneNode(true), parts = made.querySelectorAll("*");
      drawing.querySelectorAll("*").forEach((part, i) => {
        const style = getComputedStyle(part);
        for (const look of looks) parts[i].style.setProperty(look, style.getPropertyValue(look));
      });
      made.removeAttribute("style");
      for (const [key, value] of Object.entries(place)) made.setAttribute(key, value);
      return made;
    };
    const box = this.svg.viewBox.baseVal, keys = [...this.key.children];
    const width = 1000, high = Math.round(width * box.height / box.width), height = high + 34 * keys.length + 10;
    const whole = element("svg:svg", {xmlns: SvgNames, viewBox: `0 0 ${width} ${height}`, width, height},
      element("svg:rect", {width, height, fill: "#ffffff"}), copy(this.svg, {x: 0, y: 0, width, height: high}),
      ...keys.map((key, i) => copy(key, {x: 4, y: high + 34 * i, width: 260, height: 34})),
      element("svg:text", {x: 280, y: high + 14, style: "font: 13px sans-serif"}, this.time()));
    const text = new XMLSerializer().serializeToString(whole);
    return {width, height, url: "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text)};
  }

  save(ending, url) {
    element("a", {href: url, download: `${this.section.dataset.name}-network.${ending}`}).click();
  }

  save_png() {
    const {width, height, url} = this.picture(), image = new Image();
    image.addEventListener("load", () => {
      const canvas = element("canvas", {width: 2 * width, height: 2 * height});
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      this.save("png", canvas.toDataURL("image/png"));
    });
    image.setAttribute("src", url);
  }

  /** What the slider stands at, in words. */
  time() {
    const {series} = this.data;
    if (this.step === 0) return "whole window";
    const begin = series.start[this.step - 1];
    return `cycles ${number(begin, 0)} to ${number(begin + series.interval, 0)}`;
  }

  draw_key(scale) {
    const bar = (label, end, digits) => {
      const parts = 60, width = 240 / parts;
      const stops = Array.from({length: parts}, (_, i) => element("svg:rect",
        {x: 4 + i * width, y: 2, width: width + 0.5, height: 10, fill: heat((i + 0.5) / parts, this.colours)}));
      const text = (x, anchor, words) =>
        element("svg:text", {x, y: 25, style: `text-anchor: ${anchor}; font-size: 10.5px`}, words);
      return element("svg:svg", {viewBox: "0 0 260 34", role: "img", "aria-label": label}, ...stops,
                     text(4, "start", "0"), text(124, "middle", label), text(244, "end", number(end, digits)));
    };
    const of_routers = {queues: "routers: flits in queues", occupancy: "routers: flits buffered"}[this.by];
    const bars = [bar(this.by === "utilisation" ? "links, routers: flits/cycle" : "links: flits/cycle", scale.link, 3)];
    if (of_routers) bars.push(bar(of_routers, scale.router, 1));
    this.key.replaceChildren(...bars);
  }

  details(utilisation, load) {
    const {chosen} = this;
    if (chosen?.router !== undefined) return this.router_details(chosen.router, utilisation, load);
    if (chosen?.link !== undefined) return this.link_details(chosen.link, utilisation);
    if (chosen?.packet !== undefined) return this.packet_details(chosen.packet);
    if (chosen?.ring) return this.ring_details();
    return [element("p", {class: "soft hint"}, "Click a router or a link for its figures.")];
  }

  router_details(i, utilisation, load) {
    const {routers, rows, series, nodes, queued} = this.data;
    const router = routers[i];
    const list = [element("h3", {}, router.name), element("p", {class: "soft"}, this.time())];
    list.push(table([["output", "to", "flits/cycle"],
      ...router.rows.map((row) => [rows[row].port, rows[row].to, number(utilisation[row], 4)])], 2));
    if (series?.occupancy)
      list.push(element("p", {}, "flits buffered, those on channels that lead to it included, on average: " +
                                 number(this.now(series.occupancy[i]), 2)),
                this.spark(series.occupancy[i], "flits buffered over time"));
    if (this.inputs[i].length > 0) list.push(...this.queue_details(i));
    const own = nodes.map((n, id) => [n, id]).filter(([n]) => n.router === i);
    if (own.length > 0)
      list.push(table([["node", "packets in its source queue at the end"],
                       ...own.map(([, id]) => [`node ${id}`, number(queued[id], 0)])]));
    return list;
  }

  /** The queues of a router: flits in the buffer of each VC now, and in those of each input port over time. */
  queue_details(i) {
    const inputs = this.inputs[i], {depth} = this.data.queues;
    const now = inputs.map((input) => input.flits.map((values) => this.now(values)));
    const made = table([["input", "from", ...inputs[0].flits.map((_, vc) => `VC ${vc}`), "all"],
      ...inputs.map((input, k) => [input.port, input.from, ...now[k].map((flits) => number(flits, 2)),
                                   number(now[k].reduce((a, b) => a + b, 0), 2)])], 2);
    made.classList.add("queues");
    now.forEach((row, k) => row.forEach((flits, vc) => {
      const {style} = made.tBodies[0].rows[k].cells[2 + vc];
      style.background = heat(flits / depth, this.colours);
      style.color = flits / depth > 0.55 ? "#ffffff" : "#000000";
    }));
    return [element("p", {}, `Queues: flits in the buffers of ${depth}, on average`), made,
            this.history(inputs.map((input) => [input.port, sums(input.flits)]))];
  }

  /** Rows of a label and values, as a strip of colours over the intervals each, with a mark at the slider. */
  history(rows) {
    const width = 260, left = 44, high = 13, steps = Math.max(1, rows[0][1].length), wide = (width - left) / steps;
    const height = high * rows.length + 16, top = largest(rows.flatMap(([, values]) => values));
    const made = element("svg:svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", class: "history",
                                     "aria-label": "flits in the queues of each input over time"});
    rows.forEach(([label, values], k) => {
      made.append(element("svg:text", {x: left - 4, y: high * k + 9, style: "text-anchor: end"}, label));
      values.forEach((v, n) => made.append(element("svg:rect",
        {x: left + n * wide, y: high * k, width: wide + 0.3, height: high - 2, fill: heat(v / top, this.colours)})));
    });
    made.append(element("svg:text", {x: left, y: height - 3, style: "text-anchor: start"},
                        `all VCs over time, at most ${number(top, 2)}`));
    if (this.step > 0)
      made.append(element("svg:rect", {x: left + (this.step - 1) * wide, y: 0, width: wide, height: height - 16,
                                       fill: "none", stroke: "#0072b2", "stroke-width": 2}));
    return made;
  }

  link_details(i, utilisation) {
    const link = this.data.links[i], row = this.data.rows[link.row];
    const list = [element("h3", {}, link.name), element("p", {class: "soft"}, this.time()),
                  table([["", ""], ["flits/cycle", number(utilisation[link.row], 4)],
                         ["flits in the window", number(row.flits, 0)]])];
    if (this.data.series) list.push(this.spark(this.data.series.channels[link.row], "flits/cycle over time"));
    return list;
  }

  /** A small curve of values over the intervals, with a mark at the slider. */
  spark(values, label) {
    const width = 260, height = 56, top = largest(values);
    const x = (k) => 2 + (width - 4) * k / Math.max(1, values.length - 1), y = (v) => height - 14 - (height - 18) * v / top;
    const line = values.map((v, k) => `${x(k).toFixed(1)},${y(v ?? 0).toFixed(1)}`).join(" ");
    const made = element("svg:svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label},
      element("svg:polyline", {points: line, fill: "none", stroke: "#1d2b3a", "stroke-width": 1.5}),
      element("svg:text", {x: 2, y: height - 2, style: "text-anchor: start"}, `${label}, at most ${number(top, 3)}`));
    if (this.step > 0)
      made.append(element("svg:line", {x1: x(this.step - 1), x2: x(this.step - 1), y1: 2, y2: height - 14, stroke: "#0072b2"}));
    return made;
  }

  /** Marks the router in the drawing. */
  mark(router) {
    const {x, y} = this.data.routers[router];
    this.over.append(element("svg:rect", {class: "marked", x: x - 17, y: y - 17, width: 34, height: 34, rx: 6}));
  }

  packet_details(id) {
    const packet = this.data.packets.list.find((p) => p[0] === id);
    if (!packet)
      return [element("p", {class: "bad"}, `Packet ${id} is not among those of this page: ${this.data.packets.which}.`)];
    const [, source, destination, vc, flits, head_in, tail_in, head_out, tail_out, alone] = packet;
    const path = this.data.packets.paths[`${source}-${destination}`];
    if (path) {
      this.mark(this.data.nodes[source].router);
      for (const link of path)
        this.over.append(element("svg:path", {class: "path", d: this.links[link].getAttribute("d")}));
      if (path.length > 0) this.mark(this.data.nodes[destination].router);
    }
    const wait = head_out - head_in - alone;
    const rows = [["", "cycles"],
      ["head in the network", number(head_out - head_in, 0)],
      ["  of an empty network", number(alone, 0)],
      ["  waited for others", number(wait, 0)],
      ["tail behind head, entering", number(tail_in - head_in, 0)],
      ["tail behind head, leaving", number(tail_out - head_out, 0)],
      ["whole packet", number(tail_out - head_in, 0)]];
    if (alone === null) rows.splice(2, 2);  // it is known of one path only
    const list = [element("h3", {}, `Packet ${id}`),
      element("p", {}, `node ${source} to node ${destination}, ${flits} ${flits === 1 ? "flit" : "flits"}, VC ${vc} of the ` +
        `source; in at cycle ${number(head_in, 0)}, out at cycle ${number(tail_out, 0)}`),
      table(rows)];
    if (path)
      list.push(element("p", {}, "path: routers " +
        [this.data.nodes[source].router, ...path.map((l) => this.data.links[l].to)].join(", ")));
    else
      list.push(element("p", {class: "soft"},
        "Its path is chosen on the way, or drawn by its source: the event log does not say it."));
    return list;
  }

  ring_details() {
    const {ring, routers} = this.data;
    ring.forEach((wait, k) => {
      this.mark(wait.router);
      const from = routers[wait.router], to = routers[ring[(k + 1) % ring.length].router];
      const long = Math.hypot(to.x - from.x, to.y - from.y);
      if (long === 0) return;
      const [ux, uy] = [(to.x - from.x) / long, (to.y - from.y) / long];
      const at = (p, along) => `${(p.x + along * ux - 9 * uy).toFixed(1)},${(p.y + along * uy + 9 * ux).toFixed(1)}`;
      this.over.append(element("svg:path", {class: "wait", d: `M${at(from, 17)} L${at(to, -19)}`, "marker-end": "url(#tip)"}));
    });
    return [element("h3", {}, `Deadlock: a ring of ${ring.length} packets`),
      table([["packet", "where", "waits for"], ...ring.map((w) => [w.packet, w.place, w.waits_for])], 3),
      element("p", {class: "soft"}, "Each waits for the next, the last for the first.")];
  }
}

const Colours = JSON.parse(document.getElementById("heat-colours").textContent);
// Paper shows what the page has folded away.
const folded = [...document.querySelectorAll("details")];
window.addEventListener("beforeprint", () => folded.forEach((d) => { d.open = true; }));
window.addEventListener("afterprint", () => folded.forEach((d) => { d.open = false; }));

for (const section of document.querySelectorAll(".view")) new NetworkView(section, Colours);
