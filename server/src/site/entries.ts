import { type PassportValue, typeset, typesetUnit } from '@product-passport/openapi';
import type { Language } from '../languages/languages.ts';
import { fill, inLanguage, texts } from '../languages/words.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';
import { type Origin, originOf } from './inspection.ts';
import { type Picture, pictureOf } from './pictures.ts';
import type { PublicPassport } from './public-passport.ts';
import { pageBudget, presenterOf, type ShownValue } from './values.ts';

/** A value with its label, as a page shows it. */
export interface Entry {
  /** The `field_key` of the value. */
  key: string;
  label: string;
  value: ShownValue;
  /** Drawn above the value. The text of the value says the same. */
  picture: Picture | undefined;
  /** The language of the value's texts if it differs from the page's. */
  language: string | undefined;
  /** The audience of a value that is not public. */
  level: string | undefined;
  /** The page shows only a part of the value. */
  isShortened: boolean;
  /** Absent if the template does not have the field. */
  explanation: Explanation | undefined;
  /** Only for inspectors. */
  origin: Origin | undefined;
}

/** An entry and the section of the template that it belongs to. */
export interface PlacedEntry extends Entry {
  section: string | undefined;
}

/** The values in the order of the template. Values that the template does not have come last. */
export function entriesOf({ values, view }: PublicPassport, { fields }: Template, language: Language): PlacedEntry[] {
  const text = texts[language];
  const presenter = presenterOf(language);
  const places = new Map(fields.map((field, index) => [field.key, { field, index }]));
  const budget = { ...pageBudget };
  return values
    .map((value) => ({ value, ...(places.get(value.field_key) ?? { field: undefined, index: fields.length }) }))
    .sort((a, b) => a.index - b.index)
    .map(({ value, field }) => {
      const shown = presenter.entry(value, field, budget);
      return {
        key: value.field_key,
        section: field?.section,
        ...shown,
        picture: value.is_unknown ? undefined : pictureOf(value, field, shown.value),
        language: foreign(value, language),
        level: value.access_level === 'public' ? undefined : text.levels[value.access_level],
        explanation: field && explanationOf(field, language),
        origin: view.role === 'inspector' ? originOf(value, language) : undefined,
      };
    });
}

/** The language of a value, unless it is the page's. */
export function foreign({ locale }: PassportValue, language: Language): string | undefined {
  return locale === language ? undefined : locale;
}

/** What a field means, in sentences, and the template's hint of its source. */
export interface Explanation {
  meaning: string;
  source: string;
}

/** Explains a field of a template in one language. */
export function explanationOf(field: TemplateField, language: Language): Explanation {
  const text = texts[language].explained;
  const { meaning, options, scale, unit, required } = field;
  const sentences = [
    meaning ? inLanguage(meaning, language) : '',
    options && !(meaning && scale)
      ? fill(text.options, { options: options.map(({ label }) => inLanguage(label, language)).join(', ') })
      : '',
    // A meaning says more than the unit, which the value has too.
    meaning || unit === null ? '' : fill(text.unit, { unit: typesetUnit(unit) }),
    required ? text.required : text.optional,
  ];
  return {
    meaning: typeset(sentences.filter((sentence) => sentence !== '').join(' ')),
    source: fill(text.source, { source: field.source }),
  };
}

/**
 * Computes the hash of the public values from a document, and compares it with the one in the document. The form of
 * RFC 8785 for what JSON.parse returns: members in the order of UTF-16 code units, everything else as JSON.stringify has it.
 */
const check = [
  'const j=v=>v&&typeof v=="object"?Array.isArray(v)?"["+v.map(j)+"]":"{"+Object.keys(v).sort().map(k=>JSON.stringify(k)+":"+j(v[k]))+"}":JSON.stringify(v)',
  'fetch(process.argv[1]).then(r=>r.json()).then(d=>{const h=require("crypto").createHash("sha256").update(j(d.additionalProperty.filter(p=>p["dpp:accessLevel"]=="public").map(p=>({field_key:p.propertyID,is_unknown:p["dpp:isUnknown"]??false,locale:p["dpp:locale"],unit:p.unitText??null,value:p.value?.["@type"]=="@json"?p.value["@value"]:p.value??null})))).digest("hex")',
  'console.log(h==d.hasDigitalProductPassport["dpp:publicContentHash"]?"OK":"DIFFERENT",h)})',
].join(';');

/** A command in one line for any POSIX shell that checks the public hash of a document. It needs only Node.js. */
export function checkCommand(document: string): string {
  return `node -e '${check}' '${document.replaceAll("'", '%27')}'`;
}
