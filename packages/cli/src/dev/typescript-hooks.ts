/** Hooks for Node's loader, in its own thread: TypeScript loses its types on the way. */

import { Buffer } from 'node:buffer'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'

import { transform } from 'oxc-transform'

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
  const { code, errors, map } = await transform(file, await readFile(file, 'utf8'), {
    sourcemap: true,
  })
  const [first] = errors
  if (first !== undefined)
    throw new SyntaxError(`${file}: ${first.message}\n${first.codeframe ?? ''}`)
  const mapped = Buffer.from(JSON.stringify(map)).toString('base64')
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${mapped}\n`
  return { format: 'module', source, shortCircuit: true }
}
