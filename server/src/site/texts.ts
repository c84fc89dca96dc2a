import type { Language } from './language.ts';

/** What the pages say. A language that misses a text does not compile. */
const en = {
  languageName: 'English',
  languageSwitch: 'Language',
  passport: 'Digital product passport',
  completeness: (percent: number) => `Completeness: ${percent} percent of the required information`,
  completeNote: 'of the required information is given',
  facts: {
    title: 'At a glance',
    model: 'Model',
    gtin: 'GTIN',
    maker: 'Manufacturer',
    group: 'Product group',
    identifier: 'Identifier',
    issuer: 'Published by',
  },
  roles: {
    consumer: 'Public view',
    recycler: 'View for recyclers',
    inspector: 'View for inspectors',
  },
  refused: 'This access link is not valid, or not valid any more. You see the public view.',
  more: 'Recyclers and inspectors with an access link may see more.',
  levels: { restricted: 'Restricted', authority: 'For authorities' },
  nothing: 'Nothing has been entered yet.',
  sections: {
    identification: 'Identification',
    composition: 'Materials and composition',
    use: 'Use and care',
    durability: 'Durability',
    repair: 'Repair and spare parts',
    end_of_life: 'Disposal and recycling',
    environment: 'Environment and climate',
    performance: 'Performance and technology',
    supply_chain: 'Origin and supply chain',
    substances: 'Substances',
    compliance: 'Conformity and evidence',
    economic_operator: 'Manufacturer and operators',
    own: 'More from the publisher',
  },
  shortened: 'Shortened. The machine-readable passport has the whole value.',
  values: { unknown: 'Not known', absent: 'Not stated', yes: 'Yes', no: 'No', none: 'None' },
  proof: {
    title: 'Version and proof',
    version: (version: string, date: string) => `Version ${version} of ${date}`,
    contentHash: 'Content hash (SHA-256)',
    publicHash: 'Hash of the public values',
    check:
      'Anyone can check it: take the public values of the machine-readable passport in the form of RFC 8785, and their SHA-256 is the hash of the public values. The content hash covers all values and a random salt, which only the publisher and inspectors have.',
    document: 'Machine-readable passport (JSON-LD)',
  },
  qr: {
    title: 'Take it along',
    label: 'QR code that leads to this passport',
    note: 'Scan the code to open this passport on another device.',
  },
  errors: {
    notFound: {
      title: 'There is no passport here',
      text: 'The address may be mistyped, or the passport is not public, or not any more. Scan the code on the product again, or ask whoever sold it to you.',
    },
    method: { title: 'This page can only be read', text: 'Open the address in a browser, without sending anything.' },
    busy: {
      title: 'One moment, please',
      text: 'The passport cannot be shown right now. Please reload the page in a moment.',
    },
    request: {
      title: 'This address does not work',
      text: 'Something in the request cannot be read. Scan the code on the product again.',
    },
    failed: {
      title: 'Something went wrong',
      text: 'The mistake is ours, not yours. Please reload the page in a moment.',
    },
    status: (status: number) => `Error ${status}`,
  },
  /** Units that are words: `#` is the number. */
  units: {
    cycle: { one: '# cycle', other: '# cycles' },
    grade: { one: 'grade #', other: 'grade #' },
    rpm: { one: '# rpm', other: '# rpm' },
    pH: { one: 'pH #', other: 'pH #' },
  },
  /** Names that the members of lists often have. */
  members: {
    name: 'Name',
    country: 'Country',
    location: 'Location',
    material: 'Material',
    part: 'Part',
    fibre: 'Fibre',
    share: 'Share',
    mass: 'Mass',
    tier: 'Tier',
    species: 'Species',
    cas: 'CAS number',
  },
};

export type Texts = typeof en;

const de: Texts = {
  languageName: 'Deutsch',
  languageSwitch: 'Sprache',
  passport: 'Digitaler Produktpass',
  completeness: (percent) => `Vollständigkeit: ${percent} Prozent der Pflichtangaben`,
  completeNote: 'der Pflichtangaben liegen vor',
  facts: {
    title: 'Auf einen Blick',
    model: 'Modell',
    gtin: 'GTIN',
    maker: 'Hersteller',
    group: 'Produktgruppe',
    identifier: 'Kennung',
    issuer: 'Veröffentlicht von',
  },
  roles: {
    consumer: 'Öffentliche Ansicht',
    recycler: 'Ansicht für Verwertung',
    inspector: 'Ansicht für Prüfung',
  },
  refused: 'Dieser Zugangslink ist ungültig oder nicht mehr gültig. Sie sehen die öffentliche Ansicht.',
  more: 'Verwertungsbetriebe und Prüfstellen mit einem Zugangslink sehen möglicherweise mehr.',
  levels: { restricted: 'Eingeschränkt', authority: 'Für Behörden' },
  nothing: 'Hier ist noch nichts eingetragen.',
  sections: {
    identification: 'Identifikation',
    composition: 'Material und Zusammensetzung',
    use: 'Gebrauch und Pflege',
    durability: 'Haltbarkeit',
    repair: 'Reparatur und Ersatzteile',
    end_of_life: 'Entsorgung und Recycling',
    environment: 'Umwelt und Klima',
    performance: 'Leistung und Technik',
    supply_chain: 'Herkunft und Lieferkette',
    substances: 'Inhaltsstoffe',
    compliance: 'Konformität und Nachweise',
    economic_operator: 'Hersteller und Verantwortliche',
    own: 'Weitere Angaben',
  },
  shortened: 'Gekürzt. Der maschinenlesbare Pass enthält den ganzen Wert.',
  values: { unknown: 'Nicht bekannt', absent: 'Keine Angabe', yes: 'Ja', no: 'Nein', none: 'Keine' },
  proof: {
    title: 'Version und Nachweis',
    version: (version, date) => `Version ${version} vom ${date}`,
    contentHash: 'Inhalts-Hash (SHA-256)',
    publicHash: 'Hash der öffentlichen Werte',
    check:
      'Jeder kann das prüfen: Die öffentlichen Werte des maschinenlesbaren Passes, in der Form von RFC 8785, ergeben als SHA-256 den Hash der öffentlichen Werte. Der Inhalts-Hash umfasst alle Werte und einen Zufallswert, den nur der Herausgeber und Prüfstellen kennen.',
    document: 'Maschinenlesbarer Pass (JSON-LD)',
  },
  qr: {
    title: 'Zum Mitnehmen',
    label: 'QR-Code, der zu diesem Pass führt',
    note: 'Code scannen, um diesen Pass auf einem anderen Gerät zu öffnen.',
  },
  errors: {
    notFound: {
      title: 'Hier ist kein Produktpass',
      text: 'Vielleicht ist die Adresse vertippt, oder der Pass ist nicht oder nicht mehr öffentlich. Scannen Sie den Code auf dem Produkt noch einmal, oder fragen Sie dort nach, wo Sie es gekauft haben.',
    },
    method: {
      title: 'Diese Seite lässt sich nur lesen',
      text: 'Öffnen Sie die Adresse im Browser, ohne etwas zu senden.',
    },
    busy: {
      title: 'Einen Moment bitte',
      text: 'Der Pass kann gerade nicht angezeigt werden. Bitte laden Sie die Seite gleich noch einmal.',
    },
    request: {
      title: 'Diese Adresse funktioniert nicht',
      text: 'Etwas an der Anfrage ist nicht lesbar. Scannen Sie den Code auf dem Produkt noch einmal.',
    },
    failed: {
      title: 'Da ist etwas schiefgegangen',
      text: 'Der Fehler liegt bei uns, nicht bei Ihnen. Bitte laden Sie die Seite gleich noch einmal.',
    },
    status: (status) => `Fehler ${status}`,
  },
  units: {
    cycle: { one: '# Zyklus', other: '# Zyklen' },
    grade: { one: 'Stufe #', other: 'Stufe #' },
    rpm: { one: '# min⁻¹', other: '# min⁻¹' },
    pH: { one: 'pH #', other: 'pH #' },
  },
  members: {
    name: 'Name',
    country: 'Land',
    location: 'Ort',
    material: 'Material',
    part: 'Teil',
    fibre: 'Faser',
    share: 'Anteil',
    mass: 'Masse',
    tier: 'Stufe',
    species: 'Art',
    cas: 'CAS-Nummer',
  },
};

export const texts: Record<Language, Texts> = { en, de };
