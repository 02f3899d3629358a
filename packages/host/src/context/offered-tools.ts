import type { ServerConnection } from '../connections/connection.ts'
import type { ModelTool } from '../models/model.ts'
import { readResultTool, type StoredResults } from './kept-results.ts'
import { readResourceTool } from './read-resource.ts'
import type { ToolSelection } from './tool-selection.ts'

interface Offering {
  readonly connections: readonly ServerConnection[]
  readonly selection: ToolSelection
  readonly stored: StoredResults
}

/** Every definition that a request to the model carries now: those of servers, and the host's own. */
export function offeredTools({ connections, selection, stored }: Offering): readonly ModelTool[] {
  const readResource = readResourceTool(connections)
  return [
    ...selection.tools(),
    ...(readResource === undefined ? [] : [readResource]),
    ...(stored.size > 0 ? [readResultTool] : []),
  ]
}
