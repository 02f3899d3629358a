/**
 * `node --import @parley/compat/register`: whoever imports or requires the official SDK gets this package.
 *
 * Zod is taken from where the program has it, so that there is one copy. Hooks for `import` run on a thread of their own in Node 20 and
 * 22 and do not reach `require`, whose resolver is patched.
 */

import module, { createRequire } from 'node:module'

import { describeMissing } from './missing-path.ts'

const official = '@modelcontextprotocol/sdk'
const own = '@parley/compat'

/** The inside of Node's CommonJS loader that loaders of others change too. */
interface CommonJsLoader {
  _resolveFilename(
    request: string,
    parent: { filename?: string } | undefined,
    ...rest: unknown[]
  ): string
}

const loader = module as unknown as CommonJsLoader
const resolveFilename = loader._resolveFilename
const ownRequire = createRequire(import.meta.url)
let program: { filename?: string } | undefined

loader._resolveFilename = function (request, parent, ...rest) {
  const isOfficial = request === official || request.startsWith(`${official}/`)
  if (isOfficial) {
    program ??= parent
    try {
      return ownRequire.resolve(own + request.slice(official.length))
    } catch (error) {
      throw describeMissing(error, request)
    }
  }
  const isZod = request === 'zod' || request.startsWith('zod/')
  if (isZod && program && isOwn(parent?.filename)) {
    try {
      return resolveFilename.call(this, request, program, ...rest)
    } catch {
      // A program without Zod uses ours.
    }
  }
  return resolveFilename.call(this, request, parent, ...rest)
}

const here = new URL('.', import.meta.url)

function isOwn(filename: string | undefined): boolean {
  return filename !== undefined && new URL(`file://${filename}`).href.startsWith(here.href)
}

module.register('#loader', import.meta.url)
