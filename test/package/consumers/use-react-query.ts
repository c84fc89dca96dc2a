import type { Client } from '@product-passport/sdk';
import createQueryClient from 'openapi-react-query';

/** Only the compiler reads it. */
export function usePlan(client: Client): string {
  const api = createQueryClient(client.http);
  const { data } = api.useSuspenseQuery('get', '/api/v1/me');
  const plan: string = data.tenant.plan;
  const { mutate } = api.useMutation('put', '/api/v1/products/{slug}/passport');
  mutate({ params: { path: { slug: 'helm' } }, body: [{ field_key: 'weight', value: 80 }] });
  // @ts-expect-error: the path has a slug
  api.useQuery('get', '/api/v1/products/{slug}');
  // @ts-expect-error: a path of the public side
  api.useQuery('get', '/p/{tenant}/{product}');
  return plan;
}
