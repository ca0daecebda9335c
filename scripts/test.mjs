// npm test: installs what is missing and runs every check and test. The last line counts over all
// runners: "N passed, N failed".
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { prepareMachine } from './machine.mjs';
import { ensureNodeModules, modernNode, root, run } from './toolchain.mjs';

const results = path.join(root, 'test-results');
const E2E_REPORT = path.join(results, 'e2e.json');

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** A runner that ended badly though no test failed counts as one failure, so that nothing is hidden. */
function tally(code, passed, failed, suspect = '') {
  if (failed > 0 || code === 0) return { passed, failed };
  return { passed, failed: 1, why: `no test failed; the runner ended with code ${code}${suspect}` };
}

/** More files than this that fail are no accident of a loaded machine. */
const SECOND_LOOKS = 5;

function vitestReport(name, options) {
  const file = path.join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = run('vitest', ['run', ...reporters, ...options]);
  return { code, report: readReport(file) };
}

function failedFiles(report) {
  const files = (report?.testResults ?? []).filter((file) => file.status === 'failed');
  return files.map((file) => path.relative(root, file.name));
}

/** The names of the tests that failed, one a line: what the end of the output has to say. */
function failedTests(report) {
  return (report?.testResults ?? []).flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${path.relative(root, file.name)} › ${test.fullName}`),
  );
}

/** What may have ended a runner in which no test failed. */
function suspectOf(report, files, options) {
  if (report === undefined) return ' and left no report';
  if (files.length > 0) return `: ${files.join(', ')} could not be run`;
  return options.includes('--coverage') ? ', such as for too little coverage' : '';
}

function runVitest(name, options) {
  const { code, report } = vitestReport(name, options);
  const files = failedFiles(report);
  const suspect = suspectOf(report, files, options);
  const first = tally(code, report?.numPassedTests ?? 0, report?.numFailedTests ?? 0, suspect);
  if (files.length === 0 || files.length > SECOND_LOOKS)
    return { ...first, names: failedTests(report) };
  return secondLook(name, options, first, files);
}

/**
 * Files that failed are run once more, alone; what passes then is named, so that it gets mended.
 * Where coverage is measured too, everything is run again.
 */
function secondLook(name, options, first, files) {
  process.stdout.write(`\n== once more: ${files.join(', ')}\n`);
  const chosen = options.includes('--coverage') ? [] : files;
  const again = vitestReport(`${name}-again`, [...options, ...chosen]);
  const suspect = suspectOf(again.report, failedFiles(again.report), options);
  const second = tally(again.code, 0, again.report?.numFailedTests ?? 0, suspect);
  const mended = first.failed - second.failed;
  if (second.failed === 0) process.stdout.write(`== unsteady: ${files.join(', ')}\n`);
  const names = failedTests(again.report);
  return { ...second, passed: first.passed + Math.max(0, mended), names };
}

/** The pure rooms measure their coverage too; too little of it is a failure. */
function runPure() {
  return runVitest('pure', ['--project', 'pure', '--coverage']);
}

function runUnit() {
  return runVitest('unit', ['--project', 'server', '--project', 'renderer']);
}

function runPostgres() {
  return runVitest('postgres', ['--project', 'postgres', '--project', 'postgres-platform']);
}

async function runBuild() {
  const { ensureBuild } = await import('./build.mjs');
  ensureBuild();
  return { passed: 1, failed: 0 };
}

/** The stories that failed at both tries, one a line. */
function failedStories(suites = []) {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).filter((spec) => !spec.ok).map((spec) => `${spec.file} › ${spec.title}`),
    ...failedStories(suite.suites),
  ]);
}

async function runWindows() {
  const { runEndToEnd } = await import('./test-e2e.mjs');
  const code = await runEndToEnd();
  const report = readReport(E2E_REPORT);
  const stats = report?.stats;
  const counted = tally(code, (stats?.expected ?? 0) + (stats?.flaky ?? 0), stats?.unexpected ?? 0);
  return { ...counted, names: failedStories(report?.suites) };
}

/** Counts and ratios only: no machine is too slow for them. */
function runShortBench() {
  const code = run(modernNode(), ['test/performance/bench.ts', 'short']);
  return tally(code, code === 0 ? 1 : 0, 0);
}

async function runGates() {
  const { check } = await import('./check.mjs');
  return check();
}

ensureNodeModules();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
await prepareMachine();

const STEPS = [
  ['gates', runGates],
  ['pure tests and their coverage', runPure],
  ['server and window unit tests', runUnit],
  ['services on PostgreSQL', runPostgres],
  ['build', runBuild],
  ['window and browser tests', runWindows],
  ['short bench', runShortBench],
];
const total = { passed: 0, failed: 0 };
const failures = [];
for (const [name, step] of STEPS) {
  process.stdout.write(`\n== ${name}\n`);
  const begun = performance.now();
  const { passed, failed, why = `${failed} failed`, names = [] } = await step();
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failures.push(`failed: ${name} (${why})\n`, ...names.map((one) => `  ${one}\n`));
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  process.stdout.write(`== ${name}: ${passed} passed, ${failed} failed in ${seconds} s\n`);
}
process.stdout.write(failures.join(''));
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);
