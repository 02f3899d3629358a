import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

import { ToolError } from '@parley/mcp'
import { createLineStore } from '@parley/server-kit/store'

import { createGraph, type Graph } from './graph/graph.ts'
import { encodeRecord, parseRecord } from './graph/record.ts'
import { createGraphView } from './graph/view.ts'

/** The graphs of one server: the one of the reference, and others beside it by name. */
export interface Graphs {
  /** The main one without a name. */
  open(name?: string): Graph
  /** Names of those that have a file, the main one left out. */
  list(): Promise<readonly string[]>
}

const nameRule = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Graphs in the folder of the main file, as `memory.<name>.jsonl`. */
export function createGraphs(file: string, onNotice: (notice: string) => void): Graphs {
  const opened = new Map<string, Graph>()
  const extension = extname(file)
  const stem = basename(file, extension)

  function pathOf(name: string): string {
    if (name === '') return file
    if (!nameRule.test(name)) {
      throw new ToolError(
        'The name of a graph has 1 to 64 of a-z, 0-9, _ and -, and begins with a letter or digit.',
      )
    }
    return join(dirname(file), `${stem}.${name}${extension}`)
  }

  return {
    open(name = '') {
      const existing = opened.get(name)
      if (existing) return existing
      const store = createLineStore({
        path: pathOf(name),
        parse: parseRecord,
        encode: encodeRecord,
        createView: createGraphView,
        onNotice,
      })
      const graph = createGraph(store)
      opened.set(name, graph)
      return graph
    },

    async list() {
      const entries = await readdir(dirname(file)).catch(() => [])
      const names = entries
        .filter((entry) => entry.startsWith(`${stem}.`) && entry.endsWith(extension))
        .map((entry) => entry.slice(stem.length + 1, -extension.length))
      return names.filter((name) => nameRule.test(name)).toSorted()
    },
  }
}
