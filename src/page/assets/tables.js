// Tables that a click, or Enter, on a column's name sorts.

function cellValue(row, column) {
  const cell = row.cells[column];
  const value = cell.getAttribute('data-sort');
  if (value === null) return cell.textContent.trim();
  return value === '' ? -Infinity : Number(value);
}

const kCollator = new Intl.Collator(undefined, { numeric: true });
function compareValues(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return kCollator.compare(a, b);
}

function sortTable(table, column) {
  const heads = table.tHead.rows[0].cells;
  const head = heads[column];
  // Numbers are first asked for from the largest on.
  const first = head.classList.contains('n') ? 'descending' : 'ascending';
  const other = first === 'ascending' ? 'descending' : 'ascending';
  const direction = head.getAttribute('aria-sort') === first ? other : first;
  for (const cell of heads) cell.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', direction);
  const rows = [...table.tBodies[0].rows];
  const sign = direction === 'ascending' ? 1 : -1;
  const values = new Map(rows.map((row) => [row, cellValue(row, column)]));
  rows.sort((a, b) => sign * compareValues(values.get(a), values.get(b)));
  table.tBodies[0].append(...rows);
}

function makeSortable(table) {
  if (table.tBodies[0].rows.length < 2) return;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = el('button', { type: 'button', class: 'sort' }, head.textContent);
    button.addEventListener('click', () => sortTable(table, column));
    head.replaceChildren(button);
  });
}
