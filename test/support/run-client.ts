/** Requests something that all test files of a run share from `run-server.ts`. */
export async function askRun(method: 'POST' | 'DELETE', what: string, body?: string): Promise<string> {
  const run = process.env.TEST_RUN;
  if (!run) throw new Error('TEST_RUN is not set: start the tests with Jest, whose global setup sets it.');
  const response = await fetch(new URL(what, run), { method, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
