/** Turns results into the tables of `tools/bench/README.md`. */
import type { Growth } from './growth.ts';
import type { Limit } from './limits.ts';
import type { Contender, Throughput } from './throughput.ts';

/** What one run measured. `tools/bench/results.json` keeps the last one. */
export interface Results {
  machine: { date: string; commit: string; processor: string; cores: number; node: string };
  throughput: Throughput[];
  growth: Growth[];
  limits: Limit[];
}

const titles: Record<Contender, string> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  hapi: 'bare Hapi, same bytes',
  'json-server': 'json-server (no key, no database)',
  prism: 'Prism',
};

const absent = '–';

/** The tables by the name of their place in the page. */
export function tables(results: Results): Record<string, string> {
  return {
    machine: machineLine(results),
    throughput: throughputTable(results.throughput),
    growth: growthTable(results.growth),
    limits: limitsTable(results.limits),
  };
}

/** Puts the tables between their markers: `<!-- bench:NAME -->` and `<!-- /bench -->`. */
export function withTables(page: string, content: Record<string, string>): string {
  return page.replace(/(<!-- bench:(\w+) -->\n)[\s\S]*?(<!-- \/bench -->)/g, (whole, start, name, end) => {
    const table = content[name];
    if (table === undefined) throw new Error(`The bench has no table ${name}, which the page has a place for.`);
    return table === '' ? whole : `${start}\n${table}\n\n${end}`;
  });
}

function machineLine({ machine: { date, commit, processor, cores, node }, throughput }: Results): string {
  if (throughput.length === 0) return '';
  return `Measured last on ${date} at commit \`${commit}\`: ${cores} × ${processor}, Node ${node}.`;
}

function throughputTable(measured: readonly Throughput[]): string {
  const rows = measured.flatMap((scenario) => {
    const { title, rates, cpu, generator } = scenario;
    const others = (Object.keys(rates) as Contender[]).filter((each) => each !== 'sqlite' && each !== 'postgres');
    return others.map((other, index) => {
      // The server's own figures stand in the first row of a scenario.
      const isFirst = index === 0;
      const own = isFirst ? [title, microseconds(cpu.sqlite)] : ['', ''];
      const ownRates = isFirst ? [thousands(rates.sqlite), thousands(rates.postgres)] : ['', ''];
      const busy = [generator.sqlite, generator[other]].map(percent).join(' / ');
      const theirs = [microseconds(cpu[other]), ...ownRates, thousands(rates[other])];
      return [...own, titles[other], ...theirs, ...ratios(scenario, other), busy];
    });
  });
  const head = [
    'what',
    'CPU, SQLite',
    'against',
    'its CPU',
    'SQLite',
    'PostgreSQL',
    'its rate',
    'ratio',
    'ratio, PostgreSQL',
    'goal',
    'generator',
  ];
  return table(head, rows);
}

function ratios(scenario: Throughput, other: Contender): string[] {
  const ratio = ratioOf(scenario, 'sqlite', other);
  const goal = scenario.goals[other];
  const isMet = goal === undefined ? undefined : (value: number) => value >= goal;
  return [marked(number(ratio), ratio, isMet), number(ratioOf(scenario, 'postgres', other)), number(goal)];
}

/** `undefined` if one of the two waited for the generator: the ratio would flatter the other one. */
function ratioOf(
  { rates, generator }: Throughput,
  server: 'sqlite' | 'postgres',
  other: Contender,
): number | undefined {
  const [own, theirs] = [rates[server], rates[other]];
  const hasWaited = [server, other].some((contender) => (generator[contender] ?? 0) > 0.9);
  return own === undefined || theirs === undefined || hasWaited ? undefined : own / theirs;
}

function growthTable(measured: readonly Growth[]): string {
  const rows = measured.map(({ title, goal, databases: { sqlite, postgres } }) => {
    const met = (limit: number | undefined) => (limit === undefined ? undefined : (value: number) => value <= limit);
    return [
      title,
      milliseconds(sqlite?.few),
      marked(milliseconds(sqlite?.many), sqlite?.many, met(sqlite?.limit)),
      milliseconds(postgres?.few),
      marked(milliseconds(postgres?.many), postgres?.many, met(postgres?.limit)),
      goal,
    ];
  });
  const head = ['what', 'few', 'many', 'PostgreSQL, few', 'PostgreSQL, many', 'goal'];
  return table(head, rows);
}

function limitsTable(measured: readonly Limit[]): string {
  const rows = measured.map(({ title, unit, value, limit }) => {
    const shown = (figure: number | undefined): string => [whole(figure), unit].join(' ').trim();
    return [
      title,
      marked(shown(value), value, limit === undefined ? undefined : (figure) => figure <= limit),
      limit === undefined ? absent : `at most ${shown(limit)}`,
    ];
  });
  return table(['what', 'measured', 'goal'], rows);
}

/** A figure in bold if it meets its goal. */
function marked(text: string, value: number | undefined, meets: ((value: number) => boolean) | undefined): string {
  return value !== undefined && meets?.(value) ? `**${text}**` : text;
}

function thousands(rate: number | undefined): string {
  return rate === undefined ? absent : `${(rate / 1000).toPrecision(2)} k`;
}

function number(ratio: number | undefined): string {
  return ratio === undefined ? absent : ratio.toFixed(2);
}

function percent(share: number | undefined): string {
  return share === undefined ? absent : `${Math.round(share * 100)} %`;
}

function microseconds(time: number | undefined): string {
  return time === undefined ? absent : `${Math.round(time)} µs`;
}

function milliseconds(time: number | undefined): string {
  return time === undefined ? absent : `${time < 100 ? time.toFixed(1) : Math.round(time)} ms`;
}

function whole(value: number | undefined): string {
  return value === undefined ? absent : Math.round(value).toLocaleString('en-GB');
}

/** A column without a single figure is left out. */
function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  const isMeasured = head.map((_, column) => rows.some((cells) => !/^(–.*)?$/.test(cells[column] ?? '')));
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.filter((_, column) => isMeasured[column]).join(' | ')} |`)
    .join('\n');
}

const width = 860;
const left = 330;
const right = 30;
const top = 64;
const rowHeight = 30;
const colours = { few: '#5b7fa6', many: '#0e3f3a', goal: '#777' };

export function growthPlot(growth: readonly Growth[]): string {
  const rows = growth.flatMap(({ title, databases: { sqlite } }) =>
    sqlite ? [{ title: title.replaceAll('`', ''), ...sqlite }] : [],
  );
  const times = rows.flatMap(({ few, many, limit }) => [few, many, limit]);
  const first = Math.floor(Math.log10(Math.min(...times, 1)));
  const last = Math.ceil(Math.log10(Math.max(...times, 10)));
  const x = (time: number): number =>
    round(left + ((Math.log10(time) - first) / (last - first)) * (width - left - right));
  const bottom = top + rows.length * rowHeight;
  const decades = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  const grid = decades.map(
    (time) =>
      `<path d="M${x(time)} ${top - 12}V${bottom}" stroke="#ddd"/><text x="${x(time)}" y="${bottom + 18}" text-anchor="middle">${label(time)}</text>`,
  );
  const lines = rows.map(({ title, few, many, limit }, index) => {
    const y = top + index * rowHeight + 4;
    return [
      `<text x="${left - 14}" y="${y + 4}" text-anchor="end">${escaped(title)}</text>`,
      `<path d="M${x(few)} ${y}H${x(many)}" stroke="${colours.many}"/>`,
      `<path d="M${x(limit)} ${y - 9}v18" stroke="${colours.goal}" stroke-width="2"/>`,
      circle(x(few), y, colours.few),
      circle(x(many), y, colours.many),
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 34}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    '<title>Time of single requests at 1,000 and at 1,000,000 products, SQLite</title>',
    `<rect width="${width}" height="${bottom + 34}" fill="#fff"/>`,
    legend(),
    ...grid,
    ...lines,
    '</svg>\n',
  ].join('\n');
}

function legend(): string {
  const entries = [
    `${circle(24, 24, colours.few)}<text x="36" y="28">1,000 products</text>`,
    `${circle(164, 24, colours.many)}<text x="176" y="28">1,000,000 products</text>`,
    `<path d="M334 15v18" stroke="${colours.goal}" stroke-width="2"/><text x="346" y="28">goal at 1,000,000</text>`,
  ];
  return entries.join('');
}

function circle(x: number, y: number, colour: string): string {
  return `<circle cx="${x}" cy="${y}" r="5" fill="${colour}"/>`;
}

function label(time: number): string {
  return time >= 1000 ? `${time / 1000} s` : `${Number(time.toPrecision(1))} ms`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
