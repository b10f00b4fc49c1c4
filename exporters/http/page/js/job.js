// One job: its facts, its findings, its operators as a graph.

import {h} from "./dom.js";
import {backend, bytes, clock, count, duration, fullIn, place, rate, ttl} from "./format.js";
import {findingView} from "./findings.js";
import {gutter, gutterWidth, lanesOf, rails, rowOrder} from "./graph.js";
import {facts, nameOf, verdictText} from "./overview.js";
import {collect, pointsOf, sparkline} from "./sparkline.js";

const CLEANUP = {ttl: "by TTL, no plan tells it", watermark: "goes with the watermark", bounded: "bounded by its definition",
                 connector: "the connector's own", stateless: "", unknown: "not known"};
const MARK = {growing: "▲", filling: "◢", flat: "▬", shrinking: "▼"};

function ttlText(entry) {
  if (entry.ttl_ms !== undefined) return ttl(entry.ttl_ms);
  if (entry.ttl_enabled !== undefined) return entry.ttl_enabled ? "TTL on" : "for ever";
  return "TTL not known";
}

function entryView(entry) {
  const forever = entry.ttl_ms === 0 || (entry.ttl_ms === undefined && entry.ttl_enabled === false);
  return h("li", null, h("span", {class: "entry"}, entry.name), " ",
    h("span", {class: `ttl ${entry.suspicious_ttl || forever ? "odd" : ""}`}, ttlText(entry),
      entry.suspicious_ttl && h("span", {title: "a finding doubts this TTL"}, " !", h("span", {class: "unseen"}, " doubtful"))),
    entry.live_bytes !== undefined && h("span", {class: "quiet"}, ` ${bytes(entry.live_bytes)} live`));
}

// Worth a row of figures. Sources and sinks have a few bytes of their own: only when they grow.
function keepsState(op) {
  if (op.state.length > 0 || op.verdict === "growing" || op.verdict === "filling") return true;
  return op.cleanup !== "stateless" && op.cleanup !== "connector" && (op.size_bytes > 0 || op.cleanup === "watermark");
}

function operatorRow(op, {fedBy, row, lanes, key, taken, isFirst}) {
  const stateful = keepsState(op);
  const verdict = stateful ? op.verdict : "unknown";
  const size = op.operator_size_bytes ?? op.size_bytes;
  const nodeClass = stateful ? verdict : "stateless";
  return h("li", {class: `operator ${stateful ? "stateful" : "plain"} ${isFirst ? "first" : ""}`, key},
    gutter(row, lanes, nodeClass),
    h("div", {class: "who"}, h("span", {class: "name"}, op.operator),
      isFirst && h("span", {class: "badge first"}, "fills first"),
      fedBy.length > 0 && h("span", {class: "unseen"}, `, fed by ${fedBy.join(" and ")}`),
      op.kind === "unknown" && h("span", {class: "quiet"}, " kind not known")),
    h("div", {class: "states"}, op.state.length > 0 ? h("ul", {"aria-label": "State entries and TTL"}, op.state.map(entryView))
      : stateful && h("span", {class: "quiet"}, CLEANUP[op.cleanup] ?? "")),
    h("div", {class: "size"}, stateful || size > 0 ? bytes(size) : ""),
    h("div", {class: "picture"}, stateful && sparkline(pointsOf(op, key, taken), verdict)),
    h("div", {class: "trend"}, stateful && (verdict === "unknown" ? h("span", {class: "quiet"}, "no verdict yet") : [
      h("span", {class: `verdict ${verdict}`}, h("span", {"aria-hidden": "true"}, `${MARK[verdict]} `), verdictText(op)),
      h("span", {class: "quiet"}, facts([verdict !== "flat" && rate(op.growth_bytes_per_second),
        op.seconds_until_full !== undefined && `${op.full_of ?? "its place"} ${fullIn(op.seconds_until_full)}`]))])));
}

function graphView(job, taken) {
  const ops = job.operators;
  // Without the graph (an older sidecar, a job that is starting) rows stand as they come.
  const inputs = ops.map((op) => (op.inputs ?? []).filter((i) => i < ops.length));
  const order = rowOrder(inputs);
  const rows = rails(inputs, order);
  const lanes = lanesOf(rows);
  const keyOf = (op, i) => `${job.job_id}/${op.vertex_id}/${i}`;
  ops.forEach((op, i) => collect(keyOf(op, i), taken, op.size_bytes));
  const first = ops.findIndex((op) => op.vertex_id === job.fills_first?.vertex_id && op.operator === job.fills_first?.operator);
  return h("ol", {class: "graph", vars: {"--gutter": gutterWidth(lanes)}, "aria-label": "Operators, sources first"},
    order.map((i, at) => operatorRow(ops[i], {fedBy: inputs[i].map((from) => ops[from].operator), row: rows[at], lanes,
      key: keyOf(ops[i], i), taken, isFirst: i === first})));
}

function jobSentence(job) {
  const first = job.fills_first;
  if (job.terminal) return "It has ended.";
  if (!first) return job.checkpoint_id === undefined ? "No checkpoint has completed yet: nothing is known of its state." : "Nothing is seen to grow.";
  if (first.seconds_until_full !== undefined) {
    return [h("strong", null, first.operator), first.seconds_until_full <= 0 ? ` has filled ${place(first.full_of)}.`
      : [` fills ${place(first.full_of)} in `, h("strong", null, duration(first.seconds_until_full * 1000)), "."]];
  }
  return [h("strong", null, first.operator), first.verdict === "growing" ? " grows fastest; no limit is known that it would reach."
    : ` is filling${first.plateau_bytes !== undefined ? ` and settles near ${bytes(first.plateau_bytes)}` : ""}.`];
}

function factList(job) {
  const checkpoint = job.checkpoint_id === undefined ? (job.terminal ? "" : "none completed yet")
    : facts([`${job.checkpoint_id}`, job.checkpoint_age_ms !== undefined && `${duration(job.checkpoint_age_ms)} old`,
        bytes(job.checkpoint_state_size), job.checkpoints_failed > 0 && `${job.checkpoints_failed} failed`]);
  const mode = job.incremental === undefined ? "" : job.incremental ? "incremental" : "full";
  const rows = [["State", facts([job.state, job.tasks_running < job.tasks_total && `${job.tasks_running} of ${count(job.tasks_total, "task")} running`])],
    ["Cluster", facts([job.cluster, job.flink_version && `Flink ${job.flink_version}`])],
    ["Backend", facts([backend(job.state_backend), mode, job.changelog && "changelog", job.unaligned && "unaligned"])],
    ["Checkpoint", checkpoint],
    ["Plan", job.plan ? `${job.plan}, matched by ${job.plan_matched_by}` : job.terminal ? "" : "none: TTL is not known"],
    ["Heap", job.heap && `${bytes(job.heap.floor_bytes)} of ${bytes(job.heap.max_bytes)} in use on ${job.heap.task_manager}`],
    ["Limit", bytes(job.state_limit_bytes)],
    ["Started", job.start_ms === undefined ? "" : clock(job.start_ms)],
    ["Id", job.job_id]];
  return h("dl", {class: "facts-list"}, rows.map(([name, value]) => value && h("div", null, h("dt", null, name), h("dd", null, value))));
}

export function jobView(model) {
  const {job, jobFindings = [], doc} = model;
  const back = h("p", {class: "back", key: "back"}, h("a", {href: "#/"}, "← All jobs"));
  if (!job) {
    const why = model.known ? "This job is not here: it may have been started again under another id." : "Nothing is known of the jobs yet.";
    return h("div", {key: `job ${model.route.id}`}, back, h("h1", {tabindex: -1}, "Job not found"), h("p", null, why));
  }
  const open = jobFindings.find((finding) => !finding.acknowledged);
  return h("div", {key: `job ${model.route.id}`, class: "job-view"}, back,
    h("h1", {tabindex: -1, class: "job-name"}, nameOf(job)),
    h("p", {class: "sentence"}, jobSentence(job)),
    !job.terminal && h("section", {key: "graph"}, h("h2", null, count(job.operators.length, "operator")),
      job.operators.length === 0 ? h("p", {class: "quiet"}, "Its graph is not known yet.") : graphView(job, doc.taken_ms)),
    h("section", {key: "findings"}, h("h2", null, "Findings"),
      jobFindings.length === 0 && h("p", {class: "quiet"}, "None."),
      jobFindings.map((finding) => findingView(finding, {open: finding === open}))),
    h("section", {key: "facts"}, h("h2", null, "The job"), factList(job)));
}
