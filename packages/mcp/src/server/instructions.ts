import type { Definition } from './definition.ts'

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
