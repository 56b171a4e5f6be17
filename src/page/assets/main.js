// Puts the page together.

function addThemeButton() {
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  const button = el('button', { type: 'button', class: 'theme' });
  const name = () => { button.textContent = dark() ? 'Light' : 'Dark'; button.setAttribute('aria-label', `Show the page in ${dark() ? 'light' : 'dark'} colours`); };
  try {
    const kept = localStorage.getItem('textcrs-theme');
    if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
  } catch { /* a browser that keeps nothing */ }
  button.addEventListener('click', () => {
    root.dataset.theme = dark() ? 'light' : 'dark';
    try { localStorage.setItem('textcrs-theme', root.dataset.theme); } catch { /* the same */ }
    name();
  });
  name();
  document.querySelector('h1').after(button);
}

// Of several runs one is shown at a time; a link to a run chooses it.
function showRun(sections, links, id) {
  for (const section of sections) section.hidden = section.id !== id;
  for (const link of links)
    if (link.getAttribute('href') === '#' + id) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
}

function start() {
  const data = JSON.parse(document.getElementById('report-data').textContent);
  addThemeButton();
  document.querySelectorAll('table.sortable').forEach(makeSortable);
  for (const figure of document.querySelectorAll('[data-chart]')) new CurveChart(figure, data.runs, figure.dataset.chart);
  for (const figure of document.querySelectorAll('[data-calibration]'))
    drawCalibration(figure, data.runs[Number(figure.dataset.calibration)].calibration);

  const sections = [...document.querySelectorAll('.run-section')];
  const links = [...document.querySelectorAll('header nav a')];
  const lists = new Map();  // made when their run is first shown
  const go = (scroll) => {
    const [id, query] = location.hash.slice(1).split('?');
    const section = sections.find((one) => one.id === id) || sections.find((one) => !one.hidden) || sections[0];
    showRun(sections, links, section.id);
    const box = section.querySelector('[data-texts]');
    if (box && !lists.has(box)) {
      const number = Number(box.dataset.texts);
      lists.set(box, new TextList(box, data.runs[number], number));
    }
    if (box && query && section.id === id) lists.get(box).restore(query);
    else if (scroll && section.id === id) section.scrollIntoView();
  };
  sections.slice(1).forEach((section) => { section.hidden = true; });
  addEventListener('hashchange', () => go(true));
  go(location.hash !== '');
}

start();
