import Sequencer from '@jest/test-sequencer';

/** The slow files, the slowest first. */
const slow = [
  'test/sdk/call.test.ts', // collects garbage again and again: the fewer objects, the quicker
  'contracts/mutants/provider/',
  'test/package/',
  'test/docs/',
  'test/examples/',
  'test/browser/',
  'test/contracts/',
  'test/faults/',
  'test/server/cli/',
  'test/server/transfer/',
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
