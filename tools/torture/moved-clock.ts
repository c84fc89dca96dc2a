/** A preload that moves the clock of a process back by an hour at `SIGUSR2`, and forth again at the next one. */
const hour = 3_600_000;
const now = Date.now.bind(Date);
let offset = 0;

process.on('SIGUSR2', () => {
  offset = offset === 0 ? -hour : 0;
});
Date.now = () => now() + offset;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [target.now()] : given, newTarget),
});
