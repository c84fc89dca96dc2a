/** ESM TypeScript through SWC; Node's own module loader does the rest. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{test,contracts}/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  // Many tests wait for a process or a database and leave the processor to others.
  maxWorkers: '100%',
  testTimeout: 30_000,
};
