import { templates } from '@product-passport/sdk/templates';
import { options as germanOptions } from '@product-passport/sdk/templates/de';
import { options as englishOptions } from '@product-passport/sdk/templates/en';
import {
  choice,
  country,
  date,
  decimal,
  type Kind,
  kilogramsAsGrams,
  type Language,
  list,
  plain,
  shares,
  text,
  whole,
  yesOrNo,
} from './kinds.ts';

/** The columns of every row. */
export const numberColumn = 'Artikelnummer';
export const nameColumn = 'Bezeichnung';
export const groupColumn = 'Warengruppe';
export const gtinColumn = 'GTIN';
export const modelColumn = 'Modell';

/** The passport field of a cell. Its unit and its access level are those of the template. */
export interface Field {
  readonly key: string;
  readonly kind: Kind;
}

/** A group of the inventory: its template in the service, and its fields by the name of the column. */
export interface Group {
  readonly template: string;
  readonly fields: Readonly<Record<string, Field>>;
}

function field(key: string, kind: Kind = text): Field {
  return { key, kind };
}

/** A field with options. @param own the passport's value by a word of the inventory that is not its label */
function option(key: string, own: Readonly<Record<string, string>> = {}): Field {
  return field(key, choice(own, { de: germanOptions[key] ?? {}, en: englishOptions[key] ?? {} }));
}

const maker = { Hersteller: field('manufacturer_name') };
const address = { Herstelleranschrift: field('manufacturer_address') };
const origin = { Herkunftsland: field('country_of_origin', country) };
const disposal = { Entsorgung: field('recycling_instructions') };
const substances = { 'Bedenkliche Stoffe': field('substances_of_concern', list) };
const repair = { Reparaturanleitung: field('repair_instructions') };
const conformity = { Konformitätserklärung: field('declaration_of_conformity') };
const testReport = { Prüfbericht: field('test_reports') };
const warranty = { 'Garantie Monate': field('warranty_months', whole) };
const spareParts = { 'Ersatzteile Jahre': field('spare_parts_years', whole) };
const recycled = { 'Rezyklatanteil %': field('recycled_content_share', decimal) };
const label = { 'EPREL-Nummer': field('eprel_registration_number') };
const letters = (highest: string) =>
  choice(Object.fromEntries([...'ABCDEFG'].filter((letter) => letter <= highest).map((letter) => [letter, letter])));

/**
 * The groups of the inventory. A column that is not here never leaves the company: stock, storage place and purchase
 * price stay where they are. The fields are those of the templates; a test compares them.
 */
export const groups: Readonly<Record<string, Group>> = {
  Textilien: {
    template: 'textile',
    fields: {
      ...maker,
      ...address,
      ...origin,
      Zusammensetzung: field('fibre_composition', shares('fibre')),
      ...recycled,
      Pflegehinweis: field('care_instructions'),
      'Gewicht kg': field('garment_weight', kilogramsAsGrams),
      ...substances,
      ...repair,
      ...disposal,
    },
  },
  'Akkus und Batterien': {
    template: 'battery',
    fields: {
      ...maker,
      ...address,
      Art: option('battery_category', { Leichtfahrzeug: 'lmt', Industrie: 'industrial', Elektrofahrzeug: 'ev' }),
      [modelColumn]: field('model_identifier'),
      Fertigungsort: field('manufacturing_place'),
      Fertigungsdatum: field('manufacturing_date', date),
      'Gewicht kg': field('battery_weight', decimal),
      Zellchemie: field('battery_chemistry'),
      'Gefährliche Stoffe': field('hazardous_substances', list),
      'Kritische Rohstoffe': field('critical_raw_materials', list),
      'Kapazität Ah': field('rated_capacity', decimal),
      'Nennspannung V': field('nominal_voltage', decimal),
      Ladezyklen: field('expected_lifetime_cycles', whole),
      ...warranty,
      ...conformity,
      Entsorgung: field('waste_battery_information'),
      Zerlegeanleitung: field('dismantling_information'),
      ...testReport,
    },
  },
  Smartphones: {
    template: 'smartphone',
    fields: {
      ...maker,
      [modelColumn]: field('model_identifier'),
      ...origin,
      ...label,
      Energieklasse: field('energy_efficiency_class', letters('G')),
      'Akkulaufzeit h': field('battery_endurance_per_cycle', decimal),
      Ladezyklen: field('battery_endurance_cycles', whole),
      Fallklasse: field('free_fall_class', letters('E')),
      Reparaturklasse: field('repairability_class', letters('E')),
      Schutzart: field('ip_rating'),
      'Updates Jahre': field('os_update_years', whole),
      ...spareParts,
      ...recycled,
      ...repair,
      ...conformity,
      ...testReport,
    },
  },
  Kabel: {
    template: 'cable',
    fields: {
      ...maker,
      Art: option('cable_type', { 'USB-C': 'usb_c' }),
      'Stecker A': field('connector_a'),
      'Stecker B': field('connector_b'),
      'Länge m': field('cable_length', decimal),
      'Leistung W': field('max_power', decimal),
      'Datenrate Gbit/s': field('data_rate', decimal),
      Halogenfrei: field('halogen_free', yesOrNo),
      ...recycled,
      ...substances,
      ...disposal,
    },
  },
  Reifen: {
    template: 'tyre',
    fields: {
      ...maker,
      [modelColumn]: field('tyre_type_identifier'),
      ...label,
      Reifengröße: field('tyre_size'),
      Reifenklasse: option('tyre_class'),
      Tragfähigkeit: field('load_index'),
      Geschwindigkeit: field('speed_symbol'),
      Energieklasse: field('fuel_efficiency_class', letters('E')),
      Nasshaftung: field('wet_grip_class', letters('E')),
      Geräuschklasse: field('rolling_noise_class', letters('C')),
      'Rollgeräusch dB': field('rolling_noise_db', whole),
      Schneegriff: field('snow_grip', yesOrNo),
      ...recycled,
      ...disposal,
      ...testReport,
    },
  },
  Verpackungen: {
    template: 'packaging',
    fields: {
      ...maker,
      Art: option('packaging_type', { Verkauf: 'sales', Versand: 'e_commerce', Transport: 'transport' }),
      Form: field('packaging_format'),
      Zusammensetzung: field('material_composition', shares('material')),
      'Gewicht kg': field('packaging_weight', kilogramsAsGrams),
      'Füllvolumen ml': field('packaging_volume', decimal),
      Recyclingklasse: field('recyclability_grade', letters('C')),
      'Rezyklatanteil %': field('recycled_content_post_consumer', decimal),
      Mehrweg: field('reusable', yesOrNo),
      Entsorgung: field('sorting_instruction'),
      Lebensmittelkontakt: field('food_contact', yesOrNo),
      'Schwermetalle mg/kg': field('heavy_metals_sum', decimal),
      Konformitätserklärung: field('declaration_of_conformity'),
    },
  },
  'Farben und Lasuren': {
    template: 'chemical',
    fields: {
      [nameColumn]: field('trade_name'),
      ...maker,
      ...address,
      Notruf: field('emergency_phone'),
      Inhalt: field('nominal_quantity'),
      UFI: field('ufi'),
      Signalwort: option('signal_word', { keines: 'none' }),
      Piktogramme: field('hazard_pictograms', list),
      'H-Sätze': field('hazard_statements', list),
      'P-Sätze': field('precautionary_statements', list),
      Sicherheitsdatenblatt: field('safety_data_sheet'),
      SVHC: field('svhc_present', yesOrNo),
      'VOC g/l': field('voc_content', decimal),
      ...disposal,
    },
  },
  Reinigungsmittel: {
    template: 'detergent',
    fields: {
      ...maker,
      ...address,
      Art: option('detergent_type', { Spülmittel: 'dishwashing' }),
      Inhaltsstoffe: field('ingredient_classes', list),
      Duftstoffe: field('fragrance_allergens', list),
      Dosierung: field('dosage_instructions'),
      ...disposal,
    },
  },
  Möbel: {
    template: 'furniture',
    fields: {
      ...maker,
      ...origin,
      Art: option('furniture_type'),
      Zusammensetzung: field('material_composition', shares('material')),
      'Belastung kg': field('maximum_load', decimal),
      ...spareParts,
      ...repair,
      Zerlegeanleitung: field('disassembly_instructions'),
      ...disposal,
    },
  },
  Haushalt: {
    template: 'other',
    fields: {
      ...maker,
      ...origin,
      Beschreibung: field('product_description'),
      'Gewicht kg': field('product_weight', decimal),
      Zusammensetzung: field('material_composition', shares('material')),
      ...warranty,
      ...disposal,
    },
  },
};

/** The English name of each column that has another name in English. A file has all its names in one language. */
const english: Readonly<Record<string, string>> = {
  [numberColumn]: 'Article number',
  [nameColumn]: 'Name',
  [groupColumn]: 'Product group',
  [modelColumn]: 'Model',
  Hersteller: 'Manufacturer',
  Herstelleranschrift: 'Manufacturer address',
  Herkunftsland: 'Country of origin',
  Zusammensetzung: 'Composition',
  'Rezyklatanteil %': 'Recycled content %',
  Pflegehinweis: 'Care instructions',
  'Gewicht kg': 'Weight kg',
  'Bedenkliche Stoffe': 'Substances of concern',
  Reparaturanleitung: 'Repair instructions',
  Entsorgung: 'Disposal',
  Art: 'Type',
  Fertigungsort: 'Place of manufacture',
  Fertigungsdatum: 'Date of manufacture',
  Zellchemie: 'Cell chemistry',
  'Gefährliche Stoffe': 'Hazardous substances',
  'Kritische Rohstoffe': 'Critical raw materials',
  'Kapazität Ah': 'Capacity Ah',
  'Nennspannung V': 'Nominal voltage V',
  Ladezyklen: 'Charging cycles',
  'Garantie Monate': 'Warranty months',
  Konformitätserklärung: 'Declaration of conformity',
  Zerlegeanleitung: 'Dismantling instructions',
  Prüfbericht: 'Test report',
  'EPREL-Nummer': 'EPREL number',
  Energieklasse: 'Energy class',
  'Akkulaufzeit h': 'Battery endurance h',
  Fallklasse: 'Free fall class',
  Reparaturklasse: 'Repairability class',
  Schutzart: 'IP rating',
  'Updates Jahre': 'Updates years',
  'Ersatzteile Jahre': 'Spare parts years',
  'Stecker A': 'Connector A',
  'Stecker B': 'Connector B',
  'Länge m': 'Length m',
  'Leistung W': 'Power W',
  'Datenrate Gbit/s': 'Data rate Gbit/s',
  Halogenfrei: 'Halogen free',
  Reifengröße: 'Tyre size',
  Reifenklasse: 'Tyre class',
  Tragfähigkeit: 'Load index',
  Geschwindigkeit: 'Speed symbol',
  Nasshaftung: 'Wet grip',
  Geräuschklasse: 'Noise class',
  'Rollgeräusch dB': 'Rolling noise dB',
  Schneegriff: 'Snow grip',
  Form: 'Format',
  'Füllvolumen ml': 'Volume ml',
  Recyclingklasse: 'Recyclability class',
  Mehrweg: 'Reusable',
  Lebensmittelkontakt: 'Food contact',
  'Schwermetalle mg/kg': 'Heavy metals mg/kg',
  Notruf: 'Emergency phone',
  Inhalt: 'Contents',
  Signalwort: 'Signal word',
  Piktogramme: 'Pictograms',
  'H-Sätze': 'H statements',
  'P-Sätze': 'P statements',
  Sicherheitsdatenblatt: 'Safety data sheet',
  Inhaltsstoffe: 'Ingredients',
  Duftstoffe: 'Fragrances',
  Dosierung: 'Dosage',
  'Belastung kg': 'Maximum load kg',
  Beschreibung: 'Description',
};

const columns = [
  ...[numberColumn, nameColumn, groupColumn, gtinColumn, modelColumn],
  ...Object.values(groups).flatMap((group) => Object.keys(group.fields)),
];

/** The name of a column in a language. */
export function titleOf(column: string, language: Language): string {
  return language === 'en' ? (english[column] ?? column) : column;
}

function keyOf(name: string): string {
  return plain(name).replaceAll(/\s+/g, ' ').toLowerCase();
}

function columnsIn(language: Language): ReadonlyMap<string, string> {
  return new Map(columns.map((column) => [keyOf(titleOf(column, language)), column]));
}

const columnsByName: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  de: columnsIn('de'),
  en: columnsIn('en'),
};

/** The column that a name stands for, or `undefined` if the program does not read it. */
export function columnOf(name: string, language: Language): string | undefined {
  return columnsByName[language].get(keyOf(name));
}

/** English if the column of the article number has its English name. */
export function languageOf(names: readonly string[]): Language {
  const has = (language: Language) => names.some((name) => columnOf(name, language) === numberColumn);
  return has('en') && !has('de') ? 'en' : 'de';
}

/** The group of a row, by its name in the inventory or by the key of its template. */
export function groupOf(cells: Readonly<Record<string, string | undefined>>): Group | undefined {
  const name = plain(cells[groupColumn] ?? '');
  return Object.hasOwn(groups, name) ? groups[name] : Object.values(groups).find(({ template }) => template === name);
}

/** The columns of the fields that a passport of the group must have. */
export function requiredColumns({ template, fields }: Group): string[] {
  const required = (templates[template] ?? templates.other).fields
    .filter((field) => field.required)
    .map(({ key }) => key);
  return Object.keys(fields).filter((column) => required.includes(fields[column]?.key ?? ''));
}
