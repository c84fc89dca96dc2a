import Sequencer from '@jest/test-sequencer';

/** Folders and files whose tests take longest, the longest first. */
const slow = [
  'test/sdk/abort.test.ts', // collects garbage again and again: the fewer objects, the quicker
  'test/examples/inventory-sync.test.ts',
  'test/browser/',
  'contracts/provider/provider.test.ts',
  'test/server/hanging-postgres.test.ts',
  'test/server/refused-connections.test.ts',
  'test/server/lost-scans.test.ts',
  'test/cli/logging.test.ts',
  'test/server/passport-attack.test.ts',
  'test/package/',
  'test/contract/generators.test.ts',
  'test/project/publishing.test.ts',
  'test/server/scan-recording.test.ts',
  'test/server/salted-versions.test.ts',
  'test/docs/',
  'test/examples/',
  'contracts/lint/',
];

/** Starts the slow files first, also on a fresh clone, where Jest knows no durations: none is left for the end. */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const at = slow.findIndex((name) => path.includes(name));
      return at < 0 ? slow.length : at;
    };
    return [...super.sort(tests)].sort((one, other) => place(one) - place(other));
  }
}
