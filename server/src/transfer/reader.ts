import { createHash, type Hash } from 'node:crypto';
import { lineCheck } from './check.ts';
import type { Header, Line } from './format.ts';
import { parseLine, type RawLine, RefusedLine, splitLines } from './lines.ts';

/** A line that was checked. */
export interface ReadLine {
  number: number;
  line: Line;
  /** Its length in bytes. */
  size: number;
}

/** Where a type of line may stand. */
const places: Record<Line['type'], 'header' | 'before' | 'inside' | 'trailer'> = {
  header: 'header',
  secret: 'before',
  token_secret: 'before',
  audit_entries: 'before',
  tenant: 'before',
  product: 'inside',
  versions: 'inside',
  carriers: 'inside',
  scan_counts: 'inside',
  scans: 'inside',
  access_tokens: 'inside',
  api_keys: 'inside',
  image: 'inside',
  history: 'inside',
  tenant_end: 'inside',
  trailer: 'trailer',
};

/** Types that only a header with `secrets` allows, and types that only a backup has. */
const secretTypes = new Set<string>(['token_secret', 'access_tokens', 'api_keys']);
const backupTypes = new Set<string>(['secret', 'audit_entries', 'scans', 'history']);

/** Reads the lines of an export, and checks each of them and their order. */
export class ExportReader {
  readonly #kind: Header['kind'];
  readonly #check = lineCheck();
  /** Of the bytes from the second line to the last one that was read. */
  readonly #digest: Hash = createHash('sha256');
  #header: Header | undefined;
  #isInside = false;
  #tenants = 0;
  #isEnded = false;
  #number = 0;

  constructor(kind: Header['kind']) {
    this.#kind = kind;
  }

  /** @throws RefusedLine */
  async *read(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadLine> {
    for await (const raw of splitLines(chunks)) {
      this.#number = raw.number;
      yield { number: raw.number, line: this.#readLine(raw), size: raw.bytes.length };
    }
    if (!this.#isEnded) {
      throw new RefusedLine(
        this.#number + 1,
        'the file ends here, without its trailer. It was cut: copy the whole file again, or export it again.',
      );
    }
  }

  #readLine(raw: RawLine): Line {
    if (this.#isEnded) throw new RefusedLine(raw.number, 'it stands behind the trailer.');
    const line = this.#check.check(raw.number, parseLine(raw));
    this.#refuseDisorder(raw.number, line);
    if (line.type === 'trailer') this.#refuseChange(raw.number, line.lines, line.sha256);
    else if (line.type !== 'header') this.#digest.update(raw.bytes).update('\n');
    return line;
  }

  #refuseChange(number: number, lines: number, sha256: string): void {
    this.#isEnded = true;
    if (lines === number - 1 && sha256 === this.#digest.digest('hex')) return;
    throw new RefusedLine(
      number,
      'the trailer does not fit the lines before it. The file was changed. Export it again.',
    );
  }

  #refuseDisorder(number: number, line: Line): void {
    const { type } = line;
    const fault = this.#disorder(number, type);
    if (fault) throw new RefusedLine(number, fault);
    if (type === 'header') this.#takeHeader(line);
    if (type === 'tenant') {
      this.#isInside = true;
      this.#tenants += 1;
    }
    if (type === 'tenant_end') this.#isInside = false;
  }

  #disorder(number: number, type: Line['type']): string | undefined {
    const place = places[type];
    if ((place === 'header') !== (number === 1)) return 'only the first line is the header.';
    if (place !== 'header' && (place === 'inside') !== this.#isInside)
      return `a line of the type ${type} cannot stand here.`;
    if (secretTypes.has(type) && !this.#header?.secrets)
      return `the header has no secrets, but the line is of the type ${type}.`;
    if (this.#kind === 'all') return undefined;
    if (backupTypes.has(type)) return `only a backup has lines of the type ${type}.`;
    if (type === 'tenant' && this.#tenants === 1) return 'an export has one tenant.';
    return type === 'trailer' && this.#tenants === 0 ? 'the file has no tenant.' : undefined;
  }

  #takeHeader(header: Header): void {
    this.#header = header;
    if (header.kind === this.#kind) return;
    const advice =
      this.#kind === 'tenant' ? 'is a backup of all tenants. Use `restore`' : 'has one tenant. Use `import`';
    throw new RefusedLine(1, `the file ${advice}.`);
  }
}
