/** The packages that `npm run build` builds, one entry for each. */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDocument } from '../openapi/src/index.ts';

export type Format = 'esm' | 'cjs';

export interface Package {
  /** The folder of the workspace. Its manifest names the entries: the sources in `exports` and `bin`. */
  readonly workspace: string;
  /** The folder of the sources in the workspace. */
  readonly sources: string;
  /** The formats of the modules. Each is the folder in the package that `sources` becomes. */
  readonly formats: Readonly<Partial<Record<Format, string>>>;
  /** `any` has no types of Node: the package runs in every runtime with `fetch`. */
  readonly runtime: 'node' | 'any';
  /**
   * Types of another workspace that the package carries instead of depending on it: the module in the checkout, and its
   * path among the package's modules.
   */
  readonly types?: Readonly<Record<string, string>>;
  /** Files of the package that no program imports as a module, by their path in the package. */
  readonly files?: Readonly<Record<string, Content>>;
  /** Entries that only the built package has, because their files are not in the workspace. */
  readonly exports?: Readonly<Record<string, string>>;
}

/** A file or folder of the checkout, or a function that makes the text. */
export type Content = string | (() => string);

const root = fileURLToPath(new URL('..', import.meta.url));

export const packages: readonly Package[] = [
  {
    workspace: 'openapi',
    // Not `src`: from esm/src, as from openapi/src, the contract is at ../../openapi.yaml.
    sources: '.',
    formats: { esm: 'esm' },
    runtime: 'node',
    files: {
      'openapi.yaml': 'openapi.yaml',
      'openapi.json': () => `${JSON.stringify(readDocument(), null, 2)}\n`,
      'pact.json': 'contracts/pacts/product-passport-sdk-product-passport-service.json',
      ...schemas(),
    },
    exports: {
      './openapi.yaml': './openapi.yaml',
      './openapi.json': './openapi.json',
      './pact.json': './pact.json',
      './schemas/*': './schemas/*',
    },
  },
  {
    workspace: 'contracts',
    // The modules read files beside them, so every file has the same path as in the workspace.
    sources: '.',
    formats: { esm: '.' },
    runtime: 'node',
    files: {
      'README.md': 'contracts/conformance/README.md',
      'case-ids.txt': 'contracts/conformance/case-ids.txt',
      schemas: 'contracts/schemas',
      'conformance/report/views': 'contracts/conformance/report/views',
    },
  },
  {
    workspace: 'server',
    // The modules read files beside them, so every file has the same path as in the workspace.
    sources: '.',
    formats: { esm: '.' },
    runtime: 'node',
    files: {
      data: 'server/data',
      'src/carriers/views': 'server/src/carriers/views',
      'src/docs/views': 'server/src/docs/views',
      'src/site/views': 'server/src/site/views',
    },
  },
  {
    workspace: 'sdk',
    sources: 'src',
    formats: { esm: 'esm', cjs: 'cjs' },
    runtime: 'any',
    types: { 'openapi/src/generated/types.ts': 'generated/types.ts' },
    files: { 'openapi.yaml': 'openapi.yaml', 'api.md': 'sdk/api.md' },
    exports: { './openapi.yaml': './openapi.yaml' },
  },
];

/** The JSON Schemas of the checkout: those made from the contract, and those written by hand. */
function schemas(): Record<string, string> {
  const files = globSync('contracts/{generated,schemas}/*.schema.json', { cwd: root });
  return Object.fromEntries(files.map((file) => [`schemas/${basename(file)}`, file]));
}
