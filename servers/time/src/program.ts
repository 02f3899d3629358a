import { enableFlag, pickExtras, UsageError, type ProgramOptions } from '@parley/server-kit/program'

import { createTimeServer, extras } from './time.ts'

const options = {
  'local-timezone': {
    type: 'string',
    value: 'IANA',
    about: 'for questions without a zone (default that of this machine)',
  },
  enable: enableFlag(extras),
} as const

/** The time server as a program. */
export const timeProgram: ProgramOptions<typeof options> = {
  name: 'time',
  version: '0.1.0',
  summary: 'The time in any zone, and conversion between zones.',
  options,
  create({ values }) {
    const enable = pickExtras(values.enable, extras)
    try {
      return createTimeServer({ localTimezone: values['local-timezone'], enable })
    } catch (error) {
      throw error instanceof TypeError ? new UsageError(error.message) : error
    }
  },
}
