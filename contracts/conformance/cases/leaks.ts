/** LEAK: no response of the run contains a key, a stack trace, or another tenant's data. They fail for every claim. */
import type { Exchange } from '../http/exchange.ts';
import type { WholeRun, WholeRunCase, WholeRunFindings } from '../whole-run.ts';

const errors = '/info/description';

export const leaks: readonly WholeRunCase[] = [
  {
    id: 'AUTH-6.key-in-response',
    title: 'No response contains an API key.',
    claim: 'core',
    clause: errors,
    findings: ({ exchanges, provider }) => {
      const keys = [...(provider.tenants ?? []).map(({ api_key }) => api_key), provider.revoked_api_key];
      const secrets = keys.filter((key): key is string => key !== undefined);
      return search(exchanges, (text) => secrets.some((secret) => text.includes(secret)), 'contains an API key');
    },
  },
];

function search(exchanges: WholeRun['exchanges'], isLeak: (text: string) => boolean, what: string): WholeRunFindings {
  const examples = exchanges.filter((exchange) => isLeak(wholeResponse(exchange)));
  return {
    exercised: exchanges.some(({ response }) => response !== undefined),
    reasons: examples.map(({ request }) => `the response to ${request.method} ${request.path} ${what}`),
    warnings: [],
    examples: examples.slice(0, 5),
  };
}

function wholeResponse({ response }: Exchange): string {
  return response === undefined ? '' : `${JSON.stringify(response.headers)}\n${response.text}`;
}
