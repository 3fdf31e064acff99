// growth.js FIGURES.JS: the plot of a sweep. Its points are where arena and MACs stand over the size, each on a scale of its own from 0.
'use strict';
const assert = require('assert'), fs = require('fs');
const lines = fs.readFileSync(process.argv[2], 'utf8').split('\n');
const first = lines.findIndex((line) => line.startsWith('function growth(')), end = lines.findIndex((line) => line.startsWith('function sweep('));
assert(first >= 0 && end > first, 'figures.js has no growth() before sweep()');
assert(/\+growth\(rows\)\+/.test(lines.slice(end, end + 4).join('\n')), 'sweep() does not draw the plot');
const esc = (text) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
const growth = new Function('esc', 'sw', 'grp', 'B', lines.slice(first, end).join('\n') + '\nreturn growth;')(esc, () => '', String, (v) => v + ' B');
const points = (svg) => [...svg.matchAll(/<polyline [^>]*points="([^"]*)"/g)].map((m) => m[1].split(' ').map((p) => p.split(',').map(Number)));
const row = (n, arena, macs) => ({dims: {n}, arena, macs});

// In any order of the sizes; a size that the model does not take is left out.
const svg = growth([row(4, 100, 800), row(1, 25, 50), {dims: {n: 9}, fault: 'E205'}, row(2, 50, 200)]);
const [macs, arena] = points(svg);
assert.deepStrictEqual(arena, [[20, 115], [340, 80], [980, 10]]);
assert.deepStrictEqual(macs, [[20, 141.3], [340, 115], [980, 10]]);
assert(svg.includes('<title>n=4: arena 100</title>') && svg.includes('<title>n=4: MACs 800</title>'));
assert(!svg.includes('NaN'));
// With a target, instructions too; where one size has none, as before.
const timed = growth([{...row(1, 25, 50), instructions: 10}, {...row(2, 50, 200), instructions: 40}]);
assert.deepStrictEqual(points(timed)[2], [[20, 115], [980, 10]]);
assert(timed.includes('<title>n=2: instructions 40</title>'));
assert.strictEqual(points(growth([{...row(1, 25, 50), instructions: 10}, row(2, 50, 200)])).length, 2);
// Nothing to draw: one size, the same size twice, two dimensions, no figures.
for (const rows of [[], [row(1, 5, 5)], [row(1, 5, 5), row(1, 5, 5)], [{dims: {n: 1, m: 1}, arena: 1, macs: 1}, {dims: {n: 2, m: 1}, arena: 1, macs: 1}],
  [{dims: {n: 1}, fault: 'E205'}, {dims: {n: 2}, fault: 'E205'}]]) assert.strictEqual(growth(rows), '');
// No MACs at all, and a name that looks like markup.
assert(!growth([row(1, 5, 0), row(2, 6, 0)]).includes('NaN'));
assert(!growth([{dims: {'<b>"': 1}, arena: 1, macs: 1}, {dims: {'<b>"': 2}, arena: 2, macs: 2}]).includes('<b>'));
console.log('growth: fine');
