import { expect, jest, test } from '@jest/globals';
import { createLog, SummedWarning } from '../../../server/src/log/log.ts';

test('the log has the type, message, stack and code of an error, and none of its other properties', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const secret = new Error('geheim');
  const error = Object.assign(new RangeError('out', { cause: secret }), {
    code: '42P01',
    bindings: ['geheim'],
    connection: { password: 'geheim' },
    errors: [secret],
  });
  log.error({ err: error }, 'failed');
  log.error({ err: 'geheim' }, 'failed');
  log.error(error);
  const err = { type: 'RangeError', message: 'out', stack: error.stack, code: '42P01' };
  expect(lines.map((line) => JSON.parse(line).err)).toEqual([err, { type: 'string' }, err]);
});

test('summed warnings are logged at most once a minute, in one line with their number', () => {
  jest.useFakeTimers();
  try {
    const logged: number[] = [];
    const losses = new SummedWarning(60_000, (count) => void logged.push(count));
    const full = new Error('full');
    losses.add(2, full);
    for (let second = 0; second < 59; second += 1) {
      losses.add(1, full);
      jest.advanceTimersByTime(1000);
    }
    expect(logged).toEqual([2]);
    jest.advanceTimersByTime(1000);
    expect(logged).toEqual([2, 59]);
    losses.add(3, full);
    jest.advanceTimersByTime(59_999);
    expect(logged).toEqual([2, 59]);
    // Silence after the last loss starts over.
    jest.advanceTimersByTime(600_001);
    losses.add(4, full);
    losses.add(5, full);
    expect(logged).toEqual([2, 59, 3, 4]);
    losses.flush();
    losses.add(6, full);
    expect(logged).toEqual([2, 59, 3, 4, 5, 6]);
  } finally {
    jest.useRealTimers();
  }
});
