/** Loaded into every program of the bench (`node --import`). It reports the state of its process to the bench. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The state of a process. */
export interface Probe {
  /** Resident memory in bytes. */
  rss: number;
  /** Processor time since the start, in milliseconds. */
  cpu: number;
  /** The longest block of the event loop since the last probe with `watch`, in milliseconds. */
  block: number;
}

const delay = monitorEventLoopDelay({ resolution: 1 });

process.on('message', (request: { watch: boolean }) => {
  const { user, system } = process.cpuUsage();
  const probe: Probe = { rss: process.memoryUsage.rss(), cpu: (user + system) / 1000, block: delay.max / 1e6 };
  process.send?.(probe);
  delay.reset();
  if (request.watch) delay.enable();
  else delay.disable();
});
// A program that the bench leaves behind must not go on running.
process.on('disconnect', () => process.exit());
process.channel?.unref();
