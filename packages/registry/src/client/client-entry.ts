import {
  exportConfig,
  readConfigText,
  type ExportedConfig,
  type WritableFormat,
} from '@parley/foundation/config'

import type { InstallQuestion } from '../install/entry-values.ts'
import type { InstallEntry, InstallMachine, InstallPlan } from '../install/install-plan.ts'

/** Answers by the ids of questions. */
export type InstallAnswers = { readonly [id: string]: string | undefined }

/** An entry for a product, with what is left to ask there. */
export interface ClientEntry {
  /** As it goes into the product's file. */
  readonly exported: ExportedConfig
  /** The entry, before it was written for the product. */
  readonly entry: InstallEntry
  /** Questions that the entry refers to by their id in the file: secrets, and what was not answered. */
  readonly open: readonly OpenQuestion[]
  /** The same questions, as files with `inputs` have them. */
  readonly inputs: readonly object[]
}

/** A question, and what the file calls it. */
export interface OpenQuestion {
  /** The question. */
  readonly question: InstallQuestion
  /** The id of the file's `inputs`. */
  readonly inputId: string
}

/**
 * Turns a plan into an entry for a product. Answers stand in the entry, secrets never do: the file asks for them, or takes
 * them from the environment where a product cannot ask.
 */
export function createClientEntry(
  plan: InstallPlan,
  options: {
    readonly name: string
    readonly format: WritableFormat
    readonly answers: InstallAnswers
    /** What the entry has to know of the machine that it is for. */
    readonly machine?: InstallMachine | undefined
  },
): ClientEntry {
  const { name, format, answers, machine } = options
  const open = new Map<string, OpenQuestion>()
  const entry = plan.fill((question) => {
    const answer = answers[question.id] ?? question.default
    if (answer !== undefined && !question.isSecret) return answer
    if (answer === undefined && !question.isRequired) return undefined
    const inputId = `${name}-${question.id}`.replaceAll(/[^\w-]+/g, '-')
    open.set(question.id, { question, inputId })
    return `\${input:${inputId}}`
  }, machine)
  const inputs = [...open.values()].map(({ question, inputId }) => ({
    id: inputId,
    ...(question.description !== undefined && { description: question.description }),
    ...(question.choices && !question.isSecret
      ? { type: 'pickString', options: question.choices }
      : { type: 'promptString', password: question.isSecret }),
  }))
  const text = JSON.stringify({ inputs, mcpServers: { [name]: serverOf(entry) } })
  const { entries } = readConfigText(text, { name: 'mcp.json', cwd: '/' })
  return { entry, inputs, open: [...open.values()], exported: exportConfig(entries, format) }
}

function serverOf(entry: InstallEntry): object {
  if (entry.kind === 'url') {
    const { type, url, headers } = entry
    return { type, url, ...(Object.keys(headers).length > 0 && { headers }) }
  }
  const { command, args, env } = entry
  return { command, args, ...(Object.keys(env).length > 0 && { env }) }
}

/** A name for the entry: the part behind the slash. */
export function entryName(serverName: string): string {
  return serverName.slice(serverName.indexOf('/') + 1).replaceAll(/[^\w-]+/g, '-')
}

/** Names of products as people type them. */
export const clientFormats: { readonly [client: string]: WritableFormat } = {
  claude: 'claude-code',
  'claude-desktop': 'claude-desktop',
  vscode: 'vscode',
  cursor: 'cursor',
  parley: 'parley',
  codex: 'codex',
  windsurf: 'windsurf',
  zed: 'zed',
  gemini: 'gemini',
  'copilot-cli': 'copilot',
  opencode: 'opencode',
  goose: 'goose',
  'lm-studio': 'lmstudio',
  cline: 'cline',
  continue: 'continue',
  jetbrains: 'jetbrains',
}
