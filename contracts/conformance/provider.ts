/** What the suite knows of a provider: its address, keys and tokens. The format is the line of `serve --demo --json`. */
import { closest, isRecord, member, readContract, syntaxErrorPlace } from '@product-passport/openapi';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Capability, capabilities } from './claims.ts';
import { UsageError } from './result.ts';

/** The environment variables with the address and the key of a service. */
export const addressVariable = 'PRODUCT_PASSPORT_URL';
export const keyVariable = 'PRODUCT_PASSPORT_KEY';

export interface Provider {
  /** Ends in `/api/v1`. */
  readonly base_url: string;
  /** The root of the public pages. Default: `base_url` without `/api/v1`. */
  readonly site_url?: string;
  /** The first tenant's key is used throughout. The second one shows that tenants are separated. */
  readonly tenants?: readonly {
    /** Default: the slug that `/me` returns. */
    readonly slug?: string;
    readonly api_key: string;
  }[];
  /** Another key of the first tenant, which may change the status of products. The first one may not. */
  readonly publishing_api_key?: string;
  readonly revoked_api_key?: string;
  readonly access_tokens?: readonly {
    readonly tenant: string;
    /** The slug of the only product that the token opens, or `null` for all products of the tenant. */
    readonly product: string | null;
    readonly role: string;
    readonly token: string;
    readonly revoked?: boolean;
  }[];
  readonly expired_access_token?: string;
  /** An active product, with a GTIN if the resolver is tested. */
  readonly active_product?: { readonly tenant: string; readonly slug: string };
  /** Field keys that the provider accepts in passports. */
  readonly field_keys?: readonly string[];
  /** What the provider does not have, each with the reason. */
  readonly without?: Readonly<Partial<Record<Capability, string>>>;
  /** The EU's read interface, for `verify dpp`. */
  readonly dpp?: {
    /** Ends in `/v1`. */
    readonly base_url?: string;
    /** For every read, such as a key. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Public passports. One of both ids is enough. */
    readonly passports?: readonly { readonly id?: string | undefined; readonly product_id?: string | undefined }[];
    /** A value that must not be public, the passport that has it, and the path of its element. */
    readonly restricted?:
      | { readonly id: string; readonly value: string; readonly element?: string | undefined }
      | undefined;
    /** Drafts and archived passports. */
    readonly withdrawn?: readonly { readonly id: string; readonly product_id?: string | undefined }[];
  };
  /** Where states are set up that nothing else supplies, as contracts/README.md describes. For test environments only. */
  readonly state_url?: string;
}

export interface Addresses {
  readonly baseUrl: string;
  readonly siteUrl: string;
}

/** What `base_url` ends in. */
export const apiRoot = readContract().operations.find(({ side }) => side.secured)?.side.root ?? '';

export function siteOfApi(baseUrl: string): string {
  return baseUrl.endsWith(apiRoot) ? baseUrl.slice(0, -apiRoot.length) : baseUrl;
}

export function addressesOf({ base_url, site_url }: Provider): Addresses {
  const baseUrl = base_url.replace(/\/$/, '');
  return { baseUrl, siteUrl: (site_url ?? siteOfApi(baseUrl)).replace(/\/$/, '') };
}

/**
 * @param text JSON. Lines that begin with `//` are comments, so that the template of `init` can explain itself.
 * @param more addresses and keys from the command line and the environment. An address replaces that of the file.
 * @param schema provider.schema.json
 * @param source the subject of a message
 * @throws UsageError when the text is not JSON or breaks the schema. The message never repeats a value.
 */
export function parseProvider(
  text: string,
  more: Partial<Provider>,
  schema: object,
  source = 'The provider file',
): Provider {
  const { tenants, ...addresses } = more;
  const file = withoutUnknown(parsed(text, source));
  const fromEnvironment = tenants === undefined || 'tenants' in file ? [] : tenants;
  if (fromEnvironment.some(({ api_key }) => !keyForm.test(api_key))) {
    throw new UsageError(`The environment variable ${keyVariable} ${keyRule}.`);
  }
  const value = { ...(tenants === undefined ? {} : { tenants }), ...file, ...addresses };
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.validate<Provider>(schema, value);
  const faults = [
    ...(ajv.errors ?? []).map(faultOf),
    ...misspeltIn(value, schema),
    ...(isValid ? contradictionsIn(value) : []),
  ];
  if (isValid && faults.length === 0) return value;
  throw new UsageError(`${source} is wrong: ${faults.join('; ')}. The command init writes a template.`);
}

/** Members that are close to one of the schema. Others are those of a service, such as `admin_url` of `serve --json`. */
function misspeltIn(value: unknown, schema: unknown, at = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => misspeltIn(item, member(schema, 'items'), `${at}${index}/`));
  }
  const known = member(schema, 'properties');
  if (!isRecord(value) || !isRecord(known)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (Object.hasOwn(known, name)) return misspeltIn(part, known[name], `${at}${name}/`);
    const meant = closest(name, Object.keys(known));
    return meant === undefined ? [] : [`${at}${name} is unknown, and is close to ${meant}`];
  });
}

/** A server that did not create its tenants prints `null` for the keys that it does not know. */
function withoutUnknown(file: object): object {
  const known = Object.entries(file).filter(([, value]) => value !== null);
  const { tenants, ...rest } = Object.fromEntries(known);
  if (!Array.isArray(tenants)) return tenants === undefined ? rest : { ...rest, tenants };
  const withKey = tenants.filter((tenant) => member(tenant, 'api_key') !== null);
  return withKey.length === 0 ? rest : { ...rest, tenants: withKey };
}

/** A shorter key appears in responses by chance, and the suite would report it as leaked. */
export const keyForm = /^[!-~]{8,}$/;
const keyRule = 'must have at least 8 characters, all of them visible ASCII characters without blanks or line breaks';

/** The members that supply a capability, if the file has any. */
const suppliers: Readonly<Record<Capability, (provider: Provider) => string | undefined>> = {
  'expiring tokens': ({ expired_access_token: expired, access_tokens: tokens = [] }) => {
    const index = tokens.findIndex(({ token }) => typeof member(payloadOf(token), 'exp') === 'number');
    return expired !== undefined
      ? 'expired_access_token'
      : index < 0
        ? undefined
        : `access_tokens/${index}, which has exp`;
  },
  'tokens for one product': ({ access_tokens: tokens = [] }) => {
    const index = tokens.findIndex(({ product }) => product !== null);
    return index < 0 ? undefined : `access_tokens/${index}, which opens one product`;
  },
};

/** The claims of a token that is a JWT. */
function payloadOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** What a file declares absent and supplies. */
function contradictionsIn(provider: Provider): string[] {
  return capabilities.flatMap((name) => {
    const supplied = provider.without?.[name] === undefined ? undefined : suppliers[name](provider);
    return supplied === undefined ? [] : [`without declares that there are no ${name}, and the file has ${supplied}`];
  });
}

function faultOf({ instancePath, message = '', keyword, params }: ErrorObject): string {
  if (keyword === 'additionalProperties')
    return `${instancePath.slice(1)} has ${params.additionalProperty}; it can have ${capabilities.join(', ')}`;
  if (instancePath === '/base_url' && keyword === 'pattern')
    return 'base_url must be an http address that ends in /api/v1';
  if (/api_key$/.test(instancePath) && keyword === 'pattern') return `${instancePath.slice(1)} ${keyRule}`;
  return `${instancePath.slice(1) || 'the file'} ${message}`;
}

function parsed(text: string, source: string): object {
  try {
    // Without comments. Each line keeps its number.
    return Object(JSON.parse(text.replace(/^[^\S\n]*\/\/.*$/gm, '')));
  } catch (error) {
    throw new UsageError(`${source} is not JSON${syntaxErrorPlace(error)}. The command init writes a template.`);
  }
}
