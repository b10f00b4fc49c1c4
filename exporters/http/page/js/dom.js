// Elements out of data. Texts only ever become text nodes and attributes: a job may be called
// "<script>".

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "path", "circle", "line", "title"]);

// Attributes that begin with "on" are listeners; `vars` are custom properties of the style.
export function h(tag, attributes, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false || value === null) continue;
    if (name === "key") element.key = value;
    else if (name === "vars") for (const [k, v] of Object.entries(value)) element.style.setProperty(k, v);
    else if (name.startsWith("on")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.appendChild(child);
    else if (child !== undefined && child !== null && child !== false && child !== "") {
      element.appendChild(document.createTextNode(String(child)));
    }
  }
}

// What a person did to the page and a refresh must not undo.
const OWN_ATTRIBUTES = new Set(["open", "data-copied"]);

// Makes the children of `old` those of `fresh`, keeping elements: focus, selection and what is
// unfolded stay.
export function morphChildren(old, fresh) {
  const keyed = new Map();
  for (const child of old.children) {
    if (child.key !== undefined) keyed.set(child.key, child);
  }
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    let same = wanted.key !== undefined ? keyed.get(wanted.key) : at;
    if (same && (!alike(same, wanted) || (wanted.key === undefined && same.key !== undefined))) same = null;
    if (!same) {
      old.insertBefore(wanted, at);
      continue;
    }
    if (same === at) at = at.nextSibling;
    else old.insertBefore(same, at);
    morph(same, wanted);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function alike(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.key === b.key;
}

function morph(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const {name} of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OWN_ATTRIBUTES.has(name) && name !== "style") old.removeAttribute(name);
  }
  for (const {name, value} of fresh.attributes) {
    if (name !== "style" && !OWN_ATTRIBUTES.has(name) && old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
    }
  }
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
  if (old.onclick !== fresh.onclick) old.onclick = fresh.onclick;
  if (old.oninput !== fresh.oninput) old.oninput = fresh.oninput;
  if (old.nodeName !== "INPUT") morphChildren(old, fresh);
}

// Tells a screen reader, without showing it.
export function say(text) {
  document.getElementById("said").textContent = text;
}
