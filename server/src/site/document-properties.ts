/** The properties of schema.org that the JSON-LD document has beside `additionalProperty`. Each template names their fields. */
import type { PassportValue, Schemas } from '@product-passport/openapi';
import type { DocumentProperty, Template } from '../templates/catalogue.ts';

type PassportDocument = Schemas['PassportDocument'];
type Organization = Schemas['OrganizationNode'];
type Address = Schemas['PostalAddressNode'];

type OwnProperties = Pick<
  PassportDocument,
  | 'manufacturer'
  | 'importer'
  | 'countryOfOrigin'
  | 'recycledContentPercentage'
  | 'substanceOfConcern'
  | 'weight'
  | 'material'
>;

/** The properties whose values have their type. */
export function ownProperties(values: PassportValue[], { properties }: Template): OwnProperties {
  const known = new Map(values.filter(({ is_unknown }) => !is_unknown).map((value) => [value.field_key, value]));
  const found = (property: DocumentProperty): { value: unknown; unit: string | null; member: string }[] =>
    (properties[property] ?? []).flatMap((reference) => {
      const [field = '', member = ''] = reference.split('.');
      const value = known.get(field);
      return value ? [{ value: value.value, unit: value.unit, member }] : [];
    });
  const text = (property: DocumentProperty) => textOf(found(property)[0]?.value);
  const texts = (property: DocumentProperty) => [
    ...new Set(found(property).flatMap(({ value, member }) => textsOf(value, member))),
  ];

  const manufacturer = organization(text('manufacturer.name'), text('manufacturer.address'));
  const importer = organization(text('importer.name'), text('importer.address'));
  const country = text('countryOfOrigin');
  const recycled = found('recycledContentPercentage')[0]?.value;
  const substances = texts('substanceOfConcern');
  const weight = weightOf(found('weight')[0]);
  const materials = texts('material');
  return {
    ...(manufacturer ? { manufacturer } : {}),
    ...(importer ? { importer } : {}),
    ...(country && /^[A-Z]{2}$/.test(country) ? { countryOfOrigin: { '@type': 'Country', identifier: country } } : {}),
    ...(typeof recycled === 'number' ? { recycledContentPercentage: recycled } : {}),
    ...(substances.length > 0 ? { substanceOfConcern: substances } : {}),
    ...(weight ? { weight } : {}),
    ...(materials.length > 0 ? { material: materials } : {}),
  };
}

/** A business without a name is left out. Its address stays in `additionalProperty`. */
function organization(name: string | undefined, address: string | undefined): Organization | undefined {
  if (name === undefined) return undefined;
  return { '@type': 'Organization', name, ...(address === undefined ? {} : { address: addressOf(address) }) };
}

/** `Hafenstraße 12, 24103 Kiel, Deutschland` in its parts. An address of any other form stays whole. */
function addressOf(text: string): Address {
  const [street = '', place = '', country = '', ...others] = text.split(/\s*[,\n]\s*/);
  const [, postalCode, addressLocality] = /^((?:[A-Z]{1,2}-)?\d{4,5}) (\D+)$/.exec(place) ?? [];
  const isWhole = others.length > 0 || street === '' || !/^\D+$/.test(country);
  if (isWhole || postalCode === undefined || addressLocality === undefined)
    return { '@type': 'PostalAddress', streetAddress: text };
  return { '@type': 'PostalAddress', streetAddress: street, postalCode, addressLocality, addressCountry: country };
}

/** A weight without a unit could be of any unit. */
function weightOf({ value, unit }: { value?: unknown; unit?: string | null } = {}): OwnProperties['weight'] {
  if (typeof value !== 'number' || !unit) return undefined;
  const code = unitCode(unit);
  return { '@type': 'QuantitativeValue', value, unitText: unit, ...(code ? { unitCode: code } : {}) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A text, or the texts of a list: its items, or one member of each. */
function textsOf(value: unknown, member: string): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const isMembered = typeof item === 'object' && item !== null && Object.hasOwn(item, member);
    return textOf(isMembered ? (item as Record<string, unknown>)[member] : item) ?? [];
  });
}

const codes: Record<string, string> = {
  kg: 'KGM',
  g: 'GRM',
  '%': 'P1',
  W: 'WTT',
  kW: 'KWT',
  kWh: 'KWH',
  V: 'VLT',
  A: 'AMP',
  Ah: 'AMH',
  Hz: 'HTZ',
  '°C': 'CEL',
  m: 'MTR',
  mm: 'MMT',
  L: 'LTR',
  mL: 'MLT',
  h: 'HUR',
  year: 'ANN',
  month: 'MON',
  day: 'DAY',
};

/** The UN/CEFACT Recommendation 20 code of a unit, if it is known. */
export function unitCode(unit: string): string | undefined {
  return Object.hasOwn(codes, unit) ? codes[unit] : undefined;
}
