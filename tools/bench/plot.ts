/** Draws the growth: each request at few and at many products, with its goal, on a logarithmic scale. */
import type { Growth } from './growth.ts';

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
