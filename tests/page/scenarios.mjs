// What a person does with the page. Each returns what the test judges, and fails by itself on what no
// visit may ever show: an error on the console, a request to another host.

import assert from "node:assert/strict";

const WAIT = 15000;

class Visit {
  constructor(context, url) {
    this.context = context;
    this.host = new URL(url).host;
    this.complaints = [];
    this.expected = [];  // complaints that the scenario itself causes
  }

  static async to(browser, url, options = {}) {
    const context = await browser.newContext({viewport: {width: 1200, height: 800}, ...options});
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const visit = new Visit(context, url);
    context.on("request", (request) => {
      if (new URL(request.url()).host !== visit.host) visit.complaints.push(`asked ${request.url()}`);
    });
    visit.page = await visit.newPage();
    await visit.page.goto(url);
    return visit;
  }

  async newPage() {
    const page = await this.context.newPage();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    return page;
  }

  async shown() {
    await this.page.waitForSelector("main h1", {timeout: WAIT});
  }

  async leave() {
    await this.context.close();
    const left = this.complaints.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
    assert.deepEqual(left, []);
  }
}

async function visiting(browser, url, options, act) {
  const visit = await Visit.to(browser, url, options);
  await visit.shown();
  const value = await act(visit.page, visit);
  await visit.leave();
  return value;
}

const jobHash = ({cluster = "default", job_id}) => `#/job/${encodeURIComponent(cluster)}/${job_id}`;

// Milliseconds from the navigation's start until the data is shown, a few times.
export async function load({browser}, {url, times}) {
  const millis = [];
  let rows = 0;
  for (let i = 0; i < times; ++i) {
    await visiting(browser, url, {}, async (page) => {
      millis.push(await page.evaluate(() => performance.getEntriesByName("shown")[0].startTime));
      rows = await page.locator("ol.jobs > li").count();
    });
  }
  return {millis, rows};
}

// `all`: also the jobs that the page does not show at first.
export async function look({browser}, {url, hash = "", all = false}) {
  return visiting(browser, url + hash, {}, async (page) => {
    const more = page.getByRole("button", {name: /^Show all \d+ jobs$/});
    if (all && await more.count() > 0) await more.click();
    return page.evaluate(() => ({
      title: document.title,
      heading: document.querySelector("h1").textContent,
      text: document.querySelector("main").innerText,
      names: [...document.querySelectorAll("ol.jobs .who .name")].map((element) => element.textContent),
      scripts: document.scripts.length,
      images: document.images.length,
      pwned: window.pwned ?? null,
    }));
  });
}

// The rows of a job's graph as a screen reader has them.
export async function graph({browser}, {url, job}) {
  return visiting(browser, url + jobHash(job), {}, async (page) => {
    await page.waitForSelector("ol.graph > li");
    return page.$$eval("ol.graph > li", (rows) => rows.map((row) => ({
      operator: row.querySelector(".name").textContent,
      fedBy: row.querySelector(".who .unseen")?.textContent.replace(", fed by ", "").split(" and ") ?? [],
      states: [...row.querySelectorAll(".states li")].map((entry) => entry.textContent),
      size: row.querySelector(".size").textContent,
      picture: row.querySelector("svg.spark")?.getAttribute("aria-label") ?? "",
      trend: row.querySelector(".trend").textContent,
    })));
  });
}

// Serious and critical violations, and whether the view is wider than the window, per way of looking.
export async function accessibility({browser, axe}, {url, hashes}) {
  const found = [];
  for (const hash of hashes) {
    for (const [colorScheme, width, other] of [["light", 1200, 390], ["dark", 390, 1200]]) {
      await visiting(browser, url + hash, {colorScheme, viewport: {width, height: 800}}, async (page) => {
        const where = `${hash || "overview"} ${colorScheme} ${width}`;
        for (const details of await page.$$("details:not([open]) > summary")) await details.click();
        await page.evaluate(axe);
        const {violations} = await page.evaluate(() => window.axe.run());
        for (const {id, impact, nodes} of violations) {
          if (["serious", "critical"].includes(impact)) found.push(`${where}: ${id} ${nodes[0].html.slice(0, 200)}`);
        }
        for (const looked of [width, other]) {
          await page.setViewportSize({width: looked, height: 800});
          const excess = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
          if (excess > 0) found.push(`${where}: ${excess} px wider than a window of ${looked}`);
        }
      });
    }
  }
  return found;
}

async function tabTo(page, selector, most = 60) {
  for (let i = 0; i < most; ++i) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`Tab does not come to ${selector}`);
}

// Opens a job, copies its first finding and comes back, without a mouse.
export async function keyboard({browser}, {url, job}) {
  return visiting(browser, url, {}, async (page) => {
    const hash = jobHash(job);
    await tabTo(page, "a.skip", 1);
    await tabTo(page, `a.job[href="${hash}"]`);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1.job-name", {timeout: WAIT});
    const focused = await page.evaluate(() => document.activeElement.textContent);
    await tabTo(page, "details.finding summary");
    if (!await page.evaluate(() => document.activeElement.parentElement.open)) await page.keyboard.press("Enter");
    await tabTo(page, "details.finding .foot button");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("said").textContent === "Copied");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    await page.goBack();
    await page.waitForSelector("ol.jobs", {timeout: WAIT});
    const back = await page.evaluate(() => document.activeElement.getAttribute("href"));
    return {focused, copied, back, hash};
  });
}

// Over plain HTTP from another machine there is no clipboard for pages: the old way still copies.
export async function copyWithoutClipboard({browser}, {url, job}) {
  const visit = await Visit.to(browser, url);
  const page = await visit.newPage();
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "clipboard", {get: () => undefined}));
  await page.goto(url + jobHash(job));
  await page.bringToFront();
  await page.locator("details.finding .foot button").first().click({timeout: WAIT});
  await page.waitForFunction(() => document.getElementById("said").textContent === "Copied");
  await visit.page.bringToFront();
  const copied = await visit.page.evaluate(() => navigator.clipboard.readText());
  await visit.leave();
  return copied;
}

// Unfolds the last finding, focuses its button, waits for `refreshes` refreshes: all must be as it was.
export async function staysPut({browser}, {url, job, refreshes}) {
  return visiting(browser, url + jobHash(job), {}, async (page) => {
    await page.waitForSelector("details.finding");
    const last = page.locator("details.finding").last();
    await last.locator("summary").click();
    const open = await page.$$eval("details.finding", (all) => all.map((one) => one.open));
    await last.locator(".foot button").focus();
    await page.evaluate(() => { document.activeElement.marked = true; });
    for (let i = 0; i < refreshes; ++i) await page.waitForResponse(/operators/, {timeout: WAIT});
    await page.waitForTimeout(200);
    return {before: open, after: await page.$$eval("details.finding", (all) => all.map((one) => one.open)),
            focus: await page.evaluate(() => document.activeElement.marked === true)};
  });
}

// --- a visit that goes on while the test changes the world ----------------------------------------

const visits = new Map();

export async function open({browser}, {visit, url, hash = ""}) {
  visits.set(visit, await Visit.to(browser, url + hash));
}

// The text of `selector` once it fits `pattern`.
export async function wait(_, {visit, selector, pattern, timeout = WAIT}) {
  const {page} = visits.get(visit);
  await page.waitForFunction(([where, what]) => new RegExp(what).test(document.querySelector(where)?.innerText ?? ""),
                             [selector, pattern], {timeout})
    .catch(async (error) => {
      const text = await page.locator(selector).first().innerText().catch(() => "not there");
      throw new Error(`${selector} is not like ${pattern} but: ${text}\n${error.message}`);
    });
  return page.locator(selector).first().innerText();
}

export async function close(_, {visit, expected = []}) {
  const left = visits.get(visit);
  visits.delete(visit);
  left.expected = expected.map((pattern) => new RegExp(pattern));
  await left.leave();
}

// A picture of a view; the window's height alone unless `full`.
export async function screenshot({browser}, {url, hash = "", file, width, height = 800, scheme = "light", full = false}) {
  return visiting(browser, url + hash, {colorScheme: scheme, viewport: {width, height}}, async (page) => {
    await page.evaluate(() => document.activeElement.blur());
    await page.screenshot({path: file, fullPage: full});
  });
}
