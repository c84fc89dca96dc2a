/** The keys and tokens in recorded traffic, so that the reports mask them and a response that repeats one is found. */
import type { Exchange } from '../http/exchange.ts';
import type { Provider } from '../provider.ts';

export function withSecretsOf(exchanges: readonly Exchange[], provider: Provider): Provider {
  const keys = new Set(exchanges.map(({ request }) => keyIn(request.headers.authorization ?? '')));
  const tokens = new Set(exchanges.flatMap(({ request }) => tokensIn(request.path)));
  return {
    ...provider,
    tenants: [...keys].filter((key) => key !== '').map((api_key) => ({ api_key })),
    access_tokens: [...tokens].map((token) => ({ tenant: '', product: null, role: 'access', token })),
  };
}

/** The header without its scheme. */
function keyIn(authorization: string): string {
  return authorization.replace(/^\S+\s+/, '').trim();
}

function tokensIn(path: string): string[] {
  return new URLSearchParams(path.split('?').slice(1).join('?')).getAll('zugang').filter((token) => token !== '');
}
