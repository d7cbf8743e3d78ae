// Compares the verdicts of incipit/grammar with llama.cpp's, through node-llama-cpp.
//
//   npm run build && node bench/grammar-oracle.mjs [--count 3000] [--seed 1]
//
// Grammars are the case files of the tests, and those of INCIPIT_DATA where it is set, mutated.
// llama.cpp runs in a child process, which is stopped when a grammar takes it five seconds.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  checkGrammar,
  createAcceptor,
  parseGrammar,
  printGrammar,
  sampleGrammar,
} from "../dist/grammar/index.js";

const timeLimit = 5000;
const file = fileURLToPath(import.meta.url);
const scraps = [
  ..."ab01|()[]{}*+?.,\"\\-^#<>!:= \t\n\r'_",
  ...["::=", "\nroot ::= ", "\na ::= ", '"x"', "[a-z]", "{2,3}", "{0,2001}", "{1999}", "{0,44}"],
  ...["\\x41", "\\u00e9", "\\U0001F600", "<[10]>", "é", "😀", "root", '""', "[]", "(|)", "{0}"],
];

const { values } = parseArgs({
  options: {
    child: { type: "boolean", default: false },
    count: { type: "string", default: "3000" },
    seed: { type: "string", default: "1" },
  },
});

await (values.child ? answer() : compare(Number(values.count), Number(values.seed)));

/** The child: for each grammar whether llama.cpp takes it, and which texts it matches. */
async function answer() {
  const { getLlama } = await import("node-llama-cpp");
  const llama = await getLlama({ gpu: false, build: "never", logger: () => {} });
  process.on("message", async ({ grammar, texts }) => {
    try {
      const loaded = await llama.createGrammar({ grammar });
      process.send({ isTaken: true, matches: texts.map((text) => loaded._testText(text)) });
    } catch {
      process.send({ isTaken: false, matches: [] });
    }
  });
  process.send({ isReady: true });
}

async function compare(count, seed) {
  const random = createRandom(seed);
  const corpus = readCorpus();
  const oracle = createOracle();
  const tally = { grammars: 0, taken: 0, agreed: 0, skipped: 0, noAnswer: 0, texts: 0, matched: 0 };
  let textsAgreed = 0;
  const differences = [];
  while (tally.grammars < count) {
    const grammar = mutate(random, corpus);
    const codes = checkGrammar(grammar)
      .findings.filter(({ severity }) => severity === "error")
      .map(({ code }) => code);
    // llama.cpp takes these, and then does not come back.
    if (codes.some((code) => /reversed_bounds|hidden_left_recursion/.test(code))) {
      tally.skipped += 1;
      continue;
    }
    const isTaken = codes.every((code) => code === "grammar_no_finished_text");
    const texts = isTaken ? toTexts(grammar, random) : [];
    const verdict = await oracle.ask({ grammar, texts: texts.map(({ text }) => text) });
    tally.grammars += 1;
    if (verdict === null) {
      tally.noAnswer += 1;
      continue;
    }
    if (verdict.isTaken) tally.taken += 1;
    if (verdict.isTaken === isTaken) tally.agreed += 1;
    else differences.push({ grammar, codes, llama: verdict.isTaken });
    verdict.matches.forEach((isMatch, index) => {
      tally.texts += 1;
      if (isMatch) tally.matched += 1;
      if (isMatch === texts[index].accepted) textsAgreed += 1;
      else differences.push({ grammar, text: texts[index].text, llama: isMatch });
    });
  }
  oracle.close();
  for (const difference of differences.slice(0, 20)) console.log(JSON.stringify(difference));
  const answered = tally.grammars - tally.noAnswer;
  console.log(`grammars: ${tally.agreed} of ${answered} verdicts agree, ${tally.taken} taken`);
  console.log(`texts: ${textsAgreed} of ${tally.texts} verdicts agree, ${tally.matched} matched`);
  console.log(`no answer: ${tally.noAnswer}; not asked, as llama.cpp hangs: ${tally.skipped}`);
  process.exitCode = differences.length > 0 ? 1 : 0;
}

/** Samples of a grammar, some of them spoilt, each with our verdict. */
function toTexts(source, random) {
  try {
    // Printing on the way tests the printer as well: the oracle is given the text as it was.
    const grammar = parseGrammar(printGrammar(parseGrammar(source)));
    const acceptor = createAcceptor(grammar);
    const seed = Math.floor(random() * 2 ** 32);
    const samples = sampleGrammar(grammar, { seed, count: 4, maxLength: 80 });
    return [...samples, ...samples.map((text) => spoil(random, text))].map((text) => {
      const state = acceptor.start().accept(text);
      return { text, accepted: state.kind === "accepting" && state.isComplete };
    });
  } catch (error) {
    if (/^grammar_/.test(error.code)) return [];
    throw error;
  }
}

function spoil(random, text) {
  const characters = Array.from(text);
  const at = Math.floor(random() * (characters.length + 1));
  characters.splice(at, random() < 0.6 ? 1 : 0, ...(random() < 0.6 ? [draw(random, scraps)] : []));
  return characters.join("").replace(/\p{Surrogate}|\0/gu, "");
}

function mutate(random, corpus) {
  let text = draw(random, corpus);
  for (let rounds = Math.floor(random() ** 2 * 4); rounds > 0; rounds -= 1) {
    const at = Math.floor(random() * (text.length + 1));
    const end = Math.min(text.length, at + Math.floor(random() ** 3 * 12));
    const kind = random();
    if (kind < 0.35) text = text.slice(0, at) + draw(random, scraps) + text.slice(at);
    else if (kind < 0.6) text = text.slice(0, at) + text.slice(end + 1);
    else if (kind < 0.8) text = text.slice(0, at) + draw(random, scraps) + text.slice(end);
    else if (kind < 0.9) text = text.slice(0, end) + text.slice(at);
    else text = shuffleLines(random, text);
  }
  return text.replace(/\p{Surrogate}/gu, "");
}

function shuffleLines(random, text) {
  const lines = text.split("\n");
  const from = Math.floor(random() * lines.length);
  const [line] = lines.splice(from, 1);
  lines.splice(Math.floor(random() * (lines.length + 1)), 0, line);
  return lines.join("\n");
}

function readCorpus() {
  const cases = join(file, "../../test/grammar/cases");
  const written = readdirSync(cases).flatMap((name) =>
    readFileSync(join(cases, name), "utf8")
      .split(/^## .*\n/m)
      .slice(1)
      .map((part) => part.split(/^--$/m)[0] ?? ""),
  );
  const folder = process.env.INCIPIT_DATA;
  const data = ["integration.jsonl", "parser-cases.jsonl", "parser-probes.jsonl"].flatMap((name) =>
    folder === undefined
      ? []
      : readFileSync(join(folder, "gbnf", name), "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).grammar),
  );
  return [...written, ...data].filter((text) => text.length < 3000 && !/^[@"]/.test(text));
}

/** The child process, started again whenever it does not answer in time. */
function createOracle() {
  let child = null;
  const start = () =>
    new Promise((resolve) => {
      const limited = 'ulimit -v 3000000; exec "$0" "$@"';
      child = spawn("sh", ["-c", limited, process.execPath, file, "--child"], {
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      child.once("message", () => resolve(child));
    });
  return {
    async ask(question) {
      const current = child ?? (await start());
      return new Promise((resolve) => {
        const finish = (verdict) => {
          clearTimeout(timer);
          current.removeAllListeners();
          if (verdict === null) {
            current.kill("SIGKILL");
            child = null;
          }
          resolve(verdict);
        };
        const timer = setTimeout(() => finish(null), timeLimit);
        current.once("message", finish);
        current.once("exit", () => finish(null));
        current.send(question);
      });
    },
    close: () => child?.kill(),
  };
}

function draw(random, list) {
  return list[Math.floor(random() * list.length)];
}

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
  };
}
