/**
 * Packages with machine code, which a program of one file cannot contain. A program that is installed with them finds them
 * beside it. Otherwise they are fetched by npm into a folder of the user's, once, after a question: `fetchNative`.
 */

import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { resolveCommand } from '@parley/mcp/system'

import { stateFolder } from '../secrets/index.ts'

/** A package that may have to be fetched. */
export interface NativePackage {
  /** The only version that is fetched. */
  readonly version: string
  /** The purpose, as in "parley needs it to …". */
  readonly use: string
  /** About how much is downloaded. */
  readonly size: string
}

/** The packages, by name. */
export const nativePackages = {
  libsql: { version: '0.5.29', use: 'keep data in SQLite', size: '8 MB' },
  'oxc-transform': { version: '0.155.0', use: 'run TypeScript', size: '3 MB' },
} as const satisfies { readonly [name: string]: NativePackage }

/** The name of one of them. */
export type NativeName = keyof typeof nativePackages

type Environment = { readonly [name: string]: string | undefined }

/** Where a package is: beside the program, or fetched before; undefined if it is in neither place. */
export function findNative(name: NativeName, env: Environment = process.env): string | undefined {
  for (const from of [import.meta.url, join(fetchedFolder(name, env), 'program.js')]) {
    try {
      return createRequire(from).resolve(name)
    } catch {
      // looked for in the next place
    }
  }
  return undefined
}

/** Loads a package that `findNative` finds. Throws with the line that installs it otherwise. */
export function requireNative(name: NativeName, env: Environment = process.env): unknown {
  const file = findNative(name, env)
  if (file === undefined) throw new NativeMissing(name)
  return createRequire(import.meta.url)(file)
}

/** Thrown where a package is used that is not there. */
export class NativeMissing extends Error {
  /** Its class. */
  override readonly name = 'NativeMissing'
  /** The package that is missing. */
  readonly package: NativeName
  /** The fix. */
  readonly hint: string

  /** Names the package, and the line that installs it. */
  constructor(name: NativeName) {
    const { version, use } = nativePackages[name]
    super(`${name} is needed to ${use}, and is not installed`)
    this.package = name
    this.hint = `Install it: npm install --global ${name}@${version}, beside a parley that is installed in the same way.`
  }
}

/** Downloads a package into the user's folder. No script of it is run. */
export async function fetchNative(
  name: NativeName,
  more: { readonly env?: Environment | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { env = process.env, signal } = more
  const folder = fetchedFolder(name, env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
  const wanted = `${name}@${nativePackages[name].version}`
  const npm = resolveCommand('npm', [...words, wanted], { env, cwd: folder })
  if (npm.kind !== 'found') throw new NativeMissing(name)
  const options = { cwd: folder, env, signal, windowsVerbatimArguments: npm.isVerbatim }
  await new Promise<void>((resolve, reject) => {
    execFile(npm.file, npm.args, options, (error) => (error === null ? resolve() : reject(error)))
  })
}

/** A folder for each version: another one that runs at the same time keeps its own. */
function fetchedFolder(name: NativeName, env: Environment): string {
  return join(stateFolder({ env }), 'packages', `${name}-${nativePackages[name].version}`)
}
