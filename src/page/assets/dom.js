'use strict';
// What comes from data goes into textContent and attributes that hold text, never into HTML.

function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? '' : value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function svg(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const thousands = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

// Rounded down, as what is certified is everywhere.
const percent = (part, whole) => (whole ? Math.floor((1000 * part) / whole + 1e-9) / 10 : 0).toFixed(1) + ' %';

// In the data null is any amount and -1 nothing.
const radiusOf = (value) => (value === null ? Infinity : value);
function radiusText(radius) {
  if (radius === Infinity) return 'any';
  if (radius < 0) return '–';
  if (Number.isInteger(radius)) return thousands(radius);
  const digits = Math.max(0, 3 - Math.ceil(Math.log10(radius)));
  return String(Math.floor(radius * 10 ** digits) / 10 ** digits);
}

const operationNames = {
  edit: 'any edits', substitution: 'replacing', deletion: 'deleting', insertion: 'inserting', reordering: 'reordering',
};
function countedIn(curve) {
  if (curve.unit === 'l1 displacement') return 'places moved in all';
  if (curve.operation === 'edit') return curve.unit === 'words' ? 'edits' : `edits of ${curve.unit}`;
  return curve.unit;
}
const isWhole = (curve) => curve.unit === 'words' || curve.unit === 'sentences' || curve.unit === 'l1 displacement';
