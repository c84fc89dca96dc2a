/** What a page says of the fields of a template, beside their values. */
import type { Language } from '../languages/languages.ts';
import { fill, inLanguage } from '../languages/words.ts';
import type { TemplateField } from '../templates/catalogue.ts';
import { texts } from './texts.ts';
import { typeset, typesetUnit } from './typography.ts';

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
