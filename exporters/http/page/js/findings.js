// Findings: what is wrong, what to do, and buttons that copy it.

import {h, say} from "./dom.js";
import {clock} from "./format.js";

const INDENT = "    ";
const COPIED_MILLIS = 2000;

// Advice as paragraphs and blocks of SQL or configuration (indented lines).
export function blocksOf(advice) {
  const blocks = [];
  for (const line of advice.split("\n")) {
    const code = line.startsWith(INDENT);
    const text = code ? line.slice(INDENT.length) : line;
    const last = blocks[blocks.length - 1];
    if (code && last?.code) last.text += `\n${text}`;
    else if (text.trim() !== "") blocks.push({code, text});
  }
  return blocks;
}

export function adviceView(advice, most = Infinity) {
  return blocksOf(advice).slice(0, most).map(({code, text}) => code
    ? h("div", {class: "code"}, h("pre", {tabindex: 0, role: "group", "aria-label": "to copy"}, h("code", null, text)),
        copyButton("Copy", text))
    : h("p", null, text));
}

export function copyButton(label, text) {
  return h("button", {type: "button", class: "copy", onclick: (event) => copy(event.currentTarget, text)}, label);
}

async function copy(button, text) {
  const done = await toClipboard(text);
  say(done ? "Copied" : "Could not copy: select the text and copy it yourself");
  button.setAttribute("data-copied", done ? "yes" : "no");
  setTimeout(() => button.removeAttribute("data-copied"), COPIED_MILLIS);
}

// Browsers give pages the clipboard over https and on localhost alone; elsewhere there is the old way.
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", {class: "unseen as-is", readonly: true, "aria-hidden": "true"});
    const focused = document.activeElement;
    document.body.appendChild(field);
    field.value = text;
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focused?.focus();
    return done;
  }
}

export function asText(finding) {
  const where = [finding.job, finding.operator, finding.state].filter(Boolean).join(" / ");
  return `${finding.severity} ${finding.code}: ${where}\n${finding.message}\n\n${finding.advice}`.trim() + "\n";
}

export function keyOf(finding) {
  return [finding.cluster, finding.code, finding.job_id, finding.job, finding.vertex_id, finding.operator, finding.state,
          finding.plan].join("\n");
}

// `link`, where given, is the finding's job on this page.
export function findingView(finding, {open = false, link} = {}) {
  const severity = finding.acknowledged ? "acknowledged" : finding.severity;
  const where = [finding.operator, finding.state].filter(Boolean).join(" ");
  const details = h("details", {class: `finding ${severity}`, key: keyOf(finding)},
    h("summary", null,
      h("span", {class: `badge ${severity}`}, severity),
      h("span", {class: "code-name"}, finding.code),
      h("span", {class: "where"}, link ? `${finding.job ?? finding.plan ?? ""} ${where}` : where)),
    h("p", {class: "message"}, finding.message),
    finding.advice && h("div", {class: "advice"}, adviceView(finding.advice)),
    finding.acknowledged && h("p", {class: "quiet"}, `Acknowledged: ${finding.acknowledged_reason ?? ""}`),
    h("p", {class: "foot"}, copyButton("Copy finding and advice", asText(finding)),
      link && h("a", {href: link}, "Open the job"),
      finding.first_seen_ms !== undefined &&
        h("span", {class: "quiet"}, `first seen ${clock(finding.first_seen_ms)}`)));
  if (open) details.setAttribute("open", "");
  return details;
}

// Of an operator's findings, the ones whose advice stops its growth come first.
const TELLING = ["growing-past-ttl", "forever-state", "state-growing", "ttl-from-job-default", "heavy-aggregate",
                 "time-bound-possible", "capacity", "heap-pressure"];

export function mostTelling(findings, vertexId) {
  const rank = (finding) => TELLING.indexOf(finding.code);
  return findings.filter((f) => f.vertex_id === vertexId && !f.acknowledged && f.advice && rank(f) >= 0)
    .sort((a, b) => rank(a) - rank(b))[0];
}
