import config, { slowFolders } from './jest.config.js';

/** The tests that `npm test` leaves out. */
export default {
  ...config,
  testMatch: slowFolders.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
  testPathIgnorePatterns: ['/node_modules/'],
};
