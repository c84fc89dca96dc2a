/** The command succeeds. */
import { type Cause, type ClientCheck, type ClientRun, type Findings, interrupted } from '../check.ts';

export const ending: readonly ClientCheck[] = [
  {
    id: 'CLIENT-7.exit',
    title: 'The command ends with exit code 0.',
    clause: '/info/description',
    findings: endingOf,
  },
];

const causes: Readonly<Record<Cause, string>> = {
  none: '',
  program: ' It fails without disturbances, too.',
  together: ' It succeeds without disturbances, and no disturbance alone makes it fail.',
  limits: ' It succeeds if no request gets 429.',
  drops: ' It succeeds if no response to a create is lost.',
  fields: ' It succeeds if no response has an unknown field.',
  values: ' It succeeds if no response has an unknown value.',
  pages: ' It succeeds if pages are large and the list does not grow.',
  redirect: '',
};

function endingOf({ main, cause }: ClientRun): Findings {
  if (main.ending === 'interrupted') return { notExercised: interrupted };
  return main.ending.isSuccess ? {} : { reasons: [`The command ended ${main.ending.words}.${causes[cause]}`] };
}
