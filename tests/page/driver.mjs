// Chromium for tests/integration/test_page.py: a request per line on stdin ({"scenario", …}), an
// answer per line on stdout ({"value"} or {"error"}).
//
//   node driver.mjs NODE_MODULES CHROMIUM

import {createRequire} from "node:module";
import {createInterface} from "node:readline";
import * as scenarios from "./scenarios.mjs";

const [modules, chromium] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const axe = require("axe-core").source;
const browser = await require("playwright-core").chromium.launch({
  executablePath: chromium,
  // A container has no sandbox for root, and little shared memory.
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

process.stdout.write("ready\n");
for await (const line of createInterface({input: process.stdin})) {
  const {scenario, ...wanted} = JSON.parse(line);
  let answer;
  try {
    answer = {value: await scenarios[scenario]({browser, axe}, wanted) ?? null};
  } catch (error) {
    answer = {error: error.stack ?? String(error)};
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
