// lane.js MAP.JS: the time of each step beside the arena map. Bars stand under their steps, as high as what these take; what is not modelled is hatched.
'use strict';
const assert = require('assert'), fs = require('fs');
const lines = fs.readFileSync(process.argv[2], 'utf8').split('\n');
const first = lines.findIndex((line) => line.startsWith('function lane(')), end = lines.findIndex((line) => line.startsWith('function draw('));
assert(first >= 0 && end > first, 'map.js has no lane() before draw()');
assert(/o\+=lane\(S\.map\(costOf\)/.test(lines.slice(end).join('\n')), 'draw() does not draw the lane');
const make = new Function('r1', 'pct', 'NS', 'UNIT', lines.slice(first, end).join('\n') + '\nreturn lane;');
const lane = make((v) => Math.round(v * 10) / 10, (a, b) => Math.round(100 * a / b) + ' %', ' ', 'cycles');
const bars = (svg) => [...svg.matchAll(/<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)" fill="([^"]*)"/g)].map((m) => [+m[1], +m[2], +m[3], +m[4], m[5]]);
const at = (step) => 100 + 50 * step;

const svg = lane([200, null, 1000, 0, 500], 0, 5, at, 100, 350, 300, 50, false);
assert.deepStrictEqual(bars(svg), [[100, 290, 49.2, 10, 'var(--c1)'], [150, 250, 49.2, 50, 'url(#pfree)'], [200, 250, 49.2, 50, 'var(--c6)'], [300, 275, 49.2, 25, 'var(--c1)']]);
assert(svg.includes('slowest: step 2') && svg.includes('1.0 k (59 %)') && svg.includes('cycles of each step, estimated'));
// A part of the steps, cut off at the sides.
assert.deepStrictEqual(bars(lane([200, null, 1000, 0, 500], 1, 5, (s) => at(s) - 60, 100, 250, 300, 50, true)).map((b) => b.slice(0, 1)), [[100], [140], [240]]);
// Nothing that takes time.
assert(!lane([0, 0], 0, 2, at, 100, 200, 300, 50, false).includes('NaN'));
console.log('lane: fine');
