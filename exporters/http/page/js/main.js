// Asks the sidecar again and again, and shows what it says: the sidecar alone is asked, by GET.

import {h, morphChildren} from "./dom.js";
import {clock, duration, fullIn} from "./format.js";
import {byUrgency, headline, nameOf, overview} from "./overview.js";
import {jobView} from "./job.js";

const LEAST_REFRESH_MILLIS = 2000;
const MOST_REFRESH_MILLIS = 15000;
const REFRESHES_PER_POLL = 3;
const ANSWER_MILLIS = 10000;
// The header has whole seconds, and the answer took a while.
const DATE_MILLIS = 2000;
const FIRST_FINDINGS = 20;
const HERO_FINDINGS = 50;
// A poll may take long, and one be left out: numbers are old after three.
const OLD_POLLS = 3;
const OLD_MILLIS = 10000;

const state = {doc: null, clusters: [], findings: null, heroFindings: [], detail: null, jobFindings: [], filter: "",
               allJobs: false, allClusters: false, skew: 0, failedSince: null, failure: "", starting: false};
let refreshing = null;
let timer = 0;
let lastRoute = null;

const now = () => Date.now() + state.skew;  // the sidecar's clock

function route() {
  const parts = location.hash.split("/");
  if (parts[0] !== "#" || parts[1] !== "job" || parts.length < 4) return {view: "overview", id: ""};
  try {
    return {view: "job", id: location.hash, cluster: decodeURIComponent(parts[2]), job: decodeURIComponent(parts[3])};
  } catch {
    return {view: "overview", id: ""};
  }
}

async function ask(path) {
  const answer = await fetch(path, {cache: "no-store", signal: AbortSignal.timeout(ANSWER_MILLIS)});
  if (answer.status === 503) return null;  // the first poll is not done
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  const date = Date.parse(answer.headers.get("Date") ?? "");
  const ahead = date - Date.now();
  if (!Number.isNaN(ahead)) state.skew = Math.abs(ahead) > DATE_MILLIS ? ahead : 0;
  return answer.json();
}

const partOf = (cluster, job) => `cluster=${encodeURIComponent(cluster)}&job_id=${encodeURIComponent(job)}`;

const sorted = () => [...(state.doc?.jobs ?? [])].sort(byUrgency);

async function load() {
  const here = route();
  const part = here.job && partOf(here.cluster, here.job);
  const [doc, clusters, findings, detail, jobFindings] = await Promise.all([
    ask("api/v1/jobs"), ask("api/v1/clusters"), ask(`api/v1/findings?limit=${FIRST_FINDINGS}`),
    part && ask(`api/v1/operators?${part}`), part && ask(`api/v1/findings?${part}`)]);
  state.starting = doc === null;
  if (doc === null) return;
  Object.assign(state, {doc, findings, clusters: clusters?.clusters ?? []});
  if (here.job && route().id === here.id) Object.assign(state, {detail: {id: here.id, doc: detail}, jobFindings: jobFindings?.findings ?? []});
  const first = headline(sorted(), true).job;
  if (!here.job && first) {
    const answer = await ask(`api/v1/findings?${partOf(first.cluster, first.job_id)}&limit=${HERO_FINDINGS}`);
    state.heroFindings = (answer?.findings ?? []).filter((finding) => finding.job === first.name);
  }
}

async function refresh() {
  clearTimeout(timer);
  const mine = refreshing = load().then(() => {
    state.failedSince = null;
  }, (error) => {
    state.failedSince ??= Date.now();
    state.failure = error.message;
  });
  await mine;
  if (mine !== refreshing) return;  // another one was begun meanwhile
  show();
  const wait = state.starting ? 0 : (state.doc?.poll_interval_ms ?? 0) / REFRESHES_PER_POLL;
  if (document.hidden) return;  // it goes on when somebody looks again
  timer = setTimeout(refresh, Math.min(MOST_REFRESH_MILLIS, Math.max(LEAST_REFRESH_MILLIS, wait)));
}

// What is wrong with the numbers themselves, as lines of text.
function troubles() {
  const lines = [];
  if (state.failedSince !== null) {
    lines.push(`No answer from the sidecar since ${clock(state.failedSince)} (${state.failure}).` +
      (state.doc ? ` What is shown is of ${clock(state.doc.taken_ms ?? 0)}.` : ""));
  }
  for (const cluster of state.clusters) {
    const name = state.clusters.length > 1 ? ` of ${cluster.cluster}` : "";
    if (!cluster.up) {
      lines.push(`The JobManager${name} does not answer. ` + (cluster.stale
        ? `Its jobs may run all the same: what is shown is of ${clock(cluster.taken_ms)}.` : "Nothing is known of its jobs.") +
        (cluster.error ? ` ${cluster.error}` : ""));
    } else if (isOld(cluster)) {
      lines.push(`No poll${name} has ended since ${clock(cluster.taken_ms)}: what is shown is old.`);
    }
  }
  return lines.length > 4 ? [...lines.slice(0, 3), `${lines.length - 3} more clusters are in trouble, see below.`] : lines;
}

function isOld(cluster) {
  const interval = cluster.poll_interval_ms ?? LEAST_REFRESH_MILLIS;
  return cluster.taken_ms !== undefined && now() - cluster.taken_ms > OLD_POLLS * interval + OLD_MILLIS;
}

// Of several clusters those that answer tell how old the numbers are; the others are named above them.
function age() {
  const several = state.clusters.length > 1;
  const answering = state.clusters.filter((cluster) => cluster.up);
  const taken = several && answering.length > 0 ? Math.min(...answering.map((cluster) => cluster.taken_ms)) : state.doc?.taken_ms;
  const whose = several ? `${answering.length} of ${state.clusters.length} clusters answer, ` : state.clusters.map(({cluster}) => `${cluster}, `);
  return {taken, whose};
}

function showHealth() {
  const doc = state.doc;
  const {taken, whose} = age();
  const bad = state.failedSince !== null || (doc && !doc.up) || state.clusters.some(isOld);
  const ago = taken === undefined ? "" : `${duration(Math.max(0, Math.floor((now() - taken) / 1000)) * 1000)} ago`;
  const text = state.starting ? "The sidecar's first poll is not done yet" : taken === undefined ? "" : `${whose}as of ${clock(taken)}`;
  morphChildren(document.getElementById("health"), h("div", null,
    h("span", {class: `dot ${bad ? "down" : "up"}`, "aria-hidden": "true"}),
    h("span", null, text), h("span", {class: "quiet"}, ago && ago.replace(/^0 \w+ ago$/, "just now"))));
  const said = h("div", null, troubles().map((line) => h("p", null, line)));
  morphChildren(document.getElementById("trouble"), said);
}

const on = {
  filter: (event) => { state.filter = event.target.value; show(); },
  allJobs: () => { state.allJobs = true; show(); },
  allClusters: () => { state.allClusters = true; show(); },
};

function showTitle(jobs) {
  const first = jobs[0]?.terminal ? undefined : jobs[0]?.fills_first;
  const what = first?.seconds_until_full !== undefined ? `${nameOf(jobs[0])} ${fullIn(first.seconds_until_full)} – ` : "";
  document.title = `${troubles().length > 0 ? "(!) " : ""}${what}Flink state`;
}

function show() {
  showHealth();
  if (state.doc === null) return;
  const here = route();
  const jobs = sorted();
  const known = state.doc.up || state.doc.stale;
  const model = {...state, route: here, jobs, known, on};
  showTitle(jobs);
  let view;
  if (here.view === "job") {
    if (state.detail?.id !== here.id) return;  // its answer is under way
    const doc = state.detail.doc ?? state.doc;
    view = jobView({...model, doc, job: (doc.jobs ?? []).find((job) => job.job_id === here.job && job.cluster === here.cluster)});
  } else {
    view = overview(model);
  }
  const content = document.getElementById("content");
  const wrapper = h("main", null, view);
  morphChildren(content, wrapper);
  if (performance.getEntriesByName("shown").length === 0) performance.mark("shown");
  if (lastRoute !== null && lastRoute !== here.id) moveFocus(content, lastRoute);
  lastRoute = here.id;
}

// A new view begins at its heading; back in the list, at the job that was open.
function moveFocus(content, from) {
  const back = from && [...content.querySelectorAll("a.job")].find((link) => link.getAttribute("href") === from);
  (back || content.querySelector("h1"))?.focus();
  if (!back) scrollTo(0, 0);
}

document.querySelector("a.skip").onclick = (event) => {
  event.preventDefault();
  document.getElementById("content").focus();
};
addEventListener("hashchange", refresh);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) clearTimeout(timer);
  else refresh();
});
setInterval(showHealth, 1000);
refresh();
