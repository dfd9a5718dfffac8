// Elements, and what all views build of them. Text goes in as text nodes only, so that
// no name of the data can become markup.

const svgNamespace = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

export function plural(count, word, words) {
  return `${count.toLocaleString('en')} ${count === 1 ? word : words ?? word + 's'}`;
}

// `long` cut in its middle, so that both ends can be told apart.
export function shorten(text, length = 60) {
  return text.length <= length ? text : `${text.slice(0, length - 20)}…${text.slice(-19)}`;
}

// A table with a caption, headed by `columns`; rows are lists of cells.
export function table(caption, columns, rows) {
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    el('table', {},
      el('caption', {}, caption),
      el('thead', {}, el('tr', {}, columns.map((column) => el('th', { scope: 'col' }, column)))),
      el('tbody', {}, rows.map((row) => el('tr', {}, row.map((cell, i) =>
        i === 0 ? el('th', { scope: 'row' }, cell) : el('td', {}, cell)))))));
}

// A table that is made when it is opened, or unfolded for print.
export function foldedTable(summary, make) {
  const details = el('details', { class: 'as-table' }, el('summary', {}, summary));
  const open = () => {
    if (details.childElementCount === 1) details.append(make());
  };
  details.addEventListener('toggle', () => details.open && open());
  details.unfold = () => {
    open();
    details.open = true;
  };
  return details;
}

// A value of JSON as people write it.
export function valueText(value) {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value === 'object')
    return `{ ${Object.entries(value).map(([key, each]) => `${key}: ${valueText(each)}`).join(', ')} }`;
  return String(value);
}

const signs = { $equal: '=', $not_equal: '≠', $greater_than: '>', $greater_or_equal: '≥', $less_than: '<', $less_or_equal: '≤' };

// `host → target: standard.state` for a path of a query.
function pathText(path) {
  const words = path.map(valueText);
  const place = words.indexOf('INTERFACE');
  if (place < 0) return words.join(' ');
  const way = words.slice(words[0] === 'SELF' ? 1 : 0, place).map((word) => (/^[A-Z]+$/.test(word) ? word.toLowerCase() : word)).filter((word) => word !== '0');
  return `${way.length ? `${way.join(' ')}: ` : ''}${words.slice(place + 1).join('.')}`;
}

// A condition, with signs between what it compares.
export function conditionText(value, isPart = false) {
  const [name, parts] = value && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value)[0] ?? [] : [];
  if (!name?.startsWith('$') || name.startsWith('$$') || Object.keys(value).length !== 1) return valueText(value);
  if (!Array.isArray(parts)) return `${name.slice(1)} ${conditionText(parts)}`;
  if (name === '$get_attribute' || name === '$get_state' || name === '$get_property') return pathText(parts);
  const texts = parts.map((part) => conditionText(part, true));
  const join = (word) => (texts.length === 1 ? texts[0] : isPart ? `(${texts.join(word)})` : texts.join(word));
  if (name === '$and') return join(' and ');
  if (name === '$or') return join(' or ');
  if (name === '$not') return `not ${texts[0]}`;
  if (signs[name] && texts.length === 2) return `${texts[0]} ${signs[name]} ${texts[1]}`;
  if (name === '$for_each') return `for each ${valueText(parts[0])} of ${Array.isArray(parts[1]) ? pathText(parts[1]) : texts[1]}: ${texts[2]}`;
  return `${name.slice(1)}(${texts.join(', ')})`;
}

// The entries of a map, one below the other.
export function valueList(map) {
  return el('dl', { class: 'values' }, Object.entries(map).map(([key, value]) =>
    [el('dt', {}, key), el('dd', {}, valueText(value))]));
}

export function link(text, title, onclick) {
  return el('button', { class: 'link', type: 'button', title, onclick }, text);
}
