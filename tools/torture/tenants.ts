/** Two tenants with products of the same names, on two servers over one database: no response shows what the other has. */

import { expectThat, Finding, type Report } from './report.ts';
import { Server } from './server.ts';
import { productSlugs, Random, type Shop, type Tenant } from './workload.ts';

/** How many clients work at a time: half of them for each tenant. */
const workers = 16;

/** Each client sends at least so many requests, also on a slow machine. */
const fewestSteps = 50;

interface Isolation {
  shop: Shop;
  kind: string;
  seed: number;
  seconds: number;
}

/** A word that is in everything that a tenant writes, and in nothing else. */
const markOf = ({ slug }: Tenant): string => `${slug}-zeichen`;

const passportOf = (slug: string): string => `/api/v1/products/${slug}/passport`;

/** What one worker asks for: paths of the API with a key, and public paths without. */
class Worker {
  readonly #random: Random;
  readonly #servers: readonly Server[];
  readonly #own: Tenant;
  readonly #other: Tenant;
  /** ETags that the other tenant's responses had, by path. All workers share them. */
  readonly #tags: Map<string, string>;
  #writes = 0;

  constructor(servers: readonly Server[], own: Tenant, other: Tenant, tags: Map<string, string>, random: Random) {
    this.#servers = servers;
    this.#own = own;
    this.#other = other;
    this.#tags = tags;
    this.#random = random;
  }

  async step(): Promise<void> {
    const slug = this.#random.pick(productSlugs);
    const chance = this.#random.next();
    if (chance < 0.2) await this.#write(slug);
    else if (chance < 0.25) await this.#create();
    else await this.#read(slug);
  }

  async #write(slug: string): Promise<void> {
    this.#writes += 1;
    const json = [{ field_key: 'farbe', value: `${markOf(this.#own)} ${this.#writes}` }];
    await this.#ask({ method: 'PUT', path: passportOf(slug), key: this.#own.key, json });
  }

  async #create(): Promise<void> {
    this.#writes += 1;
    const json = { name: `${markOf(this.#own)} ${this.#writes}`, slug: 'kanne' };
    await this.#ask({ method: 'POST', path: '/api/v1/products', key: this.#own.key, json });
  }

  async #read(slug: string): Promise<void> {
    const api = [
      '/api/v1/me',
      `/api/v1/products?limit=${1 + this.#random.below(50)}&offset=${this.#random.below(20)}`,
      '/api/v1/products?search=zeichen',
      `/api/v1/products/${slug}`,
      passportOf(slug),
      `/api/v1/products/${slug}/carriers`,
      '/api/v1/analytics/scans',
    ];
    const site = `/p/${this.#own.slug}/${slug}`;
    const open = [site, `${site}?lang=de`, `${site}/jsonld`, `${site}/jsonld?version=1`];
    const path = this.#random.pick([...api, ...open]);
    const key = path.startsWith('/api') ? this.#own.key : undefined;
    // What the other tenant's response at this path had: it must not validate ours.
    const theirs = this.#tags.get(`${this.#other.slug} ${path.replace(this.#own.slug, this.#other.slug)}`);
    const isConditional = theirs !== undefined && this.#random.next() < 0.5;
    const etag = await this.#ask({ path, key, ...(isConditional && { headers: { 'if-none-match': theirs } }) });
    if (etag !== undefined) this.#tags.set(`${this.#own.slug} ${path}`, etag);
  }

  /** @returns the response's ETag */
  async #ask(ask: Parameters<Server['ask']>[0]): Promise<string | undefined> {
    const { status, headers, text } = await this.#random.pick(this.#servers).ask(ask);
    const what = `${ask.method ?? 'GET'} ${ask.path} of ${this.#own.slug}`;
    // Before the first write there is no version 1.
    expectThat(status === 200 || (status === 404 && ask.path.includes('version=')), () => `${what} got ${status}`);
    const shown = `${JSON.stringify(headers)}\n${text}`;
    for (const foreign of [markOf(this.#other), this.#other.id, this.#other.key, `/p/${this.#other.slug}/`]) {
      if (shown.includes(foreign)) throw new Finding(`${what} shows ${foreign} of ${this.#other.slug}`);
    }
    return headers.etag;
  }
}

/** The caches are on, as an operator has them. */
export async function runTenants({ shop, kind, seed, seconds }: Isolation, report: Report): Promise<void> {
  await report.round('two tenants, two servers', kind, 1, async () => {
    const options = '--rate-limit 0';
    const servers = [await Server.start(shop.address, options), await Server.start(shop.address, options)];
    const tags = new Map<string, string>();
    const end = performance.now() + seconds * 1000;
    let responses = 0;
    const work = async (index: number): Promise<void> => {
      const [own, other] = index % 2 === 0 ? shop.tenants : shop.tenants.toReversed();
      if (!own || !other) throw new Error('The shop needs two tenants.');
      const worker = new Worker(servers, own, other, tags, new Random(seed * 1000 + index));
      for (let steps = 0; steps < fewestSteps || performance.now() < end; steps += 1) {
        await worker.step();
        responses += 1;
      }
    };
    try {
      const ends = await Promise.allSettled(Array.from({ length: workers }, (_, index) => work(index)));
      const failed = ends.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      return `${responses} responses, none with a byte of the other tenant`;
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
}
