import type { Fields } from '../../generated/templates.ts';

const named = {
  ...{ textile: true, battery: true, smartphone: true, computer: true, cable: true, motor: true, tyre: true },
  ...{ packaging: true, chemical: true, other: true },
} as const;

const further: Readonly<Record<Exclude<keyof Fields, keyof typeof named>, true>> = {
  footwear: true,
  furniture: true,
  mattress: true,
  steel: true,
  aluminium: true,
  detergent: true,
  toy: true,
  construction: true,
  tablet: true,
  display: true,
  washing_machine: true,
  refrigerator: true,
  dishwasher: true,
  lighting: true,
  charger: true,
  server: true,
  paint: true,
  lubricant: true,
  jewellery: true,
  cosmetic: true,
  vehicle_part: true,
};

/** The product groups that the description names. */
export const namedGroups: readonly string[] = Object.keys(named);

/** The product groups of the reference server. */
export const allGroups: readonly string[] = [...namedGroups, ...Object.keys(further)];

/** The required fields of a passport. The service has one template, whatever the product group. */
export const requiredKeys = [
  'manufacturer_name',
  'country_of_origin',
  'product_description',
  'recycling_instructions',
] as const satisfies readonly (keyof Fields['other'])[];

/** All fields of the template. */
export const fieldKeys = [
  ...requiredKeys,
  'model_identifier',
  'product_weight',
  'material_composition',
  'carbon_footprint',
  'warranty_months',
  'repair_instructions',
  'disassembly_instructions',
  'substances_of_concern',
  'test_reports',
] as const satisfies readonly (keyof Fields['other'])[];
