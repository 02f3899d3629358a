import { resolve } from 'node:path'

import type { LoadedChecks } from '@parley/gateway'
import { errorMessage } from '@parley/mcp/json'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { counted, flat } from '../output/printer.ts'

/** What the file of a gateway says about checks; a mistake in it ends the command. */
export async function requireChecks(file: string, io: Io): Promise<LoadedChecks> {
  const { loadChecks } = await import('@parley/gateway')
  let loaded: LoadedChecks
  try {
    loaded = await loadChecks(resolve(io.cwd, file))
  } catch (error) {
    const why = errorMessage(error)
    throw new CliError('error', `${flat(file)} cannot be read: ${flat(why)}`)
  }
  const [first] = loaded.problems
  if (first === undefined) return loaded
  const message = `${counted(loaded.problems.length, 'error')} in ${flat(file)}: ${first.path.join('.')}: ${flat(first.message)}`
  throw new CliError('invalid', message, { hint: `parley gateway check ${flat(file)} shows all.` })
}
