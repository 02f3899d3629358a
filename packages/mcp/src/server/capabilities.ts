import type { AuthInfo } from '../rpc/auth-info.ts'
import type { ServerCapabilities } from '../schema/capabilities.ts'
import type { Definition } from './definition.ts'
import { indexOf } from './feature-index.ts'

/** Data about the caller, when capabilities are declared to it. */
export interface ContextCaller {
  readonly isLocal: boolean
  readonly auth?: AuthInfo | undefined
}

/** The capabilities that are declared to a caller now: of the kinds that exist, and of those declared in advance. */
export function capabilitiesOf(
  definition: Definition,
  caller: ContextCaller = stranger,
): ServerCapabilities {
  const index = indexOf(definition)
  index.declared ??= describe(definition)
  const { hooks } = definition
  if (hooks.length === 0) return index.declared
  return Object.assign({ ...index.declared }, ...hooks.map((hook) => hook.capabilities?.(caller)))
}

const stranger: ContextCaller = { isLocal: false }

function describe(definition: Definition): ServerCapabilities {
  const { tools, resources, templates, prompts, completes } = indexOf(definition)
  const { declares, experimental, extensions } = definition.settings
  const declared = extensions.map(({ id, settings = {} }) => [id, settings] as const)
  const hasResources = resources.size > 0 || templates.size > 0 || declares.includes('resources')
  return {
    ...((tools.size > 0 || declares.includes('tools')) && { tools: { listChanged: true } }),
    ...(hasResources && { resources: { listChanged: true, subscribe: true } }),
    ...((prompts.size > 0 || declares.includes('prompts')) && { prompts: { listChanged: true } }),
    ...(completes && { completions: {} }),
    logging: {},
    ...(experimental && { experimental }),
    ...(declared.length > 0 && { extensions: Object.fromEntries(declared) }),
  }
}

/** The server's own instructions; without them those of mounted servers, each under a heading. */
export function instructionsOf(definition: Definition): string | undefined {
  if (definition.settings.instructions !== undefined) return definition.settings.instructions
  const parts: string[] = []
  for (const slot of definition.slots) {
    if (slot.kind !== 'mount') continue
    const inner = instructionsOf(slot.inner)
    if (inner !== undefined)
      parts.push(`## ${slot.inner.info.title ?? slot.inner.info.name}\n\n${inner}`)
  }
  return parts.length === 0 ? undefined : parts.join('\n\n')
}
