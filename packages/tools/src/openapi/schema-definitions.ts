import type { JsonSchema } from '@parley/mcp'

import { convertSchema, type Conversion, type Direction } from './convert-schema.ts'
import { pointedAt, type OpenApiDocument } from './read-document.ts'

/** Makes schemas that stand alone: what they refer to comes with them, as `$defs`. */
export interface SchemaDefinitions {
  /** A schema of the document, converted; references are to `$defs`, by names that `definitionsFor` knows. */
  convert(schema: unknown, direction: Direction): JsonSchema | boolean
  /**
   * All that a converted schema refers to, directly or not; the nearest first. What goes beyond `maxBytes` is described
   * as anything at all.
   */
  definitionsFor(schema: JsonSchema, direction: Direction, maxBytes: number): Definitions
}

interface Definitions {
  readonly [name: string]: JsonSchema | boolean
}

/** A part of the document that others refer to, converted once for all tools. */
interface Definition {
  readonly schema: JsonSchema | boolean
  readonly bytes: number
  /** Names that it refers to itself. */
  readonly needs: readonly string[]
}

export function createSchemaDefinitions({
  root,
  isOldDialect,
}: OpenApiDocument): SchemaDefinitions {
  const names = createNames()
  const existing = { input: new Map<string, Definition>(), output: new Map<string, Definition>() }

  function convert(schema: unknown, direction: Direction): JsonSchema | boolean {
    const how: Conversion = {
      direction,
      isOld: isOldDialect,
      reference: (pointer) => `#/$defs/${names.of(pointer)}`,
    }
    return convertSchema(schema, how)
  }

  function definition(name: string, direction: Direction): Definition {
    const made = existing[direction].get(name)
    if (made !== undefined) return made
    const schema = convert(pointedAt(root, names.pointer(name)), direction)
    const text = JSON.stringify(schema)
    const fresh = { schema, bytes: text.length, needs: namesIn(text) }
    existing[direction].set(name, fresh)
    return fresh
  }

  return {
    convert,
    definitionsFor(schema, direction, maxBytes) {
      const definitions: { [name: string]: JsonSchema | boolean } = {}
      const waiting = [...namesIn(JSON.stringify(schema))]
      let bytes = 0
      for (let at = 0; at < waiting.length; at++) {
        const name = waiting[at] ?? ''
        if (Object.hasOwn(definitions, name)) continue
        const { schema: defined, bytes: own, needs } = definition(name, direction)
        if (bytes + own > maxBytes) {
          definitions[name] = {}
          continue
        }
        bytes += own
        definitions[name] = defined
        waiting.push(...needs)
      }
      return definitions
    },
  }
}

/** Our own references, which are the only ones; names have no characters that JSON escapes. */
function namesIn(text: string): readonly string[] {
  return [
    ...new Set([...text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name ?? '')),
  ]
}

/** Names of definitions: the last part of a pointer, where it is not taken. */
function createNames() {
  const pointers = new Map<string, string>()
  const byPointer = new Map<string, string>()
  return {
    of(pointer: string): string {
      const named = byPointer.get(pointer)
      if (named !== undefined) return named
      const last = pointer.split('/').at(-1) ?? ''
      let name = last.replaceAll(/[^A-Za-z0-9_.-]/g, '_') || 'root'
      while (pointers.has(name) || name === '__proto__') name = `${name}_`
      pointers.set(name, pointer)
      byPointer.set(pointer, name)
      return name
    },
    pointer: (name: string): string => pointers.get(name) ?? '#',
  }
}
