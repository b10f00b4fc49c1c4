// A size over time as a small picture.

import {h} from "./dom.js";
import {bytes, duration} from "./format.js";

const WIDTH = 120;
const HEIGHT = 28;
const MARGIN = 2;
// The picture's floor is at most so much of its top: a per cent of change must not look like a
// mountain.
const MOST_FLOOR = 0.7;

// `points` are [t_ms, bytes], oldest first; nothing is drawn out of fewer than two.
export function sparkline(points, verdict) {
  if (points.length < 2) return h("span", {class: "spark none"}, h("span", {class: "unseen"}, "no history yet"));
  const sizes = points.map(([, size]) => size);
  const top = Math.max(...sizes, 1);
  const floor = Math.min(Math.min(...sizes), top * MOST_FLOOR);
  const [first, last] = [points[0], points[points.length - 1]];
  const span = Math.max(1, last[0] - first[0]);
  const x = (t) => (MARGIN + (t - first[0]) / span * (WIDTH - 2 * MARGIN)).toFixed(1);
  const y = (size) => (HEIGHT - MARGIN - (size - floor) / (top - floor) * (HEIGHT - 2 * MARGIN)).toFixed(1);
  const line = points.map(([t, size], i) => `${i === 0 ? "M" : "L"}${x(t)} ${y(size)}`).join("");
  const said = `over ${duration(span)}: from ${bytes(first[1])} to ${bytes(last[1])}`;
  return h("svg", {class: `spark ${verdict}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said},
           h("title", null, said),
           h("path", {class: "area", d: `${line}L${x(last[0])} ${HEIGHT}L${x(first[0])} ${HEIGHT}Z`}),
           h("path", {class: "line", d: line}),
           h("circle", {class: "now", cx: x(last[0]), cy: y(last[1]), r: 2}));
}

const MOST_COLLECTED = 60;
const collected = new Map();

// What the page saw itself while it is open, for operators that the report has no picture of.
export function collect(key, t_ms, size) {
  if (size === undefined || t_ms === undefined) return;
  const points = collected.get(key) ?? [];
  if (points.length === 0 || points[points.length - 1][0] < t_ms) points.push([t_ms, size]);
  if (points.length > MOST_COLLECTED) points.shift();
  collected.set(key, points);
}

// The report's picture of `op`, with the newest size at its end.
export function pointsOf(op, key, t_ms) {
  const points = op.size_history ?? collected.get(key) ?? [];
  const last = points[points.length - 1];
  const newer = op.size_bytes !== undefined && t_ms !== undefined && last && t_ms > last[0];
  return newer ? [...points, [t_ms, op.size_bytes]] : points;
}
