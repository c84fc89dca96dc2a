/** Prism as a library: it gives the examples of the contract. It is an optional dependency, so it is loaded on use. */

import { type Operation, readDocument } from '@product-passport/openapi';
import { OperatorError } from '../operator-error.ts';

/** The version that the server is tested with, as in its package.json. */
const version = '5.16.0';

/** The oldest Node in which Prism runs: major, then minor version. */
const oldestNode: readonly [number, number] = [24, 18];

/** A documented response of an operation. */
export interface Selection {
  status: string;
  /** `undefined` if the response has no content. */
  mediaType: string | undefined;
  /** `undefined` means the first example. */
  example: string | undefined;
}

/** An example of the contract. */
export interface MockResponse {
  /** With lower-case names. */
  headers: Record<string, string>;
  body: unknown;
}

/** Gives the selected example of an operation. */
export type Prism = (operation: Operation, selection: Selection) => Promise<MockResponse>;

/** @throws OperatorError if this Node is too old, or Prism is not installed */
export async function loadPrism(): Promise<Prism> {
  const { createInstance, getHttpOperationsFromSpec } = await importPrism();
  const resources = await getHttpOperationsFromSpec(readDocument());
  const config = {
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    isProxy: false as const,
    mock: { dynamic: false },
  };
  const prism = createInstance(config, { logger: silentLogger() });
  return async ({ operationId, method, path }, { status, mediaType, example }) => {
    const outcome = await prism.request(
      // The contract has validated the request. Prism needs only a path that matches.
      { method: method.toLowerCase() as 'get', url: { path } },
      resources.filter(({ iid }) => iid === operationId),
      {
        ...config,
        mock: {
          ...config.mock,
          code: Number(status),
          ...(mediaType !== undefined && { mediaTypes: [mediaType] }),
          ...(example !== undefined && { exampleKey: example }),
        },
      },
    )();
    if (outcome._tag === 'Left') throw outcome.left;
    const { output } = outcome.right;
    return {
      headers: Object.fromEntries(
        Object.entries(output.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
      ),
      body: output.body,
    };
  };
}

async function importPrism() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    throw new OperatorError(
      `the mock needs Node ${oldestNode.join('.')} or later, because Prism does. This is Node ${process.versions.node}.`,
    );
  }
  try {
    return await import('@stoplight/prism-http');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      `the mock needs Prism, which is not installed. Install it: npm install @stoplight/prism-http@${version}`,
    );
  }
}

/** Prism logs keys, queries and bodies. The mock has a log of its own. */
function silentLogger() {
  const ignore = () => undefined;
  const logger = { child: () => logger, debug: ignore, info: ignore, success: ignore, warn: ignore, error: ignore };
  return logger as never;
}
