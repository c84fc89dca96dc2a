/** Generated bodies: JSON by the schema of an operation, and bytes that are not JSON. */
import { isRecord, type Operation, type Schema } from '@product-passport/openapi';
import fc, { type Arbitrary } from 'fast-check';
import { anyJson, fieldKeyMarks, seldom, unknownGroup, valuesOf } from './values.ts';

export interface GeneratedBody {
  readonly json: unknown;
  /** Changes of the JSON text. They can make it invalid. */
  readonly edit: Edit | undefined;
}

interface Edit {
  /** Where the bytes are inserted: an index into the text, modulo its length plus one. */
  readonly at: number;
  /** Base64. */
  readonly insert: string;
  /** Whether the text ends there. */
  readonly cut: boolean;
}

/** Bytes that break UTF-8 or JSON, or that only some parsers accept. */
const insertions = [
  [0x00],
  [0xff],
  [0xc3],
  [0xed, 0xa0, 0x80],
  [0xef, 0xbb, 0xbf],
  [0x7b],
  [0x5d],
  [0x2c],
  [0x27],
  [0x2f, 0x2f],
  [0x65, 0x39, 0x39, 0x39],
].map((bytes) => Buffer.from(bytes).toString('base64'));

const edits: Arbitrary<Edit | undefined> = seldom(
  fc.record({ at: fc.nat({ max: 300 }), insert: fc.constantFrom('', ...insertions), cut: fc.boolean() }),
  undefined,
  5,
);

/** The bodies of an operation. Those of `createProduct` have a fault, so that no run fills a provider with products. */
export function bodies({ operationId, body }: Operation): Arbitrary<GeneratedBody> | undefined {
  if (body === undefined) return undefined;
  const json = operationId === 'createProduct' ? refusedCreations(body.schema) : jsonOf(body.schema);
  return fc.record({
    json: fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: anyJson() }),
    edit: edits,
  });
}

/** The bytes of a body, with the provider's own field keys. */
export function bytesOf({ json, edit }: GeneratedBody, fieldKeys: readonly string[]): Uint8Array {
  const text = fieldKeyMarks.reduce(
    (made, mark, index) =>
      made.replaceAll(JSON.stringify(mark), JSON.stringify(fieldKeys[index % fieldKeys.length] ?? mark)),
    JSON.stringify(json) ?? '',
  );
  const bytes = Buffer.from(text);
  if (edit === undefined) return bytes;
  const at = edit.at % (bytes.length + 1);
  const rest = edit.cut ? [] : [bytes.subarray(at)];
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(edit.insert, 'base64'), ...rest]);
}

function jsonOf(schema: Schema): Arbitrary<unknown> {
  if (schema.items !== undefined) return fc.array(jsonOf(schema.items), { maxLength: 3 });
  return fields(schema);
}

function fields(schema: Schema): Arbitrary<Record<string, unknown>> {
  const known = Object.entries(schema.properties ?? {}).map(([name, field]): [string, Arbitrary<unknown>] => [
    name,
    name === 'field_key' ? fieldKeys : valuesOf(field),
  ]);
  const names = known.map(([name]) => name);
  const required = names.filter((name) => schema.required?.includes(name));
  return fc
    .tuple(
      fc.record(Object.fromEntries(known)),
      fc.subarray(names.filter((name) => !required.includes(name))),
      seldom(fc.constantFrom(...required), undefined, 12),
      seldom(fc.record({ verify_unknown: anyJson() }), {}, 8),
    )
    .map(([record, present, dropped, more]) => ({
      ...Object.fromEntries(
        [...required, ...present].map((name) => [name, name === dropped ? undefined : record[name]]),
      ),
      ...more,
    }));
}

/** Few other keys, so that the passport stays small if the provider stores them. */
const fieldKeys = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<unknown>(...fieldKeyMarks) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('', ' ', 'verify\0', 'k'.repeat(101), 7, null, 'verify_generated') },
);

/** A body without a name, with a GTIN of a wrong length, or with an unknown product group. */
function refusedCreations(schema: Schema): Arbitrary<unknown> {
  const faults = fc.oneof(
    fc.constant({ name: undefined }),
    fc.stringMatching(/^(?:[0-9]{1,7}|[0-9]{9,11}|[0-9]{15,16})$/).map((gtin) => ({ gtin })),
    fc.constant({ product_group: unknownGroup }),
  );
  return fc.tuple(fields(schema), faults).map(([body, fault]) => ({ ...body, ...fault }));
}

/** Whether no provider can make a product of this JSON. */
export function hasNoName(json: unknown): boolean {
  return !isRecord(json) || !('name' in json);
}
