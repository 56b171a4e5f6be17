// Folders of runs with records by hand, as `textcrs certify` writes them (textcrs/report/record.h).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const kSettings = {
  model: '0123456789abcdef', noise: 'universal:p=0.9', split: 'test', samples: 1000, selection_samples: 100,
  alpha: 0.001, bounds: 'complement', stop: 'never', stop_at_radius: null, stop_operation: '', seed: 1,
  device: 'cpu', engine: 'cpu fp32', architecture: 'bilstm', data: 'films 0123456789abcdef',
};

// A text of 20 words, answered with `prediction` by `votes` of 1000 copies, with these radii.
export function madeRecord({ id, label = 'pos', prediction = 'pos', edits = 0, votes = 900, abstained = false, text, key }) {
  const record = { id };
  if (key !== undefined) record.key = key;
  Object.assign(record, { label, prediction, abstained, correct: !abstained && label === prediction, words: 20 });
  record.counts = prediction === 'neg' ? [votes, 1000 - votes] : [1000 - votes, votes];
  record.pa = votes / 1000 - 0.025;
  record.pb = 1 - record.pa;
  if (!abstained)
    record.sound = { certified: true, reordering: 'unlimited', insertion: edits, deletion: edits * edits, edit: edits };
  Object.assign(record, { samples: 1100, seconds: 0.1, wall_seconds: 0.1, version: '0.2.0' });
  if (text !== undefined) record.text = text;
  return record;
}

// The folder. A run is complete if it says of how many texts each answer is.
export function writeRun(folder, records, settings = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ version: '0.2.0', ...kSettings, ...settings }));
  writeFileSync(join(folder, 'results.jsonl'), records.map((record) => JSON.stringify(record) + '\n').join(''));
  const answers = { neg: 0, pos: 0 };
  for (const record of records) if (!record.abstained) ++answers[record.prediction];
  writeFileSync(join(folder, 'summary.json'), JSON.stringify({ answers }));
  return folder;
}

// Sixty texts: every fourth is labelled otherwise than it is answered, the last is not answered;
// the radii go from 0 to 9.
export function sixty() {
  const records = [];
  for (let id = 0; id < 60; ++id)
    records.push(madeRecord({
      id, key: `review-${id}`, label: id % 4 === 3 ? 'neg' : 'pos', edits: id % 10, votes: 600 + 6 * id,
      abstained: id === 59, text: `Text number ${id} is ${id % 2 ? 'odd' : 'even'}, and has some more words in it.`,
    }));
  return records;
}

// As many texts of so many words.
export function many(texts, words) {
  const vocabulary = 'the film was a good bad story of people who say so and never leave their house again'.split(' ');
  const records = [];
  for (let id = 0; id < texts; ++id) {
    const text = [];
    for (let i = 0; i < words; ++i) text.push(vocabulary[(id * 31 + i * 7 + (i * i) % 11) % vocabulary.length]);
    records.push(madeRecord({ id, label: id % 5 ? 'pos' : 'neg', edits: id % 12, text: text.join(' ') }));
  }
  return records;
}

// An attack with one success.
export function writeAttack(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ version: '0.2.0', recipe: 'textfooler', data: 'films 0123' }));
  const record = {
    id: 7, label: 'pos', status: 'succeeded', before: 'pos', after: 'neg', share_before: 0.9, share_after: 0.4, queries: 120,
    words: 4, words_after: 4, differences: [{ place: 1, before: 'good', after: 'decent' }], original: 'a good film indeed',
    adversarial: 'a decent film indeed', models: [], seconds: 1, version: '0.2.0',
  };
  writeFileSync(join(folder, 'results.jsonl'), JSON.stringify(record) + '\n');
  return folder;
}
