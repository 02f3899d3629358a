import type { NativeName } from '@parley/foundation/native'

import { stripTypeScriptTypes } from './dev/strip-types.ts'
import { CliError } from './exit.ts'
import type { Io } from './io.ts'
import { createPrompter } from './questions/asker.ts'

/** The variable that answers the question below where nobody can. */
const variable = 'PARLEY_FETCH'

/** Makes sure that SQLite is there before something is stored. */
export async function ensureSqlite(io: Io): Promise<void> {
  const { hasSqlite } = await import('@parley/foundation/native')
  if (!hasSqlite(io.env)) await ensureNative('libsql', io)
}

/** Whether a file needs it. */
export function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file)
}

/** Makes sure that TypeScript can be run. */
export async function ensureTypeScript(io: Io): Promise<void> {
  if (stripTypeScriptTypes() === undefined) await ensureNative('oxc-transform', io)
}

/** Makes sure that a package with machine code is there. It is downloaded once, after a question. */
export async function ensureNative(name: NativeName, io: Io): Promise<void> {
  const { fetchNative, findNative, nativePackages } = await import('@parley/foundation/native')
  if (findNative(name, io.env) !== undefined) return
  const { version, use, size } = nativePackages[name]
  const what = `${name} ${version}, to ${use}`
  if (!(await mayFetch(`This needs ${what}. Download it with npm now (${size}, once)?`, io))) {
    throw new CliError('error', `this needs ${what}, which is not installed`, {
      hint: `Run the command in a terminal and agree, set ${variable}=yes, or: npm install --global ${name}@${version}`,
    })
  }
  io.stderr.write(`downloading ${name} ${version} …\n`)
  await fetchNative(name, { env: io.env, signal: io.signal }).catch((cause: unknown) => {
    throw new CliError('error', `npm could not download ${name} ${version}`, { cause })
  })
}

async function mayFetch(question: string, io: Io): Promise<boolean> {
  if (io.env[variable] === 'yes') return true
  if (io.stdin.isTTY !== true) return false
  const prompter = createPrompter(io)
  try {
    const answer = await prompter.ask(`${question} [Y/n] `)
    return answer !== undefined && /^(?:y(?:es)?)?$/i.test(answer.trim())
  } finally {
    prompter.close()
  }
}
