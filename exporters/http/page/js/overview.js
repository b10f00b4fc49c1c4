// The first view: what fills first, then clusters, jobs and the gravest findings.

import {h} from "./dom.js";
import {backend, bytes, clock, count, duration, fullIn, place, rate} from "./format.js";
import {adviceView, asText, copyButton, findingView, mostTelling} from "./findings.js";
import {pointsOf, sparkline} from "./sparkline.js";

const FIRST_JOBS = 50;
// Of the hero's advice: its first sentence and its first SQL; all of it is in the job's view.
const HERO_BLOCKS = 3;

const VERDICT_RANK = {growing: 0, filling: 1};

export const jobLink = (job) => `#/job/${encodeURIComponent(job.cluster)}/${encodeURIComponent(job.job_id)}`;
export const jobKey = (job) => `${job.cluster}\n${job.job_id}\n${job.start_ms ?? ""}`;
export const nameOf = (job) => job.name || job.job_id;

// The more urgent job first: ended ones last, then by time until full, growth, findings, size.
export function byUrgency(a, b) {
  const rank = ({terminal, fills_first: f, finding_counts: c, checkpoint_state_size: size}) => [
    terminal ? 1 : 0, f?.seconds_until_full ?? Infinity, -(c?.critical ?? 0), VERDICT_RANK[f?.verdict] ?? 2,
    -(f?.growth_bytes_per_second ?? 0), -(c?.warning ?? 0), -(size ?? 0)];
  const [left, right] = [rank(a), rank(b)];
  const at = left.findIndex((value, i) => value !== right[i]);
  return at < 0 ? 0 : left[at] - right[at];
}

export function verdictText(op) {
  if (op.verdict === "unknown") return "";
  const settles = op.verdict === "filling" && op.plateau_bytes !== undefined
    ? `, settles near ${bytes(op.plateau_bytes)}` : "";
  return `${op.verdict}${op.verdict === "growing" && op.past_ttl ? " past its TTL" : ""}${settles}`;
}

// One sentence about the cluster as a whole; `calm` when nobody need do anything.
export function headline(jobs, known) {
  const first = jobs[0]?.terminal ? undefined : jobs[0]?.fills_first;
  if (!known) return {text: "Nothing is known of the jobs yet"};
  if (first?.seconds_until_full !== undefined) return {job: jobs[0], first};
  if (first?.verdict === "growing") return {job: jobs[0], first};
  if (first) return {job: jobs[0], first, calm: true};
  const running = jobs.filter((job) => !job.terminal);
  if (running.length === 0) return {text: jobs.length === 0 ? "No job is here" : "No job is running", calm: true};
  const watched = running.some((job) => job.checkpoint_state_size !== undefined);
  return watched ? {text: "Nothing is seen to grow", calm: true} : {text: "No job has completed a checkpoint yet"};
}

function sentence({job, first}) {
  const operator = h("strong", null, first.operator);
  const of = [" of ", h("a", {href: jobLink(job)}, nameOf(job))];
  if (first.seconds_until_full !== undefined) {
    const time = first.seconds_until_full <= 0 ? ["has filled ", place(first.full_of)]
      : ["fills ", place(first.full_of), " in ", h("strong", null, duration(first.seconds_until_full * 1000))];
    return [operator, ...of, " ", time];
  }
  if (first.verdict === "growing") return [operator, ...of, " grows fastest"];
  return ["Nothing grows without end. ", operator, ...of, " is still filling"];
}

function hero(model) {
  const head = headline(model.jobs, model.known);
  if (head.text) return h("section", {class: `hero ${head.calm ? "calm" : ""}`, key: "hero"}, h("h1", {tabindex: -1}, head.text));
  const {job, first} = head;
  const finding = mostTelling(model.heroFindings ?? [], first.vertex_id);
  const points = pointsOf(first, "", model.doc.taken_ms);
  return h("section", {class: `hero ${head.calm ? "calm" : "urgent"}`, key: "hero"},
    h("div", {class: "hero-text"},
      h("h1", {tabindex: -1}, sentence(head)),
      h("p", {class: "facts"}, facts([bytes(first.size_bytes), rate(first.growth_bytes_per_second), verdictText(first),
        first.seconds_until_full === undefined && !head.calm && "no limit is known"]))),
    sparkline(points, first.verdict),
    finding && h("div", {class: "todo"},
      h("h2", null, "What to do"),
      adviceView(finding.advice, HERO_BLOCKS),
      h("p", {class: "foot"}, copyButton("Copy all advice", asText(finding)), h("a", {href: jobLink(job)}, "Open the job"))));
}

export const facts = (parts) => parts.filter(Boolean).join(" · ");

function jobRow(job, several, taken) {
  const first = job.fills_first;
  const counts = job.finding_counts ?? {};
  const state = job.state === "RUNNING" ? "" : job.state;
  const tasks = job.tasks_running < job.tasks_total ? `${job.tasks_running} of ${count(job.tasks_total, "task")} running` : "";
  const age = job.checkpoint_id !== undefined ? "" : job.terminal ? "" : "no checkpoint yet";
  return h("li", {key: jobKey(job), class: job.terminal ? "ended" : ""},
    h("a", {class: "job", href: jobLink(job)},
      h("span", {class: "who"}, h("span", {class: "name"}, nameOf(job)),
        h("span", {class: "quiet"}, facts([several && job.cluster, state, tasks, age, backend(job.state_backend)]))),
      h("span", {class: "what"}, first
        ? [h("span", {class: "name"}, first.operator),
           h("span", {class: `verdict ${first.verdict}`},
             first.seconds_until_full !== undefined ? `${first.full_of ?? "its place"} ${fullIn(first.seconds_until_full)}` : verdictText(first))]
        : !job.terminal && h("span", {class: "quiet"}, job.checkpoint_state_size === undefined ? "not known yet" : "nothing seen to grow")),
      h("span", {class: "picture"}, first && sparkline(pointsOf(first, "", taken), first.verdict)),
      h("span", {class: "numbers"}, h("span", null, bytes(job.checkpoint_state_size)),
        first && h("span", {class: "quiet"}, rate(first.growth_bytes_per_second))),
      h("span", {class: "counts"}, ["critical", "warning", "info"].map((severity) => counts[severity] > 0 &&
        h("span", {class: `badge ${severity}`}, severity === "info" ? `${counts.info} info` : count(counts[severity], severity,
          severity === "critical" ? "critical" : "warnings"))))));
}

function clusterRow(cluster, jobs) {
  const running = jobs.filter((job) => job.cluster === cluster.cluster && !job.terminal).length;
  const state = cluster.up ? facts([cluster.flink_version && `Flink ${cluster.flink_version}`, count(running, "running job")])
    : cluster.taken_ms === undefined || !cluster.stale ? "unreachable: nothing is known of its jobs"
      : `unreachable: jobs as of ${clock(cluster.taken_ms)}`;
  return h("li", {key: cluster.cluster, class: cluster.up ? "up" : "down"},
    h("span", {class: "dot", "aria-hidden": "true"}), h("span", {class: "name"}, cluster.cluster), h("span", {class: "quiet"}, state));
}

function clusterList(model) {
  const clusters = [...(model.clusters)].sort((a, b) => Number(a.up) - Number(b.up));
  const shown = model.allClusters ? clusters : clusters.slice(0, 10);
  return h("section", {key: "clusters"},
    h("h2", null, clusters.length === 1 ? "Cluster" : "Clusters"),
    h("ul", {class: "clusters"}, shown.map((cluster) => clusterRow(cluster, model.jobs))),
    shown.length < clusters.length && h("button", {type: "button", class: "more", onclick: model.on.allClusters},
      `Show all ${clusters.length} clusters`));
}

function jobList(model) {
  const wanted = model.filter.trim().toLowerCase();
  const fits = (job) => [job.name, job.job_id, job.cluster, job.fills_first?.operator].some((text) => text?.toLowerCase().includes(wanted));
  const found = wanted === "" ? model.jobs : model.jobs.filter(fits);
  const shown = model.allJobs ? found : found.slice(0, FIRST_JOBS);
  const several = model.clusters.length > 1;
  return h("section", {key: "jobs"},
    h("div", {class: "title"}, h("h2", null, "Jobs, most urgent first"),
      model.jobs.length > 8 && h("label", {class: "filter", key: "filter"}, h("span", {class: "unseen"}, "Filter jobs"),
        h("input", {type: "search", placeholder: "Filter jobs", autocomplete: "off", spellcheck: "false", oninput: model.on.filter}))),
    found.length === 0 && h("p", {class: "quiet"}, wanted ? "No job fits." : model.known ? "No job." : "Not known."),
    h("ol", {class: "jobs", "aria-label": "Jobs"}, shown.map((job) => jobRow(job, several, model.doc.taken_ms))),
    shown.length < found.length && h("button", {type: "button", class: "more", onclick: model.on.allJobs}, `Show all ${found.length} jobs`));
}

function findingList(model) {
  const {findings = [], total = 0} = model.findings ?? {};
  const grave = findings.filter((finding) => finding.severity !== "info" && !finding.acknowledged);
  const link = (finding) => {
    const job = model.jobs.find((candidate) => candidate.job_id === finding.job_id && candidate.name === finding.job &&
      candidate.cluster === (finding.cluster ?? candidate.cluster));
    return job ? jobLink(job) : "#/";
  };
  return h("section", {key: "findings"},
    h("h2", null, "Findings"),
    grave.length === 0 ? h("p", {class: "quiet"}, model.known ? "No warning." : "Not known.") : grave.map((finding) => findingView(finding, {link: link(finding)})),
    total > grave.length && h("p", {class: "quiet"}, `${total - grave.length} more, of less weight or acknowledged: with ${total - grave.length === 1 ? "its job" : "their jobs"}.`));
}

export function overview(model) {

  return h("div", {key: "overview", class: "overview"},
    hero(model), jobList(model), findingList(model), clusterList(model));
}
