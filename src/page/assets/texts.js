// All texts of a run: filtered, sorted, and only the rows in sight are in the page.

const kRowHeight = 39;  // with its line, as in the style

// A run's columns, asked by the number of a text.
class TextTable {
  constructor(run) {
    this.run = run;
    this.columns = run.texts;
    this.size = this.columns.id.length;
    this.lower = [];
  }
  label(i) { return this.columns.label ? this.columns.label[i] : -1; }
  answer(i) { return this.columns.answer[i]; }
  radius(i, kind) { return kind < 0 ? -1 : radiusOf(this.columns.radii[kind].values[i]); }
  text(i) { return this.columns.text ? this.columns.text[i] : ''; }
  key(i) { return this.columns.key ? this.columns.key[i] : ''; }
  outcome(i) {
    if (this.columns.state[i] === 1) return 'abstained';
    if (this.label(i) < 0) return 'unlabelled';
    return this.label(i) === this.answer(i) ? 'right' : 'wrong';
  }
  answerName(i) { return this.columns.state[i] === 1 ? 'no answer' : this.run.classes[this.answer(i)]; }
  labelName(i) { return this.label(i) < 0 ? '' : this.run.classes[this.label(i)]; }
  has(i, words) {
    if (this.lower[i] === undefined)
      this.lower[i] = `${this.columns.id[i]} ${this.key(i)} ${this.text(i)}`.toLowerCase();
    return words.every((word) => this.lower[i].includes(word));
  }
}

class TextList {
  constructor(box, run, number) {
    this.box = box;
    this.number = number;
    this.table = new TextTable(run);
    this.kinds = run.texts.radii;
    this.order = { column: '', down: false };
    this.selected = -1;
    this.build();
    this.apply();
  }

  field(name, control, label, ofClass) {
    this.fields[name] = control;
    const change = () => { this.apply(); this.remember(); };
    control.addEventListener(control.type === 'search' || control.type === 'number' ? 'input' : 'change', change);
    return el('label', { class: ofClass }, label, control);
  }

  choice(options) {
    return el('select', {}, ...options.map(([value, text]) => el('option', { value }, text)));
  }

  build() {
    this.fields = {};
    const { run } = this.table;
    const names = run.classes.map((name, i) => [String(i), name]);
    const filters = el('form', { class: 'filters', role: 'search' },
      this.field('q', el('input', { type: 'search', placeholder: this.table.columns.text ? 'words of the text, or its id' : 'id' }), 'Search', 'search'));
    if (run.labelled) filters.append(this.field('label', this.choice([['', 'all'], ...names]), 'Label'));
    filters.append(this.field('answer', this.choice([['', 'all'], ...names]), 'Answer'));
    const outcomes = [['', 'all']];
    if (run.labelled) outcomes.push(['right', 'right'], ['wrong', 'wrong']);
    outcomes.push(['abstained', 'no answer']);
    if (this.table.columns.state.includes(2)) outcomes.push(['fallback', 'by the fallback']);
    filters.append(this.field('outcome', this.choice(outcomes), 'Outcome'));
    if (this.kinds.length) {
      const kinds = this.kinds.map((kind, i) => [String(i), operationNames[kind.operation]]);
      filters.append(this.field('against', this.choice(kinds), 'Radius against'));
      filters.append(this.field('least', el('input', { type: 'number', min: 0, step: 'any' }), 'Radius at least', 'least'));
    }
    const reset = el('button', { type: 'button' }, 'Clear');
    reset.addEventListener('click', () => { filters.reset(); this.select(-1); this.apply(); this.remember(); });
    filters.append(reset);
    filters.addEventListener('submit', (event) => event.preventDefault());
    this.found = el('p', { class: 'found', role: 'status' });
    this.detail = el('div', { class: 'detail', hidden: true, role: 'region', 'aria-label': 'The chosen text' });
    const cut = run.cut && el('p', { class: 'note' }, `Of long texts the page has the first ${thousands(run.cut)} bytes, and only these are searched.`);
    this.box.replaceChildren(...[filters, cut, this.found, this.buildList(), this.detail].filter(Boolean));
  }

  columnsShown() {
    const columns = [['id', 'Id', 'col-id n', (i) => this.table.columns.id[i]]];
    if (this.table.run.labelled) columns.push(['label', 'Label', 'col-class col-label', (i) => this.table.labelName(i)]);
    columns.push(['answer', 'Answer', 'col-class', (i) => this.table.answerName(i)]);
    columns.push(['words', this.table.run.unit === 'sentence' ? 'Sentences' : 'Words', 'col-n n', (i) => this.table.columns.words[i]]);
    if (this.table.columns.pa) columns.push(['pa', 'pA', 'col-n n', (i) => this.table.columns.pa[i]]);
    if (this.kinds.length) columns.push(['radius', 'Radius', 'col-n col-radius n', (i) => this.table.radius(i, this.kind())]);
    columns.push(['text', this.table.columns.text ? 'Text' : 'In words', '', (i) => this.table.text(i) || this.table.columns.said[i]]);
    return columns;
  }

  buildList() {
    this.shown = this.columnsShown();
    const head = el('tr', {});
    for (const [name, title, ofClass] of this.shown) {
      const button = el('button', { type: 'button', class: 'sort' }, title);
      button.addEventListener('click', () => this.sortBy(name));
      head.append(el('th', { scope: 'col', class: ofClass, 'data-column': name }, button));
    }
    this.head = head;
    this.body = el('tbody', {});
    this.grid = el('table', { role: 'grid', 'aria-label': 'Texts' }, el('thead', {}, head), this.body);
    this.scroll = el('div', { class: 'list', tabindex: 0, role: 'region', 'aria-label': 'List of texts' }, this.grid);
    this.scroll.addEventListener('scroll', () => this.drawSoon());
    new ResizeObserver(() => this.drawSoon()).observe(this.scroll);
    this.body.addEventListener('click', (event) => {
      const row = event.target.closest('tr[data-text]');
      if (row) this.choose(Number(row.dataset.text), false);
    });
    this.body.addEventListener('keydown', (event) => this.pressed(event));
    return this.scroll;
  }

  kind() { return this.fields.against ? Number(this.fields.against.value) : -1; }

  sortBy(name) {
    const number = this.head.querySelector(`[data-column="${name}"]`).classList.contains('n');
    this.order = { column: name, down: this.order.column === name ? !this.order.down : number };
    this.apply();
    this.remember();
  }

  passes(i, wanted) {
    const { table } = this;
    if (wanted.label !== '' && table.label(i) !== Number(wanted.label)) return false;
    if (wanted.answer !== '' && (table.outcome(i) === 'abstained' || table.answer(i) !== Number(wanted.answer))) return false;
    if (wanted.outcome === 'fallback' ? table.columns.state[i] !== 2 : wanted.outcome !== '' && table.outcome(i) !== wanted.outcome) return false;
    if (wanted.least !== null && table.radius(i, this.kind()) < wanted.least) return false;
    return wanted.words.length === 0 || table.has(i, wanted.words);
  }

  wanted() {
    const value = (name) => (this.fields[name] ? this.fields[name].value : '');
    return {
      words: value('q').toLowerCase().split(/\s+/).filter(Boolean),
      label: value('label'), answer: value('answer'), outcome: value('outcome'),
      least: value('least') === '' ? null : Number(value('least')),
    };
  }

  apply() {
    const wanted = this.wanted();
    this.rows = [];
    for (let i = 0; i < this.table.size; ++i) if (this.passes(i, wanted)) this.rows.push(i);
    const column = this.shown.find(([name]) => name === this.order.column);
    if (column) {
      const sign = this.order.down ? -1 : 1;
      const values = new Map(this.rows.map((i) => [i, column[3](i)]));
      this.rows.sort((a, b) => sign * compareValues(values.get(a), values.get(b)) || a - b);
    }
    for (const head of this.head.cells)
      if (head.dataset.column === this.order.column) head.setAttribute('aria-sort', this.order.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    this.found.textContent = `${thousands(this.rows.length)} of ${thousands(this.table.size)} texts`;
    this.grid.setAttribute('aria-rowcount', this.rows.length + 1);
    this.scroll.scrollTop = 0;
    this.first = -1;
    this.draw();
  }

  drawSoon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  // The rows in sight, and a few on both sides; two empty rows stand for all others.
  draw() {
    const around = 8;
    const sight = Math.ceil(this.scroll.clientHeight / kRowHeight) || 12;
    let first = Math.max(0, Math.floor(this.scroll.scrollTop / kRowHeight) - around);
    first -= first % 4;
    const end = Math.min(this.rows.length, first + sight + 2 * around + 4);
    if (first === this.first && end === this.end) return;
    this.first = first;
    this.end = end;
    const kept = document.activeElement && this.body.contains(document.activeElement) ? document.activeElement.dataset.text : null;
    const rows = [];
    if (first > 0) rows.push(this.space(first));
    for (let place = first; place < end; ++place) rows.push(this.row(place));
    if (end < this.rows.length) rows.push(this.space(this.rows.length - end));
    this.body.replaceChildren(...rows);
    this.markRows();
    if (kept !== null) {
      const row = this.body.querySelector(`tr[data-text="${kept}"]`);
      (row || this.scroll).focus({ preventScroll: true });
    }
  }

  space(rows) {
    const cell = el('td');  // over one column: a phone hides others, and must not lay them out
    cell.style.height = `${rows * kRowHeight}px`;
    return el('tr', { class: 'space', 'aria-hidden': 'true' }, cell);
  }

  row(place) {
    const i = this.rows[place];
    const row = el('tr', { 'data-text': i, 'aria-rowindex': place + 2 });
    for (const [name, , ofClass, value] of this.shown) {
      const cell = el('td', { class: ofClass });
      if (name === 'radius') cell.textContent = radiusText(value(i));
      else if (name === 'pa') cell.textContent = value(i).toFixed(4);
      else if (name === 'words') cell.textContent = thousands(value(i));
      else if (name === 'answer') cell.append(el('bdi', { class: `outcome-${this.table.outcome(i)}` }, value(i)));
      else if (name === 'label' || name === 'text') cell.append(el('bdi', {}, value(i).slice(0, 160)));
      else cell.textContent = value(i);
      row.append(cell);
    }
    return row;
  }

  // Tab leads to one of the rows: the chosen one where it is in the page, else the first in sight.
  markRows() {
    const rows = [...this.body.querySelectorAll('tr[data-text]')];
    const chosen = rows.find((row) => Number(row.dataset.text) === this.selected);
    const stop = chosen || rows[Math.ceil(this.scroll.scrollTop / kRowHeight) - this.first] || rows[0];
    for (const row of rows) {
      row.setAttribute('aria-selected', String(row === chosen));
      row.tabIndex = row === stop ? 0 : -1;
    }
  }

  pressed(event) {
    const row = event.target.closest('tr[data-text]');
    if (!row) return;
    const place = this.rows.indexOf(Number(row.dataset.text));
    const page = Math.floor(this.scroll.clientHeight / kRowHeight) - 1;
    const to = { ArrowDown: place + 1, ArrowUp: place - 1, PageDown: place + page, PageUp: place - page, Home: 0, End: this.rows.length - 1 }[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.choose(this.rows[place], true);
    } else if (to !== undefined) {
      event.preventDefault();
      this.focusPlace(Math.min(this.rows.length - 1, Math.max(0, to)));
    }
  }

  focusPlace(place) {
    this.reveal(place);
    const row = this.body.querySelector(`tr[data-text="${this.rows[place]}"]`);
    if (row) row.focus({ preventScroll: true });
  }

  reveal(place) {
    const head = this.grid.tHead.offsetHeight;
    const top = place * kRowHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top + kRowHeight + head > this.scroll.scrollTop + this.scroll.clientHeight)
      this.scroll.scrollTop = top + kRowHeight + head - this.scroll.clientHeight;
    this.draw();
  }

  select(i) {
    this.selected = i;
    this.markRows();
    this.detail.hidden = i < 0;
    if (i >= 0) this.showDetail(i);
  }

  choose(i, focus) {
    this.select(i);
    this.remember();
    if (focus) this.detail.querySelector('button').focus();
  }

  showDetail(i) {
    const { table } = this;
    const close = el('button', { type: 'button' }, 'Close');
    close.addEventListener('click', () => {
      const place = this.rows.indexOf(i);
      this.select(-1);
      this.remember();
      if (place >= 0) this.focusPlace(place);
    });
    const key = table.key(i);
    const verdict = el('p', { class: 'verdict' }, el('strong', { class: table.outcome(i) }, el('bdi', {}, table.answerName(i))));
    if (table.label(i) >= 0) verdict.append(' · label ', el('bdi', {}, table.labelName(i)));
    const words = table.columns.words[i];
    verdict.append(` · ${thousands(words)} ${table.run.unit}${words === 1 ? '' : 's'}`);
    if (table.columns.pa) verdict.append(` · pA ${table.columns.pa[i]}`);
    this.detail.replaceChildren(
      el('div', { class: 'head' }, el('h4', {}, `Text ${table.columns.id[i]}`, key ? ' · ' : '', key ? el('bdi', {}, key) : ''), close),
      verdict);
    const text = table.text(i);
    if (text) this.detail.append(el('p', { class: 'example-text', dir: 'auto' }, text));
    if (new TextEncoder().encode(text).length > table.run.cut)
      this.detail.append(el('p', { class: 'note' }, 'The page has only the start of this text; the folder of the run has all of it.'));
    this.detail.append(el('p', { class: 'said' }, table.columns.said[i]));
    if (this.kinds.length) this.detail.append(this.radiiTable(i));
    if (table.columns.votes) this.detail.append(this.votesTable(i));
  }

  radiiTable(i) {
    const body = el('tbody', {}, ...this.kinds.map((kind) => el('tr', {},
      el('th', { scope: 'row' }, operationNames[kind.operation]),
      el('td', { class: 'n' }, radiusText(radiusOf(kind.values[i]))),
      el('td', {}, countedIn(kind)))));
    return el('div', { class: 'wide' }, el('table', {}, el('caption', {}, 'Certified radii'), body));
  }

  votesTable(i) {
    const votes = this.table.columns.votes[i];
    const all = votes.reduce((sum, count) => sum + count, 0);
    const body = el('tbody', {}, ...votes.map((count, c) => el('tr', {},
      el('th', { scope: 'row' }, el('bdi', {}, this.table.run.classes[c])),
      el('td', { class: 'n' }, thousands(count)),
      el('td', { class: 'n' }, percent(count, all)))));
    return el('div', { class: 'wide' }, el('table', {}, el('caption', {}, 'Votes of the noisy copies'), body));
  }

  // The state in the address, so that it can be sent to somebody.
  remember() {
    const state = new URLSearchParams();
    for (const [name, field] of Object.entries(this.fields))
      if (field.value !== '' && !(name === 'against' && field.value === '0')) state.set(name, field.value);
    if (this.order.column) state.set('sort', (this.order.down ? '-' : '') + this.order.column);
    if (this.selected >= 0) state.set('text', this.table.columns.id[this.selected]);
    const query = state.toString();
    history.replaceState(null, '', `#run-${this.number + 1}${query ? '?' + query : ''}`);
  }

  restore(query) {
    const state = new URLSearchParams(query);
    for (const [name, field] of Object.entries(this.fields)) {
      field.value = state.get(name) ?? '';
      if (field.selectedIndex === -1) field.selectedIndex = 0;
    }
    const sort = state.get('sort') || '';
    const column = sort.replace(/^-/, '');
    const known = this.shown.some(([name]) => name === column);
    this.order = { column: known ? column : '', down: known && sort.startsWith('-') };
    this.apply();
    const i = state.has('text') ? this.table.columns.id.indexOf(Number(state.get('text'))) : -1;
    this.select(i);
    this.remember();
    if (i >= 0 && this.rows.includes(i)) this.reveal(this.rows.indexOf(i));
    if (query) (i >= 0 ? this.detail : this.box).scrollIntoView({ block: 'center' });
  }
}
