import { revisions } from '@parley/mcp'

import type { ServerSettings } from '../../protocol/index.ts'
import { ProblemError } from '../problem.ts'

/** All that a client can be asked is offered, until the user says otherwise. */
export const defaultSettings: ServerSettings = {
  era: 'auto',
  roots: [],
  offers: {
    elicitForm: true,
    elicitUrl: true,
    sampling: true,
    roots: true,
    tasks: true,
    skills: true,
    apps: true,
  },
}

/** A choice of revisions that `connect` takes. */
export type Era = 'auto' | 'legacy' | 'modern' | (typeof revisions)[number]

/** Throws a problem for what is no revision. */
export function readEra(era: string): Era {
  const eras: readonly string[] = ['auto', 'legacy', 'modern', ...revisions]
  if (eras.includes(era)) return era as Era // it is one of them
  throw new ProblemError('invalid_era', `unknown revision ${JSON.stringify(era)}`, {
    hint: `Use one of ${eras.join(', ')}.`,
  })
}
