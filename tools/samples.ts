/** The samples of `@product-passport/sdk/testing`, from the contract's examples. */
import { type Contract, type MediaType, member } from '../openapi/src/index.ts';

interface Origin {
  readonly operationId: string;
  readonly from: 'request' | 'response';
  readonly example: string;
  /** The way from the example to the object. */
  readonly steps?: readonly string[];
  readonly type: string;
}

const origins: Readonly<Record<string, Origin>> = {
  me: { operationId: 'getMe', from: 'response', example: 'tenant', type: 'Me' },
  tenant: { operationId: 'getMe', from: 'response', example: 'tenant', steps: ['tenant'], type: 'Tenant' },
  list: { operationId: 'listProducts', from: 'response', example: 'whole_list', type: 'ProductList' },
  listItem: {
    operationId: 'listProducts',
    from: 'response',
    example: 'whole_list',
    steps: ['items', '0'],
    type: 'ProductListItem',
  },
  product: { operationId: 'getProduct', from: 'response', example: 'registered', type: 'Product' },
  newProduct: { operationId: 'createProduct', from: 'request', example: 'full', type: 'CreateProduct' },
  passport: { operationId: 'getPassport', from: 'response', example: 'filled', type: 'Passport' },
  value: {
    operationId: 'getPassport',
    from: 'response',
    example: 'filled',
    steps: ['values', '0'],
    type: 'PassportValue',
  },
  version: {
    operationId: 'getPassport',
    from: 'response',
    example: 'filled',
    steps: ['latest_version'],
    type: 'PassportVersion',
  },
  newValue: {
    operationId: 'putPassport',
    from: 'request',
    example: 'values',
    steps: ['0'],
    type: 'PassportValueInput',
  },
  writeResult: { operationId: 'putPassport', from: 'response', example: 'stored', type: 'PassportWriteResult' },
  carriers: { operationId: 'listCarriers', from: 'response', example: 'carriers', type: 'CarrierList' },
  carrier: {
    operationId: 'listCarriers',
    from: 'response',
    example: 'carriers',
    steps: ['items', '0'],
    type: 'Carrier',
  },
  scans: { operationId: 'getScanStatistics', from: 'response', example: 'scans', type: 'ScanStatistics' },
  document: { operationId: 'getPassportJsonld', from: 'response', example: 'passport', type: 'PassportDocument' },
};

/** A module with the example of each sample. */
export function samplesOf(contract: Contract): string {
  const types = [...new Set(Object.values(origins).map(({ type }) => type))].toSorted();
  const members = Object.entries(origins).map(([name, origin]) => {
    const value = JSON.stringify(exampleOf(contract, origin), null, 2).replaceAll('\n', '\n  ');
    return `  ${name}: ${value} satisfies ${origin.type} as ${origin.type},`;
  });
  return `import type {\n${types.map((type) => `  ${type},`).join('\n')}\n} from '../contract.ts';\n
/** The examples of the contract. */
export const examples = {\n${members.join('\n')}\n};\n`;
}

function exampleOf({ operations }: Contract, { operationId, from, example, steps = [] }: Origin): unknown {
  const operation = operations.find((one) => one.operationId === operationId);
  const [response] = Object.values(operation?.responses['200']?.content ?? {});
  const media: MediaType | undefined = from === 'request' ? operation?.body : response;
  const found = steps.reduce(member, media?.examples?.[example]?.value);
  if (found === undefined) throw new Error(`openapi.yaml has no example ${example} with ${steps} in ${operationId}.`);
  return found;
}
