import { server as createHapi } from '@hapi/hapi';
import { describe, expect, test } from '@jest/globals';
import { Admission, FairQueue, Shares } from '../../../server/src/http/admission.ts';

describe('shares', () => {
  test('one party may hold half, three a quarter each, and a new one always finds a unit', () => {
    const alone = new Shares(100);
    const taken = (shares: Shares, party: string): number => {
      let count = 0;
      while (shares.take(party)) count += 1;
      return count;
    };
    expect(taken(alone, 'a')).toBe(50);
    expect(taken(alone, 'b')).toBe(25);
    const three = new Shares(100);
    const held = { a: 0, b: 0, c: 0 };
    for (let count = 0; count < 100; count += 1) {
      for (const party of ['a', 'b', 'c'] as const) if (three.take(party)) held[party] += 1;
    }
    expect(held).toEqual({ a: 25, b: 25, c: 25 });
    expect(three.take('d')).toBe(true);
    three.give('a', 25);
    expect(three.used).toBe(51);
    expect(taken(new Shares(1), 'a')).toBe(1);
    const few = new Shares(8);
    expect(taken(few, 'a')).toBe(4);
    few.give('a', 3);
    expect(taken(few, 'a')).toBe(3);
  });

  test('a queue starts few requests in each turn, and parties alternate', async () => {
    const queue = new FairQueue(() => 2);
    const started: string[] = [];
    const turns = ['a', 'a', 'a', 'a', 'b', 'c'].map((party) => queue.turn(party).then(() => started.push(party)));
    const order: string[] = [];
    while (started.length < turns.length && order.length < 10) {
      // The queue begins its turn before this one.
      await new Promise((resolve) => setImmediate(resolve));
      order.push(started.join(''));
    }
    expect(order).toEqual(['aab', 'aabca', 'aabcaa']);
  });
});

test.each([
  { when: 'no request with a key runs', max: 16 },
  { when: 'a request with a key runs', max: 1 },
  { when: 'the server looks up a key', max: 1 },
])('while $when, a turn starts up to $max without a key', async ({ when, max }) => {
  const tenant = { id: 'a', slug: 'a', name: 'A', country: 'IE', plan: 'business' as const };
  const { promise: end, resolve: endKeyed } = Promise.withResolvers<string>();
  const admission = new Admission({
    requests: 0,
    bodyBytes: 0,
    responseTimeout: 1000,
    proxies: 0,
    async findKey() {
      if (when === 'the server looks up a key') await end;
      return { tenant, id: 'k', label: '', scope: 'edit' };
    },
    log: { warn: () => undefined },
  });
  const server = createHapi();
  admission.register(server);
  let started = 0;
  server.route([
    { method: 'GET', path: '/keyless', handler: () => `${++started}` },
    { method: 'GET', path: '/keyed', handler: () => end },
  ]);
  const keyed = when.startsWith('no')
    ? undefined
    : server.inject({ url: '/keyed', headers: { authorization: 'Bearer key' } });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let count = 0; count < 5; count += 1) await turn();
  const keyless = Array.from({ length: 80 }, () => server.inject('/keyless'));
  const inTurns: number[] = [];
  while (started < keyless.length && inTurns.length < 1000) {
    const before = started;
    await turn();
    inTurns.push(started - before);
  }
  expect(started).toBe(keyless.length);
  endKeyed('ended');
  await Promise.all([...keyless, keyed]);
  // The first turns also start what found the queue free.
  expect(Math.max(...inTurns.slice(3))).toBe(max);
});

test('a body that comes in many chunks holds its room as one, and gives all of it back', async () => {
  const limits = { requests: 0, bodyBytes: 100, responseTimeout: 1000, proxies: 0 };
  const admission = new Admission({ ...limits, findKey: async () => undefined, log: { warn: () => undefined } });
  const server = createHapi();
  admission.register(server);
  const held: (number | undefined)[] = [];
  server.route({
    method: 'GET',
    path: '/',
    handler(request) {
      // One tenant may have half of the room.
      for (let chunk = 0; chunk < 50; chunk += 1) admission.takeRoom(request, 'a', 1);
      expect(() => admission.takeRoom(request, 'a', 1)).toThrow();
      held.push(request.app.held?.length);
      return '';
    },
  });
  for (let times = 0; times < 2; times += 1) expect((await server.inject('/')).statusCode).toBe(204);
  // With the slot of the request.
  expect(held).toEqual([2, 2]);
});
