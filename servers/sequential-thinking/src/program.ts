import { env } from 'node:process'

import { enableFlag, pickExtras, type ProgramOptions } from '@parley/server-kit/program'

import { boxThought } from './box-thought.ts'
import { createSequentialThinkingServer, extras } from './sequential-thinking.ts'

const options = {
  enable: enableFlag(extras),
} as const

/** The sequential thinking server as a program. */
export const sequentialThinkingProgram: ProgramOptions<typeof options> = {
  name: 'sequential-thinking',
  version: '0.1.0',
  summary: 'Thinking in steps. DISABLE_THOUGHT_LOGGING=true keeps the thoughts off standard error.',
  options,
  create({ values, log }) {
    const isQuiet = env['DISABLE_THOUGHT_LOGGING']?.toLowerCase() === 'true'
    return createSequentialThinkingServer({
      enable: pickExtras(values.enable, extras),
      onThought: isQuiet ? undefined : (thought) => log(boxThought(thought)),
    })
  },
}
