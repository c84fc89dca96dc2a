import config, { slowFolders } from './jest.config.js';

/** The tests that `npm test` leaves out. */
export default {
  ...config,
  // These tests use the processor, and a server that gets too little of it loses scans.
  maxWorkers: '100%',
  testMatch: slowFolders.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
  testPathIgnorePatterns: ['/node_modules/'],
};
