/** Hooks for Node's loader, in its own thread: TypeScript loses its types on the way. */

import { Buffer } from 'node:buffer'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { LoadHook, ResolveHook } from 'node:module'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

import type * as Oxc from 'oxc-transform'

import { stripTypeScriptTypes } from './strip-types.ts'

let oxc: typeof Oxc | undefined

/** Where the transformer is, if it is there. */
export async function initialize({
  transformer,
}: {
  readonly transformer: string | undefined
}): Promise<void> {
  if (transformer === undefined) return
  oxc = (await import(pathToFileURL(transformer).href)) as typeof Oxc // by its own declarations
}

const typescript = /\.m?tsx?$/

/** `./a.js` may be `./a.ts`, as the compiler lets people write it. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const { parentURL } = context
  if (/^(?:\.{0,2}\/|file:)/.test(specifier) && parentURL?.startsWith('file:')) {
    const url = new URL(specifier, parentURL)
    const written = new URL(url.href.replace(/\.(m?)js(x?)$/, '.$1ts$2'))
    if (!existsSync(url) && existsSync(written)) {
      return { url: written.href, shortCircuit: true }
    }
  }
  return next(specifier, context)
}

export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith('file:') || !typescript.test(new URL(url).pathname)) return next(url, context)
  const file = fileURLToPath(url)
  const text = await readFile(file, 'utf8')
  return { format: 'module', source: await withoutTypes(file, text, url), shortCircuit: true }
}

/** Nothing here is said to the user: Node warns that its own transformer is new. */
process.removeAllListeners('warning')

/** By `oxc-transform` where it is, which knows TSX too; else by Node. */
async function withoutTypes(file: string, text: string, url: string): Promise<string> {
  const strip = stripTypeScriptTypes()
  if (oxc === undefined && strip !== undefined && !file.endsWith('x')) {
    return strip(text, { mode: 'transform', sourceMap: true, sourceUrl: url })
  }
  if (oxc === undefined)
    throw new Error(`${file} needs oxc-transform: npm install oxc-transform@0.155.0`)
  const { code, errors, map } = await oxc.transform(file, text, { sourcemap: true })
  const [first] = errors
  if (first !== undefined)
    throw new SyntaxError(`${file}: ${first.message}\n${first.codeframe ?? ''}`)
  const mapped = Buffer.from(JSON.stringify(map)).toString('base64')
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${mapped}\n`
}
