/** Notes as resources: a template with a query, its list, completion, and watching for changes. */

import { json } from '@parley/mcp'
import { createServer, expandUriTemplate, type Server } from '@parley/mcp/server'
import { z } from 'zod'

/** Where notes are kept. */
export interface Notes {
  ids(): readonly string[]
  read(id: string): string | undefined
  write(id: string, text: string): void
  /** Calls back at each change of one note until the signal aborts. */
  watch(id: string, onChange: () => void, signal: AbortSignal): void
}

const template = 'notes://{id}{?format}'
const formats = ['json', 'text']

export function createNotesServer(notes: Notes): Server {
  const server = createServer({ name: 'notes', version: '1.0.0' })

  server.resource(
    'notes://index',
    { name: 'index', description: 'Every note by its id', mimeType: 'application/json' },
    () => json(notes.ids()),
  )

  server.resource(
    template,
    {
      name: 'note',
      description: 'One note, as text or as JSON',
      list: () =>
        notes.ids().map((id) => ({ uri: expandUriTemplate(template, { id }), name: `note ${id}` })),
      complete: {
        id: (typed) => notes.ids().filter((id) => id.startsWith(typed)),
        format: (typed) => formats.filter((format) => format.startsWith(typed)),
      },
      watch: ({ id }, changed, signal) => notes.watch(id, changed, signal),
    },
    ({ id, format }) => {
      const text = notes.read(id)
      if (text === undefined) return undefined // not found, by the code each revision has for it
      return format === 'json' ? json({ id, text }) : text
    },
  )

  server.tool(
    'write_note',
    { inputSchema: z.object({ id: z.string().min(1), text: z.string() }) },
    ({ id, text }) => {
      const isNew = notes.read(id) === undefined
      notes.write(id, text) // those who follow this note are told through `watch`
      if (isNew) server.notifyChanged('resources')
      return isNew ? 'Written.' : 'Replaced.'
    },
  )

  return server
}

/** Notes that last as long as the process. */
export function createMemoryNotes(initial: Readonly<Record<string, string>> = {}): Notes {
  const texts = new Map(Object.entries(initial))
  const changes = new EventTarget()

  return {
    ids: () => [...texts.keys()],
    read: (id) => texts.get(id),
    write(id, text) {
      texts.set(id, text)
      changes.dispatchEvent(new Event(id))
    },
    watch: (id, onChange, signal) => changes.addEventListener(id, onChange, { signal }),
  }
}
