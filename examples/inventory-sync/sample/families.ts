/** One article in many variants, made from one product of the service's demo data. */
export interface Family {
  /** The demo product whose values the cells come from. */
  readonly from: string;
  /** Warengruppe. */
  readonly group: string;
  /** The beginning of the article numbers. */
  readonly prefix: string;
  readonly name: string;
  /** The variants: each adds a piece to the name, and has cells of its own. */
  readonly axes: readonly (readonly Variant[])[];
  /** Cells that every variant has, for texts that the inventory has in German. */
  readonly cells: Cells;
}

export type Cells = Readonly<Record<string, string>>;
export type Variant = readonly [piece: string, cells?: Cells];

const sizes: Variant[] = [
  ['Größe XS', { 'Gewicht kg': '0,298' }],
  ['Größe S', { 'Gewicht kg': '0,341' }],
  ['Größe M', { 'Gewicht kg': '0,388' }],
  ['Größe L', { 'Gewicht kg': '0,412' }],
  ['Größe XL', { 'Gewicht kg': '0,4551' }],
  ['Größe XXL', { 'Gewicht kg': '0,491' }],
];
const lightSizes: Variant[] = sizes.map(([piece], index) => [piece, { 'Gewicht kg': `0,${138 + 11 * index}` }]);
const plain = (...pieces: string[]): Variant[] => pieces.map((piece) => [piece]);

export const families: readonly Family[] = [
  {
    from: 'merinopullover-fjord',
    group: 'Textilien',
    prefix: 'TX-41',
    name: 'Merinopullover Fjord',
    axes: [
      sizes,
      plain('marineblau', 'moosgrün', 'wollweiß', 'süßkirschrot', 'rauchgrau', 'birkenholzbraun', 'tiefseeblau'),
    ],
    cells: {
      Zusammensetzung: '85 % Wolle (Merino)\n15 % Polyamid',
      Pflegehinweis: 'Handwäsche 30 °C; nicht im Trockner trocknen; mäßig heiß bügeln',
      Entsorgung: 'Reißverschluss und Etikett entfernen; in die Altkleidersammlung geben.',
      'Bedenkliche Stoffe': 'keine',
    },
  },
  {
    from: 'bio-baumwoll-t-shirt-kiel',
    group: 'Textilien',
    prefix: 'TX-42',
    name: 'Bio-Baumwoll-T-Shirt Kiel',
    axes: [lightSizes, plain('weiß', 'tiefschwarz', 'flaschengrün', 'nebelgrau', 'Übersee-Druck', 'Möwen-Druck')],
    cells: {
      Zusammensetzung: '100 % Baumwolle (bio)',
      Pflegehinweis: 'Maschinenwäsche 40 °C, an der Luft trocknen',
      Entsorgung: 'Altkleidersammlung oder Rückgabe im Geschäft.',
    },
  },
  {
    from: 'e-bike-akku-powerdrive-625',
    group: 'Akkus und Batterien',
    prefix: 'EN-10',
    name: 'E-Bike-Akku PowerDrive',
    axes: [
      [
        ['400 Wh', { 'Kapazität Ah': '11,1', 'Gewicht kg': '2,6' }],
        ['500 Wh', { 'Kapazität Ah': '13,9', 'Gewicht kg': '3' }],
        ['625 Wh', { 'Kapazität Ah': '17,4', 'Gewicht kg': '3,5' }],
        ['750 Wh', { 'Kapazität Ah': '20,8', 'Gewicht kg': '4,1' }],
      ],
      plain('für Unterrohr', 'für Gepäckträger', 'für Rückenrahmen'),
    ],
    cells: {
      Art: 'Leichtfahrzeug',
      'Gefährliche Stoffe': 'Lithiumhexafluorophosphat',
      'Kritische Rohstoffe': 'Lithium|Kobalt|Nickel|Graphit',
    },
  },
  {
    from: 'heimspeicher-homecell-10',
    group: 'Akkus und Batterien',
    prefix: 'EN-20',
    name: 'Heimspeicher HomeCell',
    axes: [
      [
        ['5 kWh', { 'Kapazität Ah': '100', 'Gewicht kg': '52,5' }],
        ['10 kWh', { 'Kapazität Ah': '200', 'Gewicht kg': '98' }],
        ['15 kWh', { 'Kapazität Ah': '300', 'Gewicht kg': '143,5' }],
        ['60 kWh Gewerbe', { 'Kapazität Ah': '1.200', 'Gewicht kg': '1.072,5' }],
      ],
      plain('mit Außengehäuse', 'mit Schaltschranktür'),
    ],
    cells: {
      Art: 'Industrie',
      'Kritische Rohstoffe': 'Lithium|Graphit',
      Prüfbericht: 'unbekannt',
      Ladezyklen: '6.000',
    },
  },
  {
    from: 'smartphone-aurora-7',
    group: 'Smartphones',
    prefix: 'MO-70',
    name: 'Smartphone Aurora 7',
    axes: [plain('128 GB', '256 GB', '512 GB'), plain('polarweiß', 'nachtblau', 'kupfergrün', 'rosé')],
    cells: {},
  },
  {
    from: 'smartphone-aurora-5',
    group: 'Smartphones',
    prefix: 'MO-50',
    name: 'Smartphone Aurora 5',
    axes: [plain('64 GB', '128 GB'), plain('schiefergrau', 'sandweiß', 'nordseegrün')],
    cells: { 'Updates Jahre': 'unbekannt', Fallklasse: 'unbekannt' },
  },
  {
    from: 'usb-c-kabel-240-w-2-m',
    group: 'Kabel',
    prefix: 'KB-24',
    name: 'USB-C-Kabel',
    axes: [
      [
        ['60 W', { 'Leistung W': '60', 'Datenrate Gbit/s': '0,48' }],
        ['100 W', { 'Leistung W': '100', 'Datenrate Gbit/s': '20' }],
        ['240 W', { 'Leistung W': '240' }],
      ],
      [
        ['0,5 m', { 'Länge m': '0,5' }],
        ['1 m', { 'Länge m': '1' }],
        ['2 m', { 'Länge m': '2' }],
        ['3 m', { 'Länge m': '3' }],
      ],
      plain('weiß', 'schwarz', 'öko-grün', 'für Möbeleinbau'),
    ],
    cells: {
      Art: 'USB-C',
      'Bedenkliche Stoffe': 'keine',
      Entsorgung: 'Elektroschrott; das Kupfer wird zurückgewonnen.',
    },
  },
  {
    from: 'winterreifen-polarspur-205-55-r16',
    group: 'Reifen',
    prefix: 'RE-16',
    name: 'Winterreifen Polarspur',
    axes: [
      [
        ['185/65 R15', { Tragfähigkeit: '88', Geschwindigkeit: 'T' }],
        ['195/65 R15', { Tragfähigkeit: '91', Geschwindigkeit: 'T' }],
        ['205/55 R16', { Tragfähigkeit: '94' }],
        ['205/60 R16', { Tragfähigkeit: '96' }],
        ['215/55 R17', { Tragfähigkeit: '98', Geschwindigkeit: 'V', 'Rollgeräusch dB': '70', Geräuschklasse: 'B' }],
        ['225/45 R17', { Tragfähigkeit: '94', Geschwindigkeit: 'V', 'Rollgeräusch dB': '70', Geräuschklasse: 'B' }],
        ['225/50 R18', { Tragfähigkeit: '99', Geschwindigkeit: 'V', 'Rollgeräusch dB': '71', Geräuschklasse: 'B' }],
        ['235/45 R18', { Tragfähigkeit: '98', Geschwindigkeit: 'V', 'Rollgeräusch dB': '71', Geräuschklasse: 'B' }],
      ].map(([piece, cells]): Variant => [String(piece), { Reifengröße: String(piece), ...(cells as Cells) }]),
      plain('mit Flüsterprofil', 'verstärkt', 'für Anhänger'),
    ],
    cells: { Entsorgung: 'Beim Reifenhändler oder an der Sammelstelle zurückgeben.' },
  },
  {
    from: 'mehrwegflasche-klarwasser-1-l',
    group: 'Verpackungen',
    prefix: 'VP-11',
    name: 'Mehrwegflasche Klarwasser',
    axes: [
      [
        ['0,33 l', { 'Füllvolumen ml': '330', 'Gewicht kg': '0,031' }],
        ['0,5 l', { 'Füllvolumen ml': '500', 'Gewicht kg': '0,04' }],
        ['0,75 l', { 'Füllvolumen ml': '750', 'Gewicht kg': '0,0551' }],
        ['1 l', { 'Füllvolumen ml': '1.000', 'Gewicht kg': '0,062' }],
      ],
      plain('klar', 'hellblau', 'grün getönt', 'für Säfte', 'mit Bügelverschluss'),
    ],
    cells: {
      Art: 'Verkauf',
      Form: 'Flasche',
      Zusammensetzung: '92 % PET|8 % HDPE',
      Entsorgung: 'Gegen Pfand zurückgeben.',
    },
  },
  {
    from: 'versandkarton-e-com-m',
    group: 'Verpackungen',
    prefix: 'VP-22',
    name: 'Versandkarton E-Com',
    axes: [
      [
        ['S', { 'Gewicht kg': '0,12' }],
        ['M', { 'Gewicht kg': '0,24' }],
        ['L', { 'Gewicht kg': '0,41' }],
        ['XL', { 'Gewicht kg': '0,655' }],
      ],
      plain('einwellig, naturbraun', 'einwellig, weiß', 'doppelwellig für Gläser'),
    ],
    cells: {
      Art: 'Versand',
      Form: 'Faltschachtel',
      Zusammensetzung: '98 % Wellpappe\n2 % Papier (Klebeband)',
      Entsorgung: 'Altpapier.',
    },
  },
  {
    from: 'holzschutzlasur-eiche-2-5-l',
    group: 'Farben und Lasuren',
    prefix: 'FA-25',
    name: 'Holzschutzlasur',
    axes: [
      plain('Eiche', 'Lärche', 'Nussbaum', 'Föhre', 'Ölweide', 'Weißbuche', 'Mooreiche "antik"', 'Kirschblüte'),
      [
        ['0,375 l', { Inhalt: '0,375 l' }],
        ['0,75 l', { Inhalt: '0,75 l' }],
        ['2,5 l', { Inhalt: '2,5 l' }],
        ['5 l', { Inhalt: '5 l' }],
      ],
    ],
    cells: {
      Signalwort: 'Achtung',
      Entsorgung: 'Reste zum Schadstoffmobil; leere Dosen in die Wertstoffsammlung.',
    },
  },
  {
    from: 'thermobecher-kaje',
    group: 'Haushalt',
    prefix: 'HH-45',
    name: 'Thermobecher Kaje',
    axes: [
      [
        ['350 ml', { 'Gewicht kg': '0,27', Beschreibung: 'Isolierbecher aus Edelstahl, 350 ml' }],
        ['450 ml', { 'Gewicht kg': '0,31', Beschreibung: 'Isolierbecher aus Edelstahl, 450 ml' }],
        ['600 ml', { 'Gewicht kg': '0,38', Beschreibung: 'Isolierbecher aus Edelstahl, 600 ml' }],
      ],
      plain(
        'süßwasserblau',
        'dünengelb',
        'schilfgrün',
        'möwenweiß',
        'Bärenmotiv',
        'Fußball',
        'Grüße aus Kiel',
        'edelstahl',
      ),
    ],
    cells: {
      Zusammensetzung: '88 % Edelstahl 18/8\n12 % PP',
      Entsorgung: 'Deckel abnehmen; Altmetall.',
    },
  },
  {
    from: 'waschmittel-meeresbrise',
    group: 'Reinigungsmittel',
    prefix: 'RM-15',
    name: 'Waschmittel',
    axes: [
      plain('Meeresbrise', 'Frühlingsblüte', 'ohne Duftstoffe'),
      plain('0,75 l', '1,5 l', '3 l', 'Nachfüllbeutel 1,5 l'),
    ],
    cells: {
      Art: 'Waschmittel',
      Inhaltsstoffe: '5-15 % anionische Tenside|< 5 % Seife',
      Dosierung: '75 ml für 4,5 kg Wäsche; mittlere Wasserhärte',
      Herstelleranschrift: 'Speicherstraße 3, 23552 Lübeck, DE',
    },
  },
  {
    from: 'fauteuil-rivage',
    group: 'Möbel',
    prefix: 'MB-01',
    name: 'Sessel Rivage',
    axes: [
      plain('Eiche geölt', 'Eiche weiß lasiert', 'Nussbaum geölt'),
      plain('Leinen natur', 'Leinen grün', 'Wolle "Älpler"', 'Samt bläulich'),
    ],
    cells: {
      Art: 'Sessel',
      Zusammensetzung: '70 % Eiche|20 % Leinen|10 % PU-Schaum',
      Entsorgung: 'Holz, Stoff und Schaum trennen.',
    },
  },
];
