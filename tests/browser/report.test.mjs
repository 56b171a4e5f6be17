// A report as people read it: in Chromium, with a mouse, with a keyboard, on a phone, on paper.
// Environment: TEXTCRS, the program; CHROMIUM, the browser; MODULES, the folder that has playwright-core.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

import { madeRecord, many, sixty, writeAttack, writeRun } from './made_runs.mjs';

const { chromium } = createRequire(join(process.env.MODULES, 'package.json'))('playwright-core');
const kHostile = '</script><script>document.title = "broken"</script><img src="http://example.invalid/x" onerror="document.title = 1">';

const work = mkdtempSync(join(tmpdir(), 'textcrs-browser-'));
let browser;

function textcrs(...args) {
  return execFileSync(process.env.TEXTCRS, ['--quiet', ...args], { encoding: 'utf8', cwd: work });
}

function report(name, ...args) {
  const out = join(work, name);
  textcrs('report', '--out', out, ...args);
  return out;
}

before(async () => {
  writeRun(join(work, 'sixty'), sixty());
  writeRun(join(work, 'few'), sixty().slice(0, 20), { noise: 'universal:p=0.5' });
  writeAttack(join(work, 'attack'));
  report('sixty.html', 'sixty');
  report('both.html', 'sixty', 'other=few', 'fooled=attack');
  // Its profile is a new folder in each launch.
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    headless: true,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});

after(async () => {
  if (browser) await browser.close();
  rmSync(work, { recursive: true, force: true });
});

// What `check` does with the page. A page that says anything on its console, throws, or asks for
// anything but itself fails.
async function open(file, check, { hash = '', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const said = [], asked = [];
  try {
    const page = await context.newPage();
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('request', (request) => asked.push(request.url()));
    const url = pathToFileURL(file).href;
    await page.goto(url + hash);
    await check(page);
    assert.deepEqual(said, []);
    assert.deepEqual([...new Set(asked.map((one) => one.split('#')[0]))], [url]);
  } finally {
    await context.close();
  }
}

const texts = (locator) => locator.allInnerTexts();
const column = async (page, caption, number) =>
  texts(page.locator('table', { has: page.locator('caption', { hasText: caption }) }).locator(`tbody tr > :nth-child(${number})`));
const rows = (page) => page.locator('.list:visible tbody tr[data-text]');
const found = (page) => page.locator('.found:visible').innerText();
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

// The texts of the first run that are right and certified to the radius, from its records.
const certified = (radius, of = (record) => record.sound.edit) =>
  sixty().filter((record) => record.correct && of(record) >= radius).length;

describe('curves', () => {
  it('say the value and the counts under the mouse', () => open(join(work, 'sixty.html'), async (page) => {
    const chart = page.locator('[data-chart=sound] svg').last();
    const box = await chart.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const tip = page.locator('[data-chart=sound] .tip');
    const radius = Number(await tip.getAttribute('data-radius'));
    assert.ok(radius > 2 && radius < 7, `${radius}`);
    const share = (Math.floor((1000 * certified(radius)) / 60) / 10).toFixed(1);
    assert.match(await tip.innerText(), new RegExp(`Radius ${radius} edits[^]*${share} %\\s+${certified(radius)} of 60`));
    await page.mouse.move(5, 5);
    assert.equal(await tip.isVisible(), false);
  }));

  it('follow the arrow keys, aloud', () => open(join(work, 'sixty.html'), async (page) => {
    const chart = page.locator('[data-chart=sound] svg').last();
    const tip = page.locator('[data-chart=sound] .tip');
    await page.locator('[data-chart=sound] input[type=radio]').first().focus();
    await page.keyboard.press('Tab');
    assert.equal(await chart.evaluate((svg) => svg === document.activeElement), true);
    assert.equal(await tip.getAttribute('data-radius'), '0');
    for (const [key, radius] of [['ArrowRight', 1], ['ArrowRight', 2], ['ArrowLeft', 1], ['End', 9], ['Home', 0]]) {
      await page.keyboard.press(key);
      assert.equal(await tip.getAttribute('data-radius'), String(radius));
      assert.equal(await chart.getAttribute('aria-valuenow'), String(radius));
      assert.match(await chart.getAttribute('aria-valuetext'), new RegExp(`Radius ${radius}: .*, ${certified(radius)} of 60 texts`));
    }
    await page.keyboard.press('Escape');
    assert.equal(await tip.isVisible(), false);
  }));

  it('are those of the chosen operation', () => open(join(work, 'sixty.html'), async (page) => {
    const figure = page.locator('[data-chart=sound]');
    const path = () => figure.locator('path.curve').getAttribute('d');
    assert.deepEqual(await texts(figure.locator('.choices label')),
      ['any edits', 'deleting', 'inserting', 'reordering']);
    const edits = await path();
    await figure.locator('label', { hasText: 'deleting' }).click();
    assert.notEqual(await path(), edits);
    await figure.locator('svg').last().focus();
    await page.keyboard.press('End');
    assert.equal(await figure.locator('.tip').getAttribute('data-radius'), '81');
    const right = certified(81, (record) => record.sound.deletion);
    assert.match(await figure.locator('.tip').innerText(), new RegExp(`${right} of 60`));
    await figure.locator('label', { hasText: 'any edits' }).click();
    assert.equal(await path(), edits);
    await page.keyboard.press('ArrowRight');  // the next choice
    assert.notEqual(await path(), edits);
  }));

  it('of several runs can be hidden', () => open(join(work, 'both.html'), async (page) => {
    const figure = page.locator('[data-chart=sound]');
    assert.equal(await figure.locator('path.curve').count(), 2);
    await figure.locator('.key label', { hasText: 'other' }).click();
    assert.equal(await figure.locator('path.curve').count(), 1);
    await figure.locator('svg').last().focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await figure.locator('.tip tbody tr').count(), 1);
  }));

  it('of calibration name their texts', () => open(join(work, 'sixty.html'), async (page) => {
    const circles = page.locator('[data-calibration] circle');
    let counted = 0;
    for (const circle of await circles.all()) counted += Number(/of (\d+) texts/.exec(await circle.getAttribute('aria-label'))[1]);
    assert.equal(counted, 60);
    await circles.first().hover();
    assert.match(await page.locator('[data-calibration] .tip').innerText(), /texts right/);
  }));
});

describe('tables', () => {
  it('are sorted by a click, and back', () => open(join(work, 'both.html'), async (page) => {
    const table = page.locator('table', { has: page.locator('caption', { hasText: 'The runs' }) });
    assert.deepEqual(await column(page, 'The runs', 1), ['sixty', 'other']);
    const head = table.locator('thead button', { hasText: 'Texts' });
    await head.click();
    assert.deepEqual(await column(page, 'The runs', 2), ['60', '20']);
    await head.click();
    assert.deepEqual(await column(page, 'The runs', 2), ['20', '60']);
    assert.equal(await head.locator('..').getAttribute('aria-sort'), 'ascending');
    await table.locator('thead button', { hasText: 'Run' }).press('Enter');
    assert.deepEqual(await column(page, 'The runs', 1), ['other', 'sixty']);
  }));

  it('count by the records', () => open(join(work, 'sixty.html'), async (page) => {
    const cells = (await texts(page.locator('.confusion td'))).map((cell) => cell.split('\n')[0].replace(/\s.*/, ''));
    const count = (label, answer) => sixty().filter((record) => record.label === label &&
      (answer === '' ? record.abstained : !record.abstained && record.prediction === answer)).length;
    assert.deepEqual(cells, ['neg', 'pos'].flatMap((label) => ['neg', 'pos', ''].map((answer) => String(count(label, answer)))));
  }));
});

describe('the list of texts', () => {
  it('is searched, filtered and sorted', () => open(join(work, 'sixty.html'), async (page) => {
    assert.equal(await found(page), '60 of 60 texts');
    await page.getByLabel('Search').fill('even number');
    assert.equal(await found(page), '30 of 60 texts');
    await page.getByLabel('Outcome').selectOption('wrong');
    assert.equal(await found(page), '0 of 60 texts');
    await page.getByRole('button', { name: 'Clear' }).click();
    assert.equal(await found(page), '60 of 60 texts');
    await page.getByLabel('Outcome').selectOption('abstained');
    assert.equal(await found(page), '1 of 60 texts');
    await page.getByLabel('Outcome').selectOption('');
    await page.getByLabel('Radius at least').fill('9');
    assert.equal(await found(page), `${sixty().filter((r) => !r.abstained && r.sound.edit >= 9).length} of 60 texts`);
    await page.getByLabel('Radius at least').fill('');
    await page.locator('.list thead button', { hasText: 'Radius' }).click();
    const radii = (await texts(rows(page).locator('.col-radius'))).slice(0, 6);
    assert.deepEqual(radii, ['9', '9', '9', '9', '9', '8']);
    assert.match(page.url(), /#run-1\?sort=-radius$/);
  }));

  it('shows a text, and its address shows it again', async () => {
    let hash;
    await open(join(work, 'sixty.html'), async (page) => {
      await page.getByLabel('Search').fill('review-42');
      await rows(page).first().click();
      const detail = page.locator('.detail');
      assert.match(await detail.innerText(), /Text 42 · review-42[^]*pos · label pos · 20 words · pA 0\.827[^]*Text number 42 is even/);
      assert.match(await detail.innerText(), /Certified radii[^]*any edits\s+2\s+edits[^]*deleting\s+4\s+words/);
      assert.match(await detail.innerText(), /Votes of the noisy copies\s+neg\s+148\s+14\.8 %\s+pos\s+852\s+85\.2 %/);
      hash = new URL(page.url()).hash;
    });
    await open(join(work, 'sixty.html'), async (page) => {
      assert.equal(await found(page), '1 of 60 texts');
      assert.match(await page.locator('.detail').innerText(), /Text number 42 is even/);
    }, { hash });
  });

  it('has the state of its address, and nothing else', () => open(join(work, 'sixty.html'), async (page) => {
    const go = (hash) => page.evaluate((to) => { location.hash = to; }, hash);
    const sorted = page.locator('.list th[aria-sort]');
    assert.equal(await found(page), '1 of 60 texts');
    assert.equal(await sorted.getAttribute('data-column'), 'words');
    await go('#run-1?outcome=wrong&label=99');
    await page.waitForFunction(() => document.querySelector('.found').textContent === '14 of 60 texts');
    assert.equal(await page.getByLabel('Search').inputValue(), '');
    assert.equal(await page.getByLabel('Label').locator('option:checked').innerText(), 'all');
    assert.equal(await sorted.count(), 0);
  }, { hash: '#run-1?q=review-42&sort=-words' }));

  it('is reached by Tab wherever the chosen text is', () => open(join(work, 'sixty.html'), async (page) => {
    await rows(page).nth(2).click();
    const stops = () => rows(page).evaluateAll((all) => all.filter((row) => row.tabIndex === 0).map((row) => row.dataset.text));
    assert.deepEqual(await stops(), ['2']);
    await page.getByLabel('Search').fill('review-42');
    assert.deepEqual(await stops(), ['42']);
    await page.getByRole('button', { name: 'Clear' }).click();
    assert.deepEqual(await stops(), ['0']);
    assert.equal(await page.getByRole('grid', { name: 'Texts' }).count(), 1);
  }));

  it('is walked by keys, and the focus stays where it was', () => open(join(work, 'sixty.html'), async (page) => {
    const at = () => page.evaluate(() => document.activeElement.dataset.text);
    await rows(page).first().focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await at(), '1');
    await page.keyboard.press('End');
    assert.equal(await at(), '59');
    await page.keyboard.press('Enter');
    assert.match(await page.locator('.detail').innerText(), /Text number 59/);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Close');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.detail').isVisible(), false);
    assert.equal(await at(), '59');
    await page.keyboard.press('Home');
    assert.equal(await at(), '0');
  }));

  it('of ten thousand texts has only those in sight', async () => {
    writeRun(join(work, 'many'), many(10_000, 200));
    const file = report('many.html', 'many');
    assert.ok(statSync(file).size < 10_000_000, `${statSync(file).size}`);
    await open(file, async (page) => {
      const most = 60;
      assert.equal(await found(page), '10,000 of 10,000 texts');
      assert.ok(await page.locator('*').count() < 3000);
      assert.match(await page.locator('.texts > .note').innerText(), /^Of long texts the page has the first [\d,]+ bytes/);
      const list = page.locator('.list');
      const height = await list.evaluate((box) => box.scrollHeight);
      assert.ok(height > 10_000 * 30, `${height}`);
      for (const share of [0.1, 0.5, 0.77, 1, 0.3]) {
        await list.evaluate((box, to) => { box.scrollTop = to * (box.scrollHeight - box.clientHeight); }, share);
        await page.waitForFunction((expected) => {
          const shown = [...document.querySelectorAll('.list tbody tr[data-text]')].map((row) => Number(row.dataset.text));
          return shown[0] - 40 <= expected && expected <= shown[shown.length - 1] + 1;
        }, Math.round(share * 10_000) - 1);
        assert.ok(await rows(page).count() <= most);
        assert.equal(await list.evaluate((box) => box.scrollHeight), height);
        // The list is full: where it is hit in the middle there is a text.
        assert.equal(await list.evaluate((box) => {
          box.scrollIntoView({ block: 'center' });
          const { left, top } = box.getBoundingClientRect();
          const hit = document.elementFromPoint(left + 100, top + box.clientHeight / 2);
          return Boolean(hit && hit.closest('tr[data-text]'));
        }), true);
      }
      await page.getByLabel('Search').fill('9876');
      assert.equal(await found(page), '1 of 10,000 texts');
    });
  });
});

describe('several runs', () => {
  it('are shown one at a time, by their links', () => open(join(work, 'both.html'), async (page) => {
    const heads = page.locator('.run-section:visible > h2');
    const link = (name) => page.getByRole('navigation').getByRole('link', { name });
    // The page follows its address, which changes a moment before it.
    const shows = async (name) => {
      await heads.filter({ hasText: name }).waitFor();
      assert.deepEqual(await texts(heads), [name]);
      assert.equal(await link(name).getAttribute('aria-current'), 'true');
    };
    await shows('sixty');
    await link('other').click();
    await shows('other');
    assert.equal(await found(page), '20 of 20 texts');
    await link('Attack: fooled').click();
    await shows('Attack: fooled');
    assert.match(await page.locator('#attack-1').innerText(), /good decent/);
    await page.goBack();
    await shows('other');
  }));
});

describe('a page', () => {
  it('shows hostile texts as texts', async () => {
    writeRun(join(work, 'hostile'), [madeRecord({ id: 0, text: kHostile, key: kHostile, edits: 1 })], { data: `${kHostile} 0123` });
    await open(report('hostile.html', '</script><b>=hostile', '--title', kHostile), async (page) => {
      assert.equal(await page.title(), kHostile);
      assert.equal(await page.locator('script').count(), 2);
      assert.equal(await page.locator('img').count(), 0);
      assert.equal(await page.locator('.example-text').first().innerText(), kHostile);
      await rows(page).first().click();
      assert.equal(await page.locator('.detail .example-text').innerText(), kHostile);
    });
  });

  it('keeps names of classes in their place', async () => {
    const classes = ['__proto__', 'constructor', 'long'.repeat(80), '\u202Eturned'];
    const records = classes.flatMap((name, i) => [0, 1].map((other) => ({
      ...madeRecord({ id: 2 * i + other, label: name, prediction: name, edits: 1, text: `of ${i}` }), counts: classes.map((one) => (one === name ? 997 : 1)),
    })));
    const answers = `{"answers":{${classes.map((name) => `${JSON.stringify(name)}:2`)}}}`;
    writeFileSync(join(writeRun(join(work, 'classes'), records), 'summary.json'), answers);
    for (const viewport of [{ width: 1200, height: 900 }, { width: 390, height: 844 }])
      await open(report('classes.html', 'classes'), async (page) => {
        assert.equal(await sideways(page), 0);
        assert.deepEqual(await column(page, 'Results per class', 1), classes);
        for (const [i, name] of classes.entries()) {
          await page.locator('.filters label', { hasText: /^Answer/ }).locator('select').selectOption({ label: name });
          assert.equal(await found(page), '2 of 8 texts');
          await rows(page).first().click();
          assert.match(await page.locator('.detail').innerText(), new RegExp(`${name} · label ${name}[^]*of ${i}`));
        }
      }, { viewport });
  });

  it('colours the words of votes', async () => {
    const review = 'A wonderful film, beautiful and never boring. ';
    writeFileSync(join(work, 'texts.csv'), `text,label\n"${review}",positive\n"The worst waste of time",negative\n`);
    textcrs('certify', '--model', process.env.MODELS + '/imdb-votes', '--data', 'texts.csv', '--with-text', '--out', 'votes');
    await open(report('votes.html', 'votes', '--model', process.env.MODELS + '/imdb-votes'), async (page) => {
      const word = page.locator('.example-text .for', { hasText: 'wonderful' });
      assert.match(await word.getAttribute('title'), /^without this word: [\d.]+ % of the votes$/);
      const shade = (element) => element.evaluate((one) => getComputedStyle(one).backgroundColor);
      assert.notEqual(await shade(word), 'rgba(0, 0, 0, 0)');
      assert.match(await page.locator('.example .said').first().innerText(), /stays so in any word order/);
    });
  });

  it('is light and dark, as the reader has it or wants it', () => open(join(work, 'sixty.html'), async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await paper();
    assert.equal(light, 'rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await paper();
    assert.notEqual(dark, light);
    const button = page.locator('button.theme');
    await button.click();
    assert.equal(await paper(), light);
    await page.reload();
    assert.equal(await paper(), light);
    await button.click();
    assert.equal(await paper(), dark);
  }));

  // WCAG's contrast of the text with what is behind it.
  for (const colorScheme of ['light', 'dark'])
    it(`can be read: ${colorScheme}`, () => open(join(work, 'both.html'), async (page) => {
      const weak = await page.evaluate(() => {
        const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
        const over = ([r, g, b, a = 1], under) => [r, g, b].map((value, i) => value * a + under[i] * (1 - a));
        const behind = (element) => {
          const under = element.parentElement ? behind(element.parentElement) : [255, 255, 255];
          return over(parts(getComputedStyle(element).backgroundColor), under);
        };
        const light = (colour) => {
          const [r, g, b] = colour.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        const found = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement;
          if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest('script')) continue;
          const style = getComputedStyle(element);
          const ink = element instanceof SVGElement ? style.fill : style.color;
          const found_contrast = contrast(over(parts(ink), behind(element)), behind(element));
          if (found_contrast < 4.5) found.push(`${walker.currentNode.textContent.trim().slice(0, 40)}: ${found_contrast.toFixed(2)}`);
        }
        return found;
      });
      assert.deepEqual(weak, []);
    }, { colorScheme }));

  it('fits a phone', () => open(join(work, 'both.html'), async (page) => {
    assert.equal(await sideways(page), 0);
    const tall = await page.evaluate(() => [...document.querySelectorAll('.sortable tr')].filter((row) => row.offsetHeight > 160).length);
    assert.equal(tall, 0);  // no column is squeezed into letters
    await page.getByRole('navigation').getByRole('link', { name: 'other' }).tap();
    await page.locator('#run-2').waitFor();
    const text = await rows(page).first().locator('td').last().boundingBox();
    assert.ok(text.width > 120, `${text.width}`);
    await rows(page).first().tap();
    assert.equal(await page.locator('#run-2 .detail').isVisible(), true);
    assert.equal(await sideways(page), 0);
    await page.locator('[data-chart=sound] svg').last().tap();
    assert.equal(await page.locator('[data-chart=sound] .tip').isVisible(), true);
    assert.equal(await sideways(page), 0);
  }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }));

  it('is printed as a whole, without what paper can not do', () => open(join(work, 'both.html'), async (page) => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.deepEqual(await texts(page.locator('.run-section:visible > h2')), ['sixty', 'other', 'Attack: fooled']);
    for (const what of ['nav', '.list', 'button.theme']) assert.equal(await page.locator(what).first().isVisible(), false, what);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  }));

  it('says what it can without a script', () => open(join(work, 'sixty.html'), async (page) => {
    assert.match(await page.locator('.how').innerText(), /60 texts of films/);
    assert.equal(await page.locator('.example').first().isVisible(), true);
    assert.match(await page.locator('.texts').innerText(), /needs JavaScript/);
  }, { javaScriptEnabled: false }));

  it('is walked by Tab from the top, and shows where', () => open(join(work, 'both.html'), async (page) => {
    const seen = new Set();
    for (let i = 0; i < 120; ++i) {
      await page.keyboard.press('Tab');
      const [name, outline] = await page.evaluate(() => {
        const element = document.activeElement;
        const shows = element.matches('.choices input') ? element.parentElement : element;
        return [element.className.baseVal ?? `${element.tagName} ${element.className} ${element.dataset.text ?? ''}`, getComputedStyle(shows).outlineStyle];
      });
      if (name.startsWith('BODY')) break;
      assert.notEqual(outline, 'none', name);
      seen.add(name.trim().split(' ')[0] + (name.includes('sort') ? '.sort' : ''));
    }
    for (const name of ['A', 'BUTTON', 'BUTTON.sort', 'INPUT', 'SELECT', 'TR']) assert.ok(seen.has(name), `${name}: ${[...seen]}`);
  }));
});
