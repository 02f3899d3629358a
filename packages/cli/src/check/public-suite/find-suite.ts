import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { resolveCommand } from '@parley/mcp/system'

import { CliError } from '../../exit.ts'
import type { Io } from '../../io.ts'

const suiteName = '@modelcontextprotocol/conformance'

/** The release that this command knows the scenarios of. */
export const suiteVersion = '0.2.0-alpha.12'

/** The suite's program: the one that is installed where we are or where we are called, else npm brings it. */
export async function findSuite(io: Io, onFetch: () => void): Promise<string> {
  const places = [import.meta.url, pathToFileURL(join(io.cwd, 'here.js')).href]
  const installed = places.map(installedAt).find((file) => file !== undefined)
  if (installed !== undefined) return installed
  onFetch()
  return fetchSuite(io)
}

function installedAt(place: string): string | undefined {
  try {
    return programIn(createRequire(place).resolve(`${suiteName}/package.json`))
  } catch {
    return undefined // not there
  }
}

function programIn(manifest: string): string | undefined {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown } // every manifest is an object
  return version === suiteVersion ? join(manifest, '..', 'dist', 'index.js') : undefined
}

/** npx puts it into its own store, and the store's folder before all others on PATH. */
async function fetchSuite({ env, cwd, signal }: Io): Promise<string> {
  const args = [
    '--yes',
    `--package=${suiteName}@${suiteVersion}`,
    '--',
    'node',
    '-p',
    'process.env.PATH',
  ]
  const npx = resolveCommand('npx', args, { env })
  if (npx.kind !== 'found') {
    const reason = npx.kind === 'missing' ? 'npx is not on PATH' : npx.reason
    throw new CliError('error', `npm cannot install ${suiteName}@${suiteVersion}: ${reason}`)
  }
  const options = {
    env,
    cwd,
    signal,
    timeout: 300_000,
    windowsHide: true,
    windowsVerbatimArguments: npx.isVerbatim,
  }
  return new Promise((resolve, reject) => {
    execFile(npx.file, npx.args, options, (error, stdout, stderr) => {
      const manifests = stdout
        .trim()
        .split(delimiter)
        .map((folder) => join(folder, '..', suiteName, 'package.json'))
      const program = manifests.filter((file) => existsSync(file)).map(programIn)[0]
      if (program !== undefined) return resolve(program)
      reject(
        new CliError('error', `npm cannot install ${suiteName}@${suiteVersion}`, {
          hint: `Install it yourself: npm install ${suiteName}@${suiteVersion}`,
          details: { stderr: stderr || (error?.message ?? '') },
          cause: error,
        }),
      )
    })
  })
}
