import type { Knex } from 'knex';
import { adoptSecret } from '../access/secrets.ts';
import { findTenant, type Tenant } from '../tenants/store.ts';
import { Batch, storeLines } from './batch.ts';
import { countProblem } from './counts.ts';
import type { TenantEnd, TenantLine, TokenSecretLine } from './format.ts';
import { findImport, hiddenSlug, type Import, insertImport, moveImport } from './imports.ts';
import { RefusedLine } from './lines.ts';
import { ExportReader, type ReadLine } from './reader.ts';
import { revealKeys, type WriteOptions } from './write.ts';

/** Secrets of tokens in memory. An installation has a few. */
const mostSecrets = 1000;

export interface ImportOptions {
  database: Knex;
  /** Accepts an active product whose GTIN is active under another tenant. */
  shareGtin: boolean;
  now: () => Date;
  /** Receives the number of products that are stored. */
  progress?: (products: number) => void;
  /** Runs in the transaction that shows the tenant. */
  shown?: (transaction: Knex.Transaction) => Promise<void>;
}

/**
 * The import of one tenant. It is stored in several transactions, hidden until all of it is there. Each transaction also
 * notes how far the import has come. After a kill, the same file continues there, and no line is stored twice.
 */
export class TenantImport {
  readonly #options: ImportOptions;
  readonly #reader = new ExportReader('tenant');
  readonly #batch = new Batch();
  readonly #secrets: { number: number; line: TokenSecretLine }[] = [];
  #tenant: TenantLine | undefined;
  #end: { number: number; line: TenantEnd } | undefined;
  /** What is noted in the database. */
  #noted: Import | undefined;
  #products = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  /** The tenant, once its line was read. */
  get tenant(): Tenant | undefined {
    return this.#tenant?.tenant;
  }

  /** The number of the last line that is stored; `undefined` if nothing is. */
  get stored(): number | undefined {
    return this.#noted?.lines;
  }

  /**
   * Imports a file.
   *
   * @returns how many products it has, and whether it was imported before
   * @throws RefusedLine
   */
  async run(chunks: AsyncIterable<Buffer>): Promise<{ products: number; isOld: boolean }> {
    for await (const read of this.#reader.read(chunks)) await this.#take(read);
    const isOld = typeof this.#noted?.finished_at === 'string';
    if (!isOld) await this.#finish();
    return { products: this.#end?.line.counts.products ?? this.#products, isOld };
  }

  async #take(read: ReadLine): Promise<void> {
    const { number, line } = read;
    switch (line.type) {
      case 'header':
      case 'secret':
      case 'audit_entries':
      case 'history':
      case 'trailer':
        return;
      case 'token_secret':
        this.#secrets.push({ number, line });
        if (this.#secrets.length > mostSecrets) throw new RefusedLine(number, 'the file has too many secrets.');
        return;
      case 'tenant':
        return this.#begin(number, line);
      case 'tenant_end':
        await this.#store(this.#reader.digestBeforeEnd);
        this.#end = { number, line };
        return;
      default:
        if (line.type === 'product') this.#products += 1;
        this.#batch.add(read, line);
        if (this.#batch.isFull) await this.#store(this.#reader.digest);
    }
  }

  /** Finds out whether the tenant is new, or its import continues. */
  async #begin(number: number, line: TenantLine): Promise<void> {
    const { database } = this.#options;
    this.#tenant = line;
    const { id, slug } = line.tenant;
    const before = await findImport(database, id);
    if (before) {
      this.#noted = before;
      this.#reader.stored = before;
      const row = await database('product_counts').where({ tenant_id: id }).first('draft', 'active', 'archived');
      this.#products = row ? row.draft + row.active + row.archived : 0;
      return;
    }
    const isThere = (await database('tenants').where({ id }).first('id')) !== undefined;
    const isTaken = (await findTenant(database, slug)) ?? (await findTenant(database, hiddenSlug(slug)));
    if (!isThere && !isTaken) return;
    const fault = isThere
      ? `the tenant ${slug} is already in this database`
      : `another tenant has the slug ${slug}, or is being imported under it`;
    throw new RefusedLine(number, `${fault}. An import does not change a tenant. Import into another database.`);
  }

  get #writing(): WriteOptions {
    return { tenantId: this.#tenant?.tenant.id ?? '', shareGtin: this.#options.shareGtin, hidden: true };
  }

  /** @param digest up to the last line of the batch */
  async #store(digest: string): Promise<void> {
    const contents = this.#batch.take();
    const last = contents.at(-1);
    if (!last) return;
    const place = { lines: last.number, digest };
    let noted: Import | undefined;
    await storeLines(this.#options.database, contents, this.#writing, async (transaction) => {
      noted = await this.#note(transaction, place);
    });
    this.#noted = noted;
    this.#options.progress?.(this.#products);
  }

  /** Notes a place, and creates the hidden tenant before the first one. */
  async #note(transaction: Knex.Transaction, place: Partial<Import>): Promise<Import> {
    const line = this.#tenant;
    if (!line) throw new Error('A line was stored before its tenant.');
    const { id: tenant_id, slug } = line.tenant;
    const before = this.#noted;
    if (before) {
      if (await moveImport(transaction, tenant_id, before, place)) return { ...before, ...place };
      throw new RefusedLine(place.lines ?? 0, `another process imports the tenant ${slug}. Wait until it has ended.`);
    }
    const started_at = this.#options.now().toISOString();
    const { created_at, color = null, listed_at = null } = line;
    await transaction('tenants').insert({ ...line.tenant, slug: hiddenSlug(slug), created_at, color, listed_at });
    const row: Import = { tenant_id, lines: 0, digest: '', started_at, finished_at: null, ...place };
    await insertImport(transaction, row);
    return row;
  }

  /** Shows the tenant, if it is complete. */
  async #finish(): Promise<void> {
    const end = this.#end;
    const { database, now, shown } = this.#options;
    if (!end || !this.#tenant) throw new Error('The reader ended without a tenant.');
    const { id, slug } = this.#tenant.tenant;
    const place = { lines: end.number, digest: this.#reader.digest, finished_at: now().toISOString() };
    let noted: Import | undefined;
    await database.transaction(async (transaction) => {
      noted = await this.#note(transaction, place);
      const problem = await countProblem(transaction, id, end.line.counts);
      if (problem) throw new RefusedLine(end.number, problem);
      for (const { number, line } of this.#secrets) await this.#adopt(transaction, number, line);
      await revealKeys(transaction, id);
      const taken = await transaction('tenants').where({ slug }).first('id');
      if (taken) throw new RefusedLine(end.number, `another tenant took the slug ${slug} during the import.`);
      await transaction('tenants').where({ id }).update({ slug });
      await shown?.(transaction);
    });
    this.#noted = noted;
  }

  async #adopt(transaction: Knex.Transaction, number: number, line: TokenSecretLine): Promise<void> {
    const { kid, value, created_at, accepted_until } = line;
    if (accepted_until === null)
      throw new RefusedLine(number, 'accepted_until must be a time in the export of a tenant.');
    if (await adoptSecret(transaction, { kid, value, created_at, accepted_until })) return;
    const advice = 'Run `product-passport token rotate-secret` on the source, issue new tokens, and export it again';
    throw new RefusedLine(number, `this database has another secret with the same kid. ${advice}.`);
  }
}
