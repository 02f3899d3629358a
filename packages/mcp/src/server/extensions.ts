import { metaKeyProblem } from '../schema/metadata.ts'
import type { Codec } from '../wire/codec.ts'
import { CallContext } from './context.ts'
import type { Definition } from './definition.ts'
import type { ServerExtension } from './extension-hooks.ts'
import { invalidDefinition } from './feature.ts'
import type { Method } from './peer/dispatch.ts'

/** Extensions whose names can be told to a peer, each once. */
export function checkExtensions<App>(
  extensions: readonly ServerExtension<App>[],
): readonly ServerExtension<App>[] {
  const seen = new Set<string>()
  for (const { id } of extensions) {
    const feature = `extension ${JSON.stringify(id)}`
    const problem = id.includes('/') ? metaKeyProblem(id) : 'it begins with a prefix and a slash'
    if (problem !== undefined) throw invalidDefinition(feature, problem)
    if (seen.has(id)) throw invalidDefinition(feature, 'it is given twice')
    seen.add(id)
  }
  return extensions
}

/** The method of an extension that has it in this revision. Its params are its own to check. */
export function extensionMethod(
  { settings }: Definition,
  name: string,
  codec: Codec,
): Method | undefined {
  const extension = settings.extensions.find(
    ({ methods }) => methods && Object.hasOwn(methods, name),
  )
  const run = extension?.methods?.[name]
  if (extension === undefined || run === undefined) return undefined
  if (extension['~server']?.methods?.(codec).has(name) === false) return undefined
  return async (definition, params, call) => {
    const app = await definition.settings.app?.(new CallContext(call, undefined))
    const result = await run(params as never, new CallContext(call, app) as never) // its params, and the app of this server
    return { kind: 'result', result }
  }
}
