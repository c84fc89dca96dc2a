/** A request and its response as text, as HTTP writes them. */
import type { ReportedExchange } from './report.ts';

export interface Section {
  readonly title: string;
  readonly head: string;
  readonly body: string;
  /** Says that the body is cut. */
  readonly note: string;
}

/** @param maxBody the number of characters after which a body is cut */
export function sectionsOf({ request, response }: ReportedExchange, maxBody: number): readonly Section[] {
  const sent = section('Request', `${request.method} ${request.url}`, request, maxBody);
  if (response === undefined) return [sent];
  return [sent, section('Response', `HTTP ${response.status}`, response, maxBody)];
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function section(title: string, start: string, { headers, body = '' }: Message, maxBody: number): Section {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = pretty(body);
  const isCut = text.length > maxBody;
  return {
    title,
    head: [start, ...lines].join('\n'),
    body: isCut ? text.slice(0, maxBody).toWellFormed() : text,
    note: isCut ? `Only ${number(maxBody)} of ${number(text.length)} characters are shown.` : '',
  };
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function number(value: number): string {
  return value.toLocaleString('en-GB');
}
