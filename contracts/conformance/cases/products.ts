import type { Ask } from '../case.ts';
export const createControl: Ask = { method: 'POST', path: '/api/v1/products', json: { name: 'Verify control' } };
