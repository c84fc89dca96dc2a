import type { Cells } from './families.ts';

/** A row with a deliberate fault, of a kind that real exports have. */
export interface Fault {
  /** The article of the row before it. */
  readonly after: string;
  /** The cells that differ from the row before it. Without `Artikelnummer` the row repeats the article. */
  readonly cells: Cells;
  /** A column whose cell contains a `;` but is not in quotes. */
  readonly unquoted?: string;
}

const article = (number: string, name: string, cells: Cells = {}): Cells => ({
  Artikelnummer: number,
  Bezeichnung: name,
  GTIN: '',
  ...cells,
});

/** Takes the GTIN of the row before. */
export const sameGtin = '(same)';

export const faults: readonly Fault[] = [
  { after: 'TX-41009', cells: article('TX-90001', 'Merinopullover Förde, Größe M', { GTIN: '9520001090018' }) },
  { after: 'TX-41021', cells: article('TX-90002', 'Merinopullover Förde, Größe L', { GTIN: '952000109009' }) },
  { after: 'TX-41022', cells: article('TX-90003', 'Merinopullover Förde, Größe XL', { GTIN: '95200010900' }) },
  { after: 'TX-41030', cells: {} },
  { after: 'TX-42004', cells: { Pflegehinweis: 'Maschinenwäsche 60 °C' } },
  { after: 'TX-42011', cells: article('TX-90004', 'Bio-Baumwoll-T-Shirt Sylt', { GTIN: '9,52E+12' }) },
  { after: 'TX-42018', cells: article('TX-90005', 'Bio-Baumwoll-T-Shirt Föhr', { GTIN: '952000109ABC4' }) },
  { after: 'TX-42026', cells: article('', 'Bio-Baumwoll-T-Shirt Amrum') },
  { after: 'EN-10003', cells: article('EN-90006', 'Lötstation für Akkus', { Warengruppe: 'Werkstattbedarf' }) },
  { after: 'EN-10008', cells: article('EN-90007', 'E-Bike-Akku PowerDrive 1000 Wh', { 'Gewicht kg': '5.2' }) },
  {
    after: 'EN-20002',
    cells: article('EN-90008', 'Heimspeicher HomeCell Prüfmuster', { Fertigungsdatum: '31.02.2026' }),
  },
  { after: 'MO-70005', cells: article('MO-90009', '') },
  { after: 'MO-50002', cells: article('MO-90010', `Smartphone Aurora 6 ${'für Überlänge '.repeat(40)}`.trim()) },
  { after: 'KB-24015', cells: article('KB-90011', 'USB-C-Kabel 240 W Rückläufer', { 'Länge m': '05. Jan' }) },
  { after: 'KB-24030', cells: article('KB-90012', 'USB-C-Kabel Vorführware', { Art: 'Lightning', Halogenfrei: 'x' }) },
  { after: 'RE-16010', cells: {} },
  { after: 'RE-16014', cells: article('RE-90013', 'Winterreifen Polarspur für Oldtimer', { Nasshaftung: 'F' }) },
  { after: 'VP-11014', cells: article('VP 11.014', 'Mehrwegflasche Klarwasser, Altbestand') },
  {
    after: 'VP-22006',
    cells: article('VP-90014', 'Karton Übergröße', { Zusammensetzung: '98 % Wellpappe\n5 % Papier' }),
  },
  { after: 'FA-25012', cells: article('FA-90015', 'Holzschutzlasur Birke, 0,75 l', { GTIN: sameGtin }) },
  { after: 'HH-45005', cells: article('HH-90016', 'Thermobecher Kaje, Müsterstück', { Herkunftsland: 'China' }) },
  {
    after: 'HH-45010',
    cells: article('HH-90017', 'Thermobecher Kaje; zweite Wahl', { Zusammensetzung: '' }),
    unquoted: 'Bezeichnung',
  },
  {
    after: 'RM-15007',
    cells: article('RM-90018', 'Waschmittel Flüssig, Würfel', { Warengruppe: 'Möbel', 'Belastung kg': 'ca. 3' }),
  },
];
