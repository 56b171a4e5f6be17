// Curves of all runs: choose what is done to the texts, hover or use the arrow keys for the numbers.

const kPaperWidth = 660;  // of a page's text, in CSS pixels
const kDashes = ['', '7 4', '2 3', '10 3 2 3', '4 2', '12 4', '1 4'];

// The texts that are certified to at least the radius.
function textsAt(curve, radius) {
  const step = curve.radii.findIndex((value) => radiusOf(value) >= radius);
  return step < 0 ? 0 : curve.texts[step];
}

// Where less than one text in a hundred is left of every curve, the axis may end.
function lastRadius(curves) {
  let last = 0;
  for (const { curve } of curves)
    curve.radii.forEach((value, i) => {
      if (value !== null && curve.texts[i] * 100 >= curve.of) last = Math.max(last, value);
    });
  if (last > 0) return last;
  const finite = curves.flatMap(({ curve }) => curve.radii.filter((value) => value !== null));
  return Math.max(...finite) || 10;
}

function niceStep(range, most) {
  const rough = range / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((digit) => digit * power >= rough) || 10);
}

class CurveChart {
  constructor(figure, runs, kind) {
    this.figure = figure;
    this.runs = runs;
    this.kind = kind;
    this.shown = new Set(runs.keys());
    this.kinds = this.listKinds();
    this.chosen = this.kinds[0];
    this.radius = null;
    this.build();
    new ResizeObserver(() => this.draw()).observe(this.plot);
    addEventListener('beforeprint', () => this.draw(kPaperWidth));
    addEventListener('afterprint', () => this.draw());
  }

  // Operations with what they count: radii of different units never share a chart.
  listKinds() {
    const kinds = [];
    for (const run of this.runs)
      for (const curve of run.curves[this.kind])
        if (!kinds.some((k) => k.operation === curve.operation && k.unit === curve.unit))
          kinds.push({ operation: curve.operation, unit: curve.unit });
    const order = Object.keys(operationNames);
    return kinds.sort((a, b) => order.indexOf(a.operation) - order.indexOf(b.operation));
  }

  kindName(kind) {
    const alone = this.kinds.filter((k) => k.operation === kind.operation).length === 1;
    return operationNames[kind.operation] + (alone ? '' : ` (${countedIn(kind)})`);
  }

  curves() {
    return this.runs
      .map((run, number) => ({
        run, number,
        curve: run.curves[this.kind].find((c) => c.operation === this.chosen.operation && c.unit === this.chosen.unit),
      }))
      .filter((entry) => entry.curve);
  }

  build() {
    const choices = el('fieldset', { class: 'choices' }, el('legend', {}, 'Against'));
    this.kinds.forEach((kind, i) => {
      const input = el('input', { type: 'radio', name: 'operation-' + this.kind, value: kind.operation, checked: i === 0 });
      input.addEventListener('change', () => {
        this.chosen = kind;
        this.radius = null;
        this.draw();
      });
      choices.append(el('label', {}, input, this.kindName(kind)));
    });
    this.key = el('ul', { class: 'key' });
    this.plot = el('div', {});
    this.tip = el('div', { class: 'tip', hidden: true });
    this.remark = el('p', { class: 'note' });
    this.figure.append(choices, this.key, this.plot, this.tip, this.remark);
  }

  draw(wanted = this.plot.clientWidth || 640) {
    const width = Math.max(280, wanted);
    const height = Math.min(380, Math.max(250, Math.round(width * 0.45)));
    const curves = this.curves();
    this.area = { left: 46, right: width - 14, top: 10, bottom: height - 40 };
    this.last = lastRadius(curves);
    this.x = (radius) => this.area.left + (Math.min(radius, this.last) / this.last) * (this.area.right - this.area.left);
    this.y = (share) => this.area.bottom - share * (this.area.bottom - this.area.top);
    // Screen readers hand the arrow keys to a slider, and read out its value.
    this.svg = svg('svg', { viewBox: `0 0 ${width} ${height}`, height, role: 'slider', tabindex: 0, 'aria-label': this.label(curves),
      'aria-valuemin': 0, 'aria-valuemax': this.last });
    this.drawAxes(width, height);
    for (const entry of curves) this.drawCurve(entry);
    this.cross = svg('g', { visibility: 'hidden' });
    this.svg.append(this.cross);
    this.listen();
    this.plot.replaceChildren(this.svg);
    this.drawKey(curves);
    this.drawRemark(curves);
    this.say(this.radius ?? 0);
    if (this.radius !== null) this.show(this.radius);
    else this.hide();
  }

  label(curves) {
    const names = curves.map(({ run }) => run.name).join(', ');
    return `Share of texts certified against ${this.kindName(this.chosen)}, by the radius in ${countedIn(this.chosen)}: ${names}`;
  }

  drawAxes(width, height) {
    const { left, right, top, bottom } = this.area;
    for (let tenth = 0; tenth <= 10; tenth += 2) {
      const y = this.y(tenth / 10);
      this.svg.append(svg('line', { x1: left, x2: right, y1: y, y2: y, class: tenth ? 'grid' : 'axis' }));
      this.svg.append(svg('text', { x: left - 6, y: y + 4, 'text-anchor': 'end' }, `${10 * tenth} %`));
    }
    let step = niceStep(this.last, Math.max(3, width / 90));
    if (isWhole(this.chosen)) step = Math.max(1, step);
    for (let i = 0; i * step <= this.last * 1.0001; ++i) {
      const x = this.x(i * step);
      this.svg.append(svg('line', { x1: x, x2: x, y1: bottom, y2: bottom + 4, class: 'axis' }));
      this.svg.append(svg('text', { x, y: bottom + 17, 'text-anchor': 'middle' }, String(+(i * step).toPrecision(6))));
    }
    this.svg.append(svg('text', { x: (left + right) / 2, y: height - 4, 'text-anchor': 'middle' },
      `radius: ${countedIn(this.chosen)}`));
  }

  // Texts at a radius are those of the next step up: from the radius before, the line is at its height.
  drawCurve({ curve, number }) {
    if (!this.shown.has(number)) return;
    let path = `M${this.x(0)},${this.y(curve.texts[0] / curve.of)}`;
    let end = 0;
    for (let i = 1; i < curve.radii.length && end < this.last; ++i) {
      const share = curve.texts[i] / curve.of;
      path += `V${this.y(share)}H${this.x(radiusOf(curve.radii[i]))}`;
      end = radiusOf(curve.radii[i]);
    }
    if (end < this.last) path += `V${this.y(0)}`;
    this.svg.append(svg('path', { d: path, class: `curve c${number % 7}`, 'stroke-dasharray': kDashes[number % 7] }));
  }

  drawKey(curves) {
    this.key.hidden = this.runs.length < 2;
    this.key.replaceChildren(...curves.map(({ run, number }) => {
      const sample = svg('svg', { viewBox: '0 0 26 10', 'aria-hidden': 'true' });
      sample.append(svg('line', { x1: 0, x2: 26, y1: 5, y2: 5, class: `curve c${number % 7}`, 'stroke-dasharray': kDashes[number % 7] }));
      const box = el('input', { type: 'checkbox', checked: this.shown.has(number) });
      box.addEventListener('change', () => {
        if (box.checked) this.shown.add(number);
        else this.shown.delete(number);
        this.draw();
      });
      return el('li', {}, el('label', {}, box, ' ', sample, run.name));
    }));
  }

  drawRemark(curves) {
    const said = [];
    const without = this.runs.filter((run) => !curves.some((entry) => entry.run === run));
    if (without.length) said.push(`Nothing is stated about this by ${without.map((run) => run.name).join(', ')}.`);
    if (curves.some(({ curve }) => curve.radii.some((value) => value !== null && value > this.last)))
      said.push(`The axis ends where fewer than 1 % of the texts are left.`);
    this.remark.textContent = said.join(' ');
    this.remark.hidden = said.length === 0;
  }

  listen() {
    const at = (event) => {
      const box = this.svg.getBoundingClientRect();
      const share = (event.clientX - box.left - this.area.left) / (this.area.right - this.area.left);
      const radius = Math.min(1, Math.max(0, share)) * this.last;
      this.show(isWhole(this.chosen) ? Math.round(radius) : radius);
    };
    this.svg.addEventListener('pointermove', at);
    this.svg.addEventListener('pointerdown', at);
    // A finger that is lifted leaves, too; what it asked for stays until it taps elsewhere.
    this.svg.addEventListener('pointerleave', (event) => event.pointerType === 'touch' || this.hide());
    this.svg.addEventListener('blur', () => this.hide());
    this.svg.addEventListener('focus', () => this.svg.matches(':focus-visible') && this.show(this.radius ?? 0));
    this.svg.addEventListener('keydown', (event) => {
      const step = isWhole(this.chosen) ? 1 : this.last / 50;
      const to = { ArrowRight: this.radius + step, ArrowLeft: this.radius - step, Home: 0, End: this.last }[event.key];
      if (event.key === 'Escape') this.hide();
      if (to === undefined) return;
      event.preventDefault();
      this.show(Math.min(this.last, Math.max(0, to)));
    });
  }

  // What the curves that are shown have at the radius.
  rowsAt(radius) {
    return this.curves().filter(({ number }) => this.shown.has(number)).map(({ run, curve, number }) => {
      const texts = textsAt(curve, radius);
      return { run, number, texts, of: curve.of, share: texts / curve.of };
    });
  }

  // To those who do not see the chart.
  say(radius) {
    const rows = this.rowsAt(radius).map((row) => `${row.run.name} ${percent(row.texts, row.of)}, ${row.texts} of ${row.of} texts`);
    this.svg.setAttribute('aria-valuenow', radius);
    this.svg.setAttribute('aria-valuetext', `Radius ${radiusText(radius)}: ${rows.join('; ')}`);
  }

  show(radius) {
    this.radius = radius;
    const rows = this.rowsAt(radius);
    this.cross.replaceChildren(svg('line', { x1: this.x(radius), x2: this.x(radius), y1: this.area.top, y2: this.area.bottom, class: 'cross' }));
    for (const row of rows)
      this.cross.append(svg('circle', { cx: this.x(radius), cy: this.y(row.share), r: 4.5, class: `dot c${row.number % 7}` }));
    this.cross.setAttribute('visibility', 'visible');
    this.fillTip(radius, rows);
    this.say(radius);
  }

  fillTip(radius, rows) {
    const body = el('tbody', {});
    for (const row of rows)
      body.append(el('tr', { 'data-run': row.number, 'data-texts': row.texts },
        el('th', { scope: 'row', class: this.runs.length > 1 ? `run c${row.number % 7}` : '' }, this.runs.length > 1 ? row.run.name : ''),
        el('td', { class: 'n' }, percent(row.texts, row.of)),
        el('td', { class: 'count' }, `${thousands(row.texts)} of ${thousands(row.of)}`)));
    this.tip.replaceChildren(el('strong', {}, `Radius ${radiusText(radius)}`), ` ${countedIn(this.chosen)}`, el('table', {}, body));
    this.tip.dataset.radius = radius;
    this.tip.hidden = false;
    const box = this.plot.getBoundingClientRect(), outer = this.figure.getBoundingClientRect();
    const scale = box.width / this.svg.viewBox.baseVal.width;
    const x = box.left - outer.left + this.x(radius) * scale;
    const right = x + 14 + this.tip.offsetWidth <= outer.width;
    this.tip.style.left = `${Math.max(0, right ? x + 14 : x - 14 - this.tip.offsetWidth)}px`;
    this.tip.style.top = `${box.top - outer.top + 12}px`;
  }

  hide() {
    this.radius = null;
    this.cross.setAttribute('visibility', 'hidden');
    this.tip.hidden = true;
  }
}
