// A job's operators as the plan's graph: a row each, sources above, with rails beside the rows along
// which rows of data go down, as version control draws branches. So a graph of any size reads on a
// phone, and as a list where nobody sees it.

import {h} from "./dom.js";

const LANE = 16;
const MOST_LANES = 12;  // further rails lie over one another
const NODE_Y = 20;

// Operators so that each stands behind its inputs and next to them where it can be: few rails.
// `inputs` per operator; a loop is cut where it is found.
export function rowOrder(inputs) {
  const order = [];
  const state = new Uint8Array(inputs.length);  // 1: under way, 2: done
  const fed = new Set(inputs.flat());
  const walk = (sink) => {
    const open = [[sink, 0]];
    state[sink] = 1;
    while (open.length > 0) {
      const top = open[open.length - 1];
      const next = inputs[top[0]][top[1]++];
      if (next === undefined) {
        state[top[0]] = 2;
        order.push(top[0]);
        open.pop();
      } else if (state[next] === 0) {
        state[next] = 1;
        open.push([next, 0]);
      }
    }
  };
  inputs.forEach((_, i) => { if (!fed.has(i) && state[i] === 0) walk(i); });
  inputs.forEach((_, i) => { if (state[i] === 0) walk(i); });
  return order;
}

// Per row of `order`: `lane` of its node, `into` (lanes that end in it), `past` (lanes that go by),
// `out` (lanes that begin in it).
export function rails(inputs, order) {
  const row = new Map(order.map((op, i) => [op, i]));
  const outputs = inputs.map(() => []);
  inputs.forEach((from, to) => {
    for (const op of new Set(from)) if (row.get(op) < row.get(to)) outputs[op].push(to);
  });
  const lanes = [];  // the operator that each lane leads to
  const free = () => {
    const at = lanes.indexOf(undefined);
    return at < 0 ? lanes.length : at;
  };
  return order.map((op) => {
    const into = lanes.flatMap((to, i) => to === op ? [i] : []);
    into.forEach((i) => { lanes[i] = undefined; });
    const past = lanes.flatMap((to, i) => to === undefined ? [] : [i]);
    const lane = into.length > 0 ? into[0] : free();
    const out = [];
    for (const to of outputs[op].sort((a, b) => row.get(a) - row.get(b))) {
      const at = out.length === 0 ? lane : free();
      lanes[at] = to;
      out.push(at);
    }
    return {lane, into, past, out};
  });
}

export function lanesOf(rows) {
  return Math.min(MOST_LANES, 1 + Math.max(0, ...rows.flatMap((r) => [r.lane, ...r.into, ...r.past, ...r.out])));
}

const x = (lane) => (Math.min(lane, MOST_LANES - 1) + 0.5) * LANE;

function curve(from, y0, to, y1) {
  if (from === to) return `M${from} ${y0}V${y1}`;
  const middle = (y0 + y1) / 2;
  return `M${from} ${y0}C${from} ${middle} ${to} ${middle} ${to} ${y1}`;
}

// The rails beside one row. The part above the node has a fixed height, the part below grows with the
// row.
export function gutter(row, lanes, nodeClass) {
  const width = lanes * LANE;
  const node = x(row.lane);
  const above = [...row.into.map((i) => curve(x(i), 0, node, NODE_Y)), ...row.past.map((i) => `M${x(i)} 0V${NODE_Y}`)];
  const below = [...row.out.map((i) => curve(node, 0, x(i), 100)), ...row.past.map((i) => `M${x(i)} 0V100`)];
  return h("div", {class: "gutter", "aria-hidden": "true"},
    h("svg", {class: "below", viewBox: `0 0 ${width} 100`, preserveAspectRatio: "none"},
      below.length > 0 && h("path", {class: "rail", d: below.join("")})),
    h("svg", {class: "above", viewBox: `0 0 ${width} ${NODE_Y * 2}`},
      above.length > 0 && h("path", {class: "rail", d: above.join("")}),
      h("circle", {class: `node ${nodeClass}`, cx: node, cy: NODE_Y, r: nodeClass === "stateless" ? 3.5 : 6})));
}

export const gutterWidth = (lanes) => `${lanes * LANE}px`;
