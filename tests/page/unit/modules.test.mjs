// The page's modules without a browser: node --test tests/page/unit

import assert from "node:assert/strict";
import {test} from "node:test";

const JS = new URL("../../../exporters/http/page/js/", import.meta.url);
const format = await import(new URL("format.js", JS));
const graph = await import(new URL("graph.js", JS));
const findings = await import(new URL("findings.js", JS));
const overview = await import(new URL("overview.js", JS));

test("numbers are as the text output has them", () => {
  assert.equal(format.bytes(0), "0 B");
  assert.equal(format.bytes(100557), "98.2 KiB");
  assert.equal(format.bytes(309248), "302 KiB");
  assert.equal(format.bytes(undefined), "");
  assert.equal(format.duration(2.2 * 86400000), "2.2 d");
  assert.equal(format.duration(886), "886 ms");
  assert.equal(format.duration(1800000), "30 min");
  assert.equal(format.rate(435), "+435 B/s");
  assert.equal(format.rate(-2048), "−2 KiB/s");
  assert.equal(format.rate(0.2), "< 1 B/s");
  assert.equal(format.rate(undefined), "");
  assert.equal(format.ttl(0), "for ever");
  assert.equal(format.ttl(86400000), "1 d");
  assert.equal(format.ttl(5400000), "90 min");
  assert.equal(format.fullIn(0), "full");
});

test("rows stand behind their inputs, and next to them", () => {
  // orders → join ← payments, join → second join ← users → sink; given in the graph's order
  const inputs = [[], [], [], [0, 1], [3, 2], [4]];
  assert.deepEqual(graph.rowOrder(inputs), [0, 1, 3, 2, 4, 5]);
});

test("a loop is cut, not followed for ever", () => {
  const order = graph.rowOrder([[1], [0], [0]]);
  assert.deepEqual([...order].sort(), [0, 1, 2]);
  assert.equal(graph.rails([[1], [0], [0]], order).length, 3);
});

test("ten thousand operators in a row", () => {
  const inputs = Array.from({length: 10000}, (_, i) => i === 0 ? [] : [i - 1]);
  const order = graph.rowOrder(inputs);
  assert.equal(order[9999], 9999);
  assert.equal(graph.lanesOf(graph.rails(inputs, order)), 1);
});

test("rails: two inputs meet, a branch parts", () => {
  const inputs = [[], [], [0, 1], [2], [2]];
  const order = graph.rowOrder(inputs);
  assert.deepEqual(order, [0, 1, 2, 3, 4]);
  assert.deepEqual(graph.rails(inputs, order), [
    {lane: 0, into: [], past: [], out: [0]},
    {lane: 1, into: [], past: [0], out: [1]},
    {lane: 0, into: [0, 1], past: [], out: [0, 1]},
    {lane: 0, into: [0], past: [1], out: []},
    {lane: 1, into: [1], past: [], out: []}]);
});

test("advice is paragraphs and blocks to copy", () => {
  assert.deepEqual(findings.blocksOf("Do this:\n    SET 'a' = 'b';\n    SET 'c' = 'd';\nThen that."), [
    {code: false, text: "Do this:"}, {code: true, text: "SET 'a' = 'b';\nSET 'c' = 'd';"}, {code: false, text: "Then that."}]);
});

test("what stops the growth is told first, what was acknowledged is not", () => {
  const of = (code, more) => ({code, vertex_id: "v", advice: "x", ...more});
  assert.equal(findings.mostTelling([of("capacity"), of("forever-state")], "v").code, "forever-state");
  assert.equal(findings.mostTelling([of("capacity"), of("forever-state", {acknowledged: true})], "v").code, "capacity");
  assert.equal(findings.mostTelling([of("forever-state")], "w"), undefined);
});

const job = (name, fills, more) => ({name, terminal: false, finding_counts: {}, fills_first: fills, ...more});

test("the most urgent job is first", () => {
  const jobs = [job("calm"), job("ended", {seconds_until_full: 1}, {terminal: true}),
    job("grows", {verdict: "growing", growth_bytes_per_second: 9}), job("fills", {verdict: "filling", growth_bytes_per_second: 99}),
    job("later", {verdict: "filling", seconds_until_full: 900}), job("soon", {verdict: "growing", seconds_until_full: 60}),
    job("critical", undefined, {finding_counts: {critical: 1}})];
  assert.deepEqual(jobs.sort(overview.byUrgency).map(({name}) => name),
                   ["soon", "later", "critical", "grows", "fills", "calm", "ended"]);
});

test("unreachable is never no jobs", () => {
  assert.match(overview.headline([], false).text, /Nothing is known/);
  assert.match(overview.headline([], true).text, /No job/);
  assert.match(overview.headline([job("new")], true).text, /checkpoint/);
  assert.match(overview.headline([job("flat", undefined, {checkpoint_state_size: 5})], true).text, /Nothing is seen to grow/);
  assert.equal(overview.headline([job("ended", {verdict: "growing"}, {terminal: true})], true).job, undefined);
});
