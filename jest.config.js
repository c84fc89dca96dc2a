// Pact's native part would report every run to a third party. It reads the process's own environment.
process.env.PACT_DO_NOT_TRACK = 'true';

/**
 * Large CommonJS packages, loaded once for each worker. Not a package that keeps state that a test file changes (undici), and not
 * one that tests a class of its caller with `instanceof`, except `Error`.
 */
const loadedOnce = [
  '@hapi/[^/]+',
  'ajv',
  'ajv-formats',
  'joi',
  'knex',
  'negotiator',
  'pg',
  'pino',
  'rate-limiter-flexible',
  'sqlite3',
  'typescript',
];

/** What `npm run test:all`, which names all folders, adds to the suite, the unit tests and both databases of `npm test`. */
const wholePrograms = {
  'wrong providers': ['contracts/conformance/generation', 'contracts/mutants/provider', 'test/contracts'],
  packages: ['test/package', 'test/project'],
  browser: ['test/browser'],
  faults: ['test/faults'],
  'examples and docs': ['test/examples', 'test/docs'],
};

/** `npm test -- test/browser` runs the tests that it names, `npm test -- --findRelatedTests FILE` all that import the file. */
const namesTests = process.argv
  .slice(2)
  .some((word) => /^(test|contracts)(\/|$)|\.test\.ts$|^--findRelatedTests$/.test(word));
/** It needs a cluster, and `npm run test:distributed` names it. */
const needCluster = process.env.TEST_CITUS_NODES ? [] : ['test/distributed'];
const leftOut = [...(namesTests ? [] : Object.values(wholePrograms).flat()), ...needCluster];

/** ESM TypeScript through SWC; Node's own module loader does the rest. */
export default {
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironment: '<rootDir>/test/support/environment.js',
  testMatch: ['<rootDir>/{test,contracts}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...leftOut.map((folder) => `<rootDir>/${folder}/`)],
  // Built packages have the names of their workspaces.
  modulePathIgnorePatterns: ['<rootDir>/[^/]+/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  // Packages have a transform too.
  transformIgnorePatterns: [],
  transform: {
    [`/node_modules/(${loadedOnce.join('|')})/.*\\.c?js$`]: '<rootDir>/test/support/transform.js',
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/sequencer.js',
  // More than there are processors on a small machine: many tests wait for a process or a database.
  maxWorkers: 4,
  // Modules of finished test files are not always freed.
  workerIdleMemoryLimit: '1.5GB',
  // All workers end at once, and each frees some 500 MB first. On a busy machine that takes longer than Jest's half second.
  workerGracefulExitTimeout: 10_000,
  testTimeout: 60_000,
};
