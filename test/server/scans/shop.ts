/** A tenant with one active product, and what is stored of its scans. */

import type { Database } from '../../support/database.ts';
import type { Call, Client, Reply, Service } from '../../support/service.ts';

export const day = 86_400_000;

export class Shop {
  readonly client: Client;
  readonly productId: string;

  private constructor(client: Client, productId: string) {
    this.client = client;
    this.productId = productId;
  }

  static async open(service: Service): Promise<Shop> {
    const client = await service.newTenant();
    const { id, slug } = await client.create({ name: 'Tasse', gtin: '4006381333931' });
    await service.activate(client, slug);
    return new Shop(client, id);
  }

  /** A scan of the product, as the recorder stores it. */
  get scan() {
    return { tenantId: this.client.tenant.id, productId: this.productId, role: 'consumer', visitorHash: 'x' } as const;
  }

  view(call: Partial<Call> = {}): Promise<Reply> {
    return this.client.call({ path: `/p/${this.client.tenant.slug}/tasse`, key: null, ...call });
  }

  async total(): Promise<number> {
    return (await this.client.scans({ days: 365 })).total;
  }

  rows(database: Database): Promise<{ scanned_at: string; role: string; visitor_hash: string }[]> {
    return database('scans').where('tenant_id', this.client.tenant.id).orderBy('scanned_at').select();
  }
}

export async function eventually(reached: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await reached())) {
    if (Date.now() > deadline) throw new Error('The condition did not become true in 10 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
