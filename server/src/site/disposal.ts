/** What a shopper does with the product when it is broken or used up. */
import type { PassportValue } from '@product-passport/openapi';
import type { Language } from '../languages/languages.ts';
import { type Texts, texts } from '../languages/words.ts';
import type { Template } from '../templates/catalogue.ts';
import type { SymbolCode } from './pictures.ts';

type Route = Exclude<keyof Texts['disposal'], 'ask'>;

/** Where the product goes. */
interface Destination {
  text: string;
  symbol: SymbolCode | undefined;
}

/**
 * Product groups that the law collects separately whatever the passport says. Article 64 on batteries and Article 20 on
 * hazardous waste were compared with public summaries; the other articles were not compared.
 */
const routes: Readonly<Record<string, Route>> = {
  // Regulation (EU) 2023/1542, Art. 64.
  battery: 'battery',
  // Directive 2008/98/EC, Arts. 11(1) and 22c.
  ...{ textile: 'textile', footwear: 'textile' },
  tyre: 'tyre',
  // Directive 2012/19/EU, Art. 2.
  ...{ smartphone: 'electrical', computer: 'electrical', tablet: 'electrical', display: 'electrical' },
  ...{ washing_machine: 'electrical', refrigerator: 'electrical', dishwasher: 'electrical' },
  ...{ lighting: 'electrical', charger: 'electrical', server: 'electrical' },
};

const symbols: Partial<Record<Route, SymbolCode>> = {
  battery: 'separate_collection',
  electrical: 'separate_collection_bar',
};

/** The passport's own words, of which the first is shown. */
export const disposalFields = [
  ...['recycling_instructions', 'sorting_instruction', 'waste_battery_information', 'take_back_scheme'],
];

/** The destination that follows from coded values and the product group; `undefined` if nothing says it. */
export function destinationOf(
  values: readonly PassportValue[],
  { key: group }: Template,
  language: Language,
): Destination | undefined {
  const known = new Map(values.map(({ field_key, value, is_unknown }) => [field_key, is_unknown ? null : value]));
  const route = routeOf(known, group);
  if (!route) return undefined;
  // The passport may say that the product does not carry the symbol.
  const symbol = known.get('separate_collection_symbol') === false ? undefined : symbols[route];
  return { text: texts[language].disposal[route], symbol };
}

function routeOf(values: ReadonlyMap<string, unknown>, group: string): Route | undefined {
  const hazards = values.get('hazard_pictograms');
  if (values.get('deposit_return') === true) return 'deposit';
  if (values.get('weee_category')) return 'electrical';
  // Directive 2008/98/EC, Art. 20: hazardous waste of households.
  if (Array.isArray(hazards) && hazards.length > 0) return 'hazardous';
  return routes[group];
}
