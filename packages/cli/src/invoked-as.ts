import { parleyProgram } from '@parley/foundation/command-line'

import type { Io } from './io.ts'

/**
 * Our own words, with `parley` written as this person has to: who runs us by npx has no such command, and the package
 * of that name on npm is somebody else's.
 */
export function asInvoked(text: string, { npm_command: npm }: Io['env']): string {
  return npm === 'exec' ? text.replaceAll(command, parleyProgram) : text
}

const command = /(?<![\w@/.-])parley(?= (?:[a-z<]|--?[a-zA-Z]))/g
