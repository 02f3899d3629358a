import type { JsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { decodeStep, mapReferences } from './schema-references.ts'

/**
 * Leaves out definitions that nothing refers to any more: those of hidden arguments say what callers should not see. A schema
 * with anchors or ids of its own is left as it is.
 */
export function dropUnused(schema: JsonSchema): JsonSchema {
  const { $defs, ...rest } = schema
  if (
    !isJsonObject($defs) ||
    /"\$(?:dynamicRef|anchor|dynamicAnchor|id)":/.test(JSON.stringify(schema))
  ) {
    return schema
  }
  const used = new Set<string>()
  const note = (reference: string) => {
    const [, step] = /^#\/\$defs\/([^/]+)/.exec(reference) ?? []
    if (step !== undefined) used.add(decodeStep(step))
    return reference
  }
  mapReferences(rest, note)
  // A set may grow while it is read: what is used may use more.
  for (const name of used) {
    const definition = $defs[name]
    if (isJsonObject(definition)) mapReferences(definition, note)
  }
  const kept = Object.entries($defs).filter(([name]) => used.has(name))
  return kept.length === 0 ? rest : { ...rest, $defs: Object.fromEntries(kept) }
}
