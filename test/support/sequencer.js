import Sequencer from '@jest/test-sequencer';

/** Folders and files whose tests take longest, the longest first. */
const slow = [
  'test/sdk/abort.test.ts', // collects garbage again and again: the fewer objects, the quicker
  'contracts/mutants/provider/mutants.test.ts',
  'test/contracts/conformance/verdict.test.ts',
  'test/docs/readme.test.ts',
  'test/package/',
  'test/browser/',
  'test/faults/search-property.test.ts',
  'test/examples/',
  'test/faults/hanging-postgres.test.ts',
  'test/faults/',
  'contracts/mutants/',
  'test/contracts/mutants/',
  'contracts/conformance/generation/',
  'contracts/provider/',
  'test/server/scans/recorder.test.ts',
  'test/server/cli/databases.test.ts',
  'test/server/passports/passport-writes.test.ts',
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
