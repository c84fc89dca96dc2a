/** All requests of one run of the conformance suite against the reference server. */
import { claims } from '../conformance/claims.ts';
import { openConnection } from '../conformance/http/connection.ts';
import type { Exchange } from '../conformance/http/exchange.ts';
import { addressesOf, type Provider } from '../conformance/provider.ts';
import { startProvider } from '../conformance/start.ts';
import { verify } from '../conformance/verify.ts';

const server = 'product-passport serve --demo --json --port 0 --database :memory: --log-level silent';

/** @throws Error when the server is not conformant: its responses would prove nothing. */
export async function recordedRun(command = server): Promise<readonly Exchange[]> {
  const started = await startProvider(command);
  const exchanges: Exchange[] = [];
  try {
    const provider = JSON.parse(started.line) as Provider;
    const connection = openConnection(addressesOf(provider), { timeout: 60_000 });
    const run = await verify({
      provider,
      claims,
      // How many requests are generated depends on the time they take. The matrix must not.
      generated: 0,
      connection: {
        async send(request) {
          const response = await connection.send(request);
          const facts = { caseId: '', purpose: 'valid', sentAt: '', milliseconds: 0 } as const;
          exchanges.push({ ...facts, request, response });
          return response;
        },
        close: () => connection.close(),
      },
    });
    if (run.verdict !== 'conformant') throw new Error(`The reference server is ${run.verdict}: ${run.because}`);
    return exchanges;
  } finally {
    await started.stop();
  }
}
