// Pact's native part would report every run to a third party. It reads the process's own environment.
process.env.PACT_DO_NOT_TRACK = 'true';

/** ESM TypeScript through SWC; Node's own module loader does the rest. */
export default {
  testEnvironment: 'node',
  // A CommonJS module in Jest looks up its globals slowly, and Hapi and Joi use these often. As arguments they are quick.
  // Not those that a dependency declares itself (Buffer, URL, process) or that fake timers replace (Date).
  sandboxInjectedGlobals: [
    'Array',
    'Error',
    'Map',
    'Math',
    'Number',
    'Object',
    'Promise',
    'RegExp',
    'Set',
    'String',
    'Symbol',
  ],
  testMatch: ['<rootDir>/{test,contracts}/**/*.test.ts'],
  // Built packages have the names of their workspaces.
  modulePathIgnorePatterns: ['<rootDir>/[^/]+/dist'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/sequencer.js',
  // Many tests wait for a process or a database and leave the processor to others.
  maxWorkers: '100%',
  testTimeout: 60_000,
};
