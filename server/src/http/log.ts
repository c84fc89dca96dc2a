import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Writes one JSON object a line, to standard error, so that standard output stays for answers of the command line. */
export function createLog(level = 'info', to: DestinationStream = destination({ dest: 2, sync: true })): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, to);
}
