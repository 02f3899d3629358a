import { parleyCommandLine, parleyProgram } from '../../command-line/index.ts'
import { inputVariable } from '../variables/inputs.ts'
import type { ConfigEntry, ConfigProblem } from './config-entry.ts'

/** An error about one key of an entry. */
export function entryProblem(
  entry: ConfigEntry,
  key: string,
  message: string,
  fix: string,
): ConfigProblem {
  const { name, source } = entry
  return { level: 'error', file: source.file, line: source.line, server: name, key, message, fix }
}

/** How a variable gets a value. */
export function fixFor(variable: string, reason: 'unset' | 'unknown'): string {
  const [, source = '', name = ''] = /^\$\{(?:(\w+):)?(.*)\}$/.exec(variable) ?? []
  if (reason === 'unknown') {
    return 'Use ${env:NAME}, ${NAME}, ${NAME:-default}, ${input:id}, ${secret:name}, ${file:path} or ${workspaceFolder}.'
  }
  switch (source) {
    case 'input':
      return `Set ${inputVariable(name)}, or say --input ${name}=…`
    case 'secret':
      return `Store it: ${storeLine(name)}`
    case 'file':
      return `Create the file ${name}.`
    case 'workspaceFolder':
      return 'Only the folder of the project has a name here: write ${workspaceFolder}.'
    default:
      return `Set ${name} in the environment, or write \${${name}:-default}.`
  }
}

/** The name is the file's, and may be anybody's. */
function storeLine(name: string): string {
  const command = { command: 'config inputs set', flags: ['--secret'] }
  return (
    parleyCommandLine({ ...command, words: [name] }) ??
    `${parleyProgram} config inputs set --secret NAME`
  )
}
