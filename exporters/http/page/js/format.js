// Numbers as people read them; the same words as the text output. What is not known is "".

const BYTE_UNITS = [[1, "B"], [2 ** 10, "KiB"], [2 ** 20, "MiB"], [2 ** 30, "GiB"],
                    [2 ** 40, "TiB"], [2 ** 50, "PiB"], [2 ** 60, "EiB"]];
const TIME_UNITS = [[1, "ms"], [1000, "s"], [60000, "min"], [3600000, "h"], [86400000, "d"]];
const TTL_UNITS = [[86400000, "d"], [3600000, "h"], [60000, "min"], [1000, "s"], [1, "ms"]];

// Below `least` of a unit's own the smaller unit says more.
function inUnits(value, units, decimalsBelow) {
  let unit = units[0];
  for (const next of units) {
    if (value >= next[0]) unit = next;
  }
  const number = value / unit[0];
  const digits = unit !== units[0] && number < decimalsBelow ? number.toFixed(1) : String(Math.round(number));
  return `${digits.replace(/\.0$/, "")} ${unit[1]}`;
}

export function bytes(value) {
  return value === undefined ? "" : inUnits(Math.max(0, value), BYTE_UNITS, 100);
}

export function duration(millis) {
  return millis === undefined ? "" : inUnits(Math.max(0, millis), TIME_UNITS, 10);
}

export function rate(bytesPerSecond) {
  if (bytesPerSecond === undefined) return "";
  if (bytesPerSecond === 0) return "flat";
  if (Math.abs(bytesPerSecond) < 1) return "< 1 B/s";
  return `${bytesPerSecond > 0 ? "+" : "−"}${bytes(Math.abs(bytesPerSecond))}/s`;
}

// A TTL in the largest unit that needs no fraction, as Flink writes it.
export function ttl(millis) {
  if (millis === 0) return "for ever";
  const [size, name] = TTL_UNITS.find(([unit]) => millis % unit === 0);
  return `${millis / size} ${name}`;
}

// "full in 2.2 d", "full": until the place is full that fills first.
export function fullIn(seconds) {
  return seconds <= 0 ? "full" : `full in ${duration(seconds * 1000)}`;
}

export function clock(millis) {
  const pad = (number) => String(number).padStart(2, "0");
  const at = new Date(millis);
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return Math.abs(Date.now() - millis) < 43200000 ? time : `${day} ${time}`;
}

export function count(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

export function backend(name) {
  if (!name) return "";
  if (name.includes("RocksDB")) return "RocksDB";
  if (name.startsWith("HashMap")) return "hashmap";
  return name.replace(/StateBackend$/, "");
}

// The place that fills, as it stands in a sentence.
export function place(fullOf) {
  return {heap: "the heap", disk: "the disk", "job limit": "the job's limit"}[fullOf] ?? "its place";
}
