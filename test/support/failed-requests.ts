/** In the report of a failed test: why its servers responded with 500. */

declare global {
  /** `environment.js` defines it. */
  var noteFailedRequest: ((reason: string) => void) | undefined;
}

/** Takes the lines of a server's log. */
export function noteFailedRequests(log: string): void {
  for (const line of log.split('\n')) {
    if (!line.includes('"msg":"request failed"')) continue;
    const { method, route, err } = JSON.parse(line);
    globalThis.noteFailedRequest?.(`The server responded with 500 to ${method} ${route}: ${err.stack}`);
  }
}
