import type { Language } from './language.ts';

/** The texts of the pages. The compiler reports a text that a language lacks. */
const en = {
  languageName: 'English',
  languageSwitch: 'Language',
  passport: 'Digital product passport',
  completeness: (percent: number) => `Completeness: ${percent} percent of the required information`,
  completeNote: 'of the required information is available',
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
  refused: 'This access link is invalid or no longer valid. You are seeing the public view.',
  more: 'Recyclers and inspectors may see more with an access link.',
  levels: { restricted: 'Restricted', authority: 'For authorities' },
  nothing: 'No information has been added yet.',
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
    own: 'Other information',
  },
  shortened: 'Shortened. The full value is in the machine-readable passport.',
  values: { unknown: 'Not known', absent: 'Not stated', yes: 'Yes', no: 'No', none: 'None' },
  proof: {
    title: 'Version and proof',
    version: (version: string, date: string) => `Version ${version} of ${date}`,
    contentHash: 'Content hash (SHA-256)',
    publicHash: 'Hash of the public values',
    check:
      'Anyone can check the public values: put the public values of the machine-readable passport into the form of RFC 8785 and compute the SHA-256. The result is the hash of the public values. The content hash covers all values and a random salt. Only the publisher and inspectors have the salt.',
    document: 'Machine-readable passport (JSON-LD)',
  },
  qr: {
    title: 'Open on another device',
    label: 'QR code with the link to this passport',
    note: 'Scan the code with the camera of the other device.',
  },
  errors: {
    notFound: {
      title: 'Passport not found',
      text: 'Check the address for typing errors. The passport may also not be public yet, or no longer be public. Scan the code on the product again, or ask the shop where you bought it.',
    },
    method: { title: 'This page is read-only', text: 'Open the address in a browser without submitting a form.' },
    busy: {
      title: 'One moment, please',
      text: 'The passport is not available right now. Please reload the page in a moment.',
    },
    request: {
      title: 'This address does not work',
      text: 'The server cannot read this address. Scan the code on the product again.',
    },
    failed: {
      title: 'Something went wrong',
      text: 'The error is on our side. Please reload the page in a moment.',
    },
    status: (status: number) => `Error ${status}`,
  },
  /** Units written as words. `#` stands for the number. */
  units: {
    cycle: { one: '# cycle', other: '# cycles' },
    grade: { one: 'grade #', other: 'grade #' },
    rpm: { one: '# rpm', other: '# rpm' },
    pH: { one: 'pH #', other: 'pH #' },
  },
  /** Labels of common members of lists. */
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
  completeNote: 'der Pflichtangaben sind vorhanden',
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
    recycler: 'Ansicht für Verwertungsbetriebe',
    inspector: 'Ansicht für Prüfstellen',
  },
  refused: 'Dieser Zugangslink ist ungültig oder nicht mehr gültig. Sie sehen die öffentliche Ansicht.',
  more: 'Mit einem Zugangslink sehen Verwertungsbetriebe und Prüfstellen möglicherweise mehr.',
  levels: { restricted: 'Eingeschränkt', authority: 'Für Behörden' },
  nothing: 'Es liegen noch keine Angaben vor.',
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
  shortened: 'Gekürzt. Der vollständige Wert steht im maschinenlesbaren Pass.',
  values: { unknown: 'Nicht bekannt', absent: 'Keine Angabe', yes: 'Ja', no: 'Nein', none: 'Keine' },
  proof: {
    title: 'Version und Nachweis',
    version: (version, date) => `Version ${version} vom ${date}`,
    contentHash: 'Inhalts-Hash (SHA-256)',
    publicHash: 'Hash der öffentlichen Werte',
    check:
      'So prüfen Sie die öffentlichen Werte: Bringen Sie die öffentlichen Werte aus dem maschinenlesbaren Pass in die Form von RFC 8785 und berechnen Sie den SHA-256. Das Ergebnis ist der Hash der öffentlichen Werte. Der Inhalts-Hash umfasst alle Werte und einen Zufallswert. Den Zufallswert kennen nur der Herausgeber und die Prüfstellen.',
    document: 'Maschinenlesbarer Pass (JSON-LD)',
  },
  qr: {
    title: 'Auf einem anderen Gerät öffnen',
    label: 'QR-Code mit dem Link zu diesem Pass',
    note: 'Scannen Sie den Code mit der Kamera des anderen Geräts.',
  },
  errors: {
    notFound: {
      title: 'Produktpass nicht gefunden',
      text: 'Prüfen Sie die Adresse auf Tippfehler. Vielleicht ist der Pass noch nicht oder nicht mehr öffentlich. Scannen Sie den Code auf dem Produkt noch einmal oder fragen Sie im Geschäft nach, in dem Sie es gekauft haben.',
    },
    method: {
      title: 'Diese Seite ist nur zum Lesen da',
      text: 'Öffnen Sie die Adresse im Browser, ohne ein Formular abzusenden.',
    },
    busy: {
      title: 'Einen Moment bitte',
      text: 'Der Pass ist gerade nicht verfügbar. Bitte laden Sie die Seite gleich noch einmal.',
    },
    request: {
      title: 'Diese Adresse funktioniert nicht',
      text: 'Der Server kann diese Adresse nicht lesen. Scannen Sie den Code auf dem Produkt noch einmal.',
    },
    failed: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns. Bitte laden Sie die Seite gleich noch einmal.',
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
