/** The reference server inside a program of your own. */
export { type AppOptions, createApp } from './app.ts';
export { type OpenOptions, openDatabase, UnusableDatabase } from './database/open.ts';
export type { Log } from './log/log.ts';
export { Metrics } from './metrics/metrics.ts';
