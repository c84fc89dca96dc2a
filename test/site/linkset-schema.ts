/**
 * A linkset by GS1's standard for resolvers, written from its public rules and not from our contract: RFC 9264 as JSON,
 * link types as IRIs of the vocabulary, `anchor` and `itemDescription` of the item, `href` and `title` of every link.
 * The only other members are `type`, `hreflang`, `context`, `fwqs` and `public`.
 */
const link = {
  type: 'object',
  required: ['href', 'title'],
  properties: {
    href: { type: 'string', format: 'uri' },
    title: { type: 'string', minLength: 1 },
    type: { type: 'string', pattern: '^[a-z]+/[a-z0-9.+-]+$' },
    hreflang: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', pattern: '^[a-zA-Z-]{2,}$' } },
    context: { type: 'array', minItems: 1, items: { type: 'string' } },
    fwqs: { type: 'boolean' },
    public: { type: 'boolean' },
  },
  additionalProperties: false,
};

export const linksetSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['linkset'],
  additionalProperties: false,
  properties: {
    linkset: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['anchor', 'itemDescription', 'https://ref.gs1.org/voc/defaultLink'],
        properties: {
          anchor: { type: 'string', format: 'uri', pattern: '/01/[0-9]{14}(?:/|$)' },
          itemDescription: { type: 'string', minLength: 1 },
          // One default link, without members that would limit it to some requests.
          'https://ref.gs1.org/voc/defaultLink': {
            type: 'array',
            minItems: 1,
            maxItems: 1,
            items: {
              type: 'object',
              required: ['href', 'title'],
              properties: { href: link.properties.href, title: link.properties.title },
              additionalProperties: false,
            },
          },
        },
        patternProperties: {
          '^https://ref\\.gs1\\.org/voc/(?!defaultLink$)[a-z][A-Za-z]*$': { type: 'array', minItems: 1, items: link },
        },
        additionalProperties: false,
      },
    },
  },
};
