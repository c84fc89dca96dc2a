import type { Language } from '../languages/languages.ts';
import { fill } from '../languages/words.ts';
import { type Page, translations } from './page.ts';
import { texts } from './texts.ts';

/** The content of an error page. */
export interface ErrorPage extends Page {
  status: string;
  message: string;
}

/** The error page of a status. It is the same for every product that does not exist. */
export function errorPage(status: number, language: Language): ErrorPage {
  const text = texts[language];
  const { title, text: message } = text.errors[errorKind(status)];
  return {
    language,
    text,
    title,
    translations: translations(),
    status: fill(text.errors.status, { status }),
    message,
  };
}

function errorKind(status: number): 'notFound' | 'method' | 'busy' | 'request' | 'failed' {
  if (status === 404) return 'notFound';
  if (status === 405) return 'method';
  if (status === 429 || status === 503) return 'busy';
  return status < 500 ? 'request' : 'failed';
}
