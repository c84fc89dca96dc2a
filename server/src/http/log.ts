import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Writes one JSON object a line, to standard error, so that standard output stays for answers of the command line. */
export function createLog(level = 'info', to: DestinationStream = destination({ dest: 2, sync: true })): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorInLog } }, to);
}

/** What is logged of an error. Libraries hang more on theirs: what clients sent, options of the connection. */
function errorInLog(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name: type, message, stack, code } = error as NodeJS.ErrnoException;
  return { type, message, stack, code };
}
