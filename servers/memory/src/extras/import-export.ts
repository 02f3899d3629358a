import type { LineStore } from '@parley/server-kit/store'

import {
  encodeRecord,
  entityRecord,
  parseRecord,
  relationRecord,
  type Entity,
  type GraphRecord,
} from '../graph/record.ts'
import { tripleKey, type GraphView } from '../graph/view.ts'

/** What an import did, or why it did nothing. */
export type Imported =
  | { readonly entities: number; readonly observations: number; readonly relations: number }
  | { readonly refused: string }

/** The graph as its file has it. */
export function exportLines({ entities, relations }: GraphView): string {
  const records = [
    ...[...entities.values()].map(entityRecord),
    ...[...relations.values()].map(relationRecord),
  ]
  return records.map((record) => `${JSON.stringify(encodeRecord(record))}\n`).join('')
}

/** Adds what is not there yet. */
export async function importLines(
  store: LineStore<GraphRecord, GraphView>,
  lines: string,
): Promise<Imported> {
  const read = readRecords(lines)
  if (read.refused !== undefined) return { refused: read.refused }
  const { entities, relations } = read
  return store.change((view, edit) => {
    let observations = 0
    let created = 0
    for (const entity of entities.values()) {
      const [line] = view.named(entity.name)
      const existing = line && view.entities.get(line)
      const fresh = entity.observations.filter(
        (observation) => !existing?.observations.includes(observation),
      )
      observations += fresh.length
      if (!existing) created += 1
      if (!existing) edit.add(entityRecord(entity))
      else if (fresh.length > 0) {
        edit.replace(
          line,
          entityRecord({ ...existing, observations: [...existing.observations, ...fresh] }),
        )
      }
    }
    const fresh = [...relations.values()].filter((relation) => !view.hasRelation(relation))
    for (const relation of fresh) edit.add(relationRecord(relation))
    return { entities: created, observations, relations: fresh.length }
  })
}

/** By name and by triple, so that what is there twice counts once. */
function readRecords(lines: string) {
  const entities = new Map<string, Entity>()
  const relations = new Map<string, Extract<GraphRecord, { type: 'relation' }>['relation']>()
  for (const [index, text] of lines.split('\n').entries()) {
    if (text.trim() === '') continue
    const parsed = parseRecord(parseJson(text))
    if (parsed.kind !== 'record')
      return { refused: `Line ${index + 1} is not an entity or relation. Nothing was imported.` }
    if (parsed.value.type === 'relation') {
      relations.set(tripleKey(parsed.value.relation), parsed.value.relation)
      continue
    }
    const { entity } = parsed.value
    const before = entities.get(entity.name)?.observations ?? []
    const observations = [...new Set([...before, ...entity.observations])]
    entities.set(entity.name, { ...entity, observations })
  }
  return { entities, relations }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // refused by its number
  }
}
