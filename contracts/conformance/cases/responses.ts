/** HTTP-6 and HTTP-7: every response of the run is documented, and fits the schema of its operation. */
import type { Contract } from '@product-passport/openapi';
import { operationAt } from '../operation-at.ts';
import type { WholeRun, WholeRunCase, WholeRunFindings } from '../whole-run.ts';

const maxExamples = 5;

export function responses({ operations }: Contract): WholeRunCase[] {
  return operations.flatMap(({ operationId, path, method, origin }) => {
    const clause = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}/responses`;
    const described: WholeRunCase = {
      id: `HTTP-6.${operationId}`,
      title: `Every response of ${operationId} has the documented shape.`,
      claim: claimOf(path),
      clause,
      findings: (run) => findingsOf(run, operationId, 'core'),
    };
    const closed: WholeRunCase = {
      id: `HTTP-7.${operationId}`,
      title: `Every response of ${operationId} is in openapi.yaml, with nothing added.`,
      claim: 'reference',
      clause,
      findings: (run) => findingsOf(run, operationId, 'reference'),
    };
    return origin === 'description' ? [described, closed] : [closed];
  });
}

function claimOf(path: string): WholeRunCase['claim'] {
  if (path.startsWith('/api/')) return 'core';
  return path.startsWith('/p/') ? 'public' : 'digital-link';
}

function findingsOf(
  { exchanges, judges }: WholeRun,
  operationId: string,
  profile: 'core' | 'reference',
): WholeRunFindings {
  const judge = judges[profile];
  const examples = new Set<WholeRun['exchanges'][number]>();
  const reasons = new Set<string>();
  const warnings = new Set<string>();
  let exercised = false;
  for (const exchange of exchanges) {
    const { request, response } = exchange;
    const { method, path } = request;
    if (response === undefined || operationAt(judge.operations, method, path)?.operationId !== operationId) continue;
    exercised = true;
    const { status, headers, text: body } = response;
    for (const { where, what, severity } of judge.answer({ method, path, status, headers, body })) {
      // The indexes of lists would make one mistake many.
      const text = `${status}: ${where.replace(/\/\d+(?=\/|$)/g, '/*')} ${what}`;
      (severity === 'warning' ? warnings : reasons).add(text);
      if (severity !== 'warning' && examples.size < maxExamples) examples.add(exchange);
    }
  }
  return { exercised, reasons: [...reasons], warnings: [...warnings], examples: [...examples] };
}
