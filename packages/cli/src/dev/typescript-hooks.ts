/** Hooks for Node's loader, in its own thread: TypeScript loses its types on the way, where Node does not do it. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'

import { transform } from 'oxc-transform'

const typescript = /\.[cm]?tsx?$/

/** `./a.js` may be `./a.ts`, as the compiler lets people write it. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  if (/^\.{0,2}\//.test(specifier) && context.parentURL !== undefined) {
    const url = new URL(specifier, context.parentURL)
    const written = url.href.replace(/\.([cm]?)js$/, '.$1ts')
    if (url.protocol === 'file:' && !existsSync(url) && existsSync(new URL(written))) {
      return { url: written, shortCircuit: true }
    }
  }
  return next(specifier, context)
}

export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith('file:') || !typescript.test(new URL(url).pathname)) return next(url, context)
  const file = fileURLToPath(url)
  const { code, errors } = await transform(file, await readFile(file, 'utf8'), { sourcemap: false })
  const [first] = errors
  if (first !== undefined)
    throw new SyntaxError(`${file}: ${first.message}\n${first.codeframe ?? ''}`)
  return { format: 'module', source: code, shortCircuit: true }
}
