import { commandLine } from '@parley/foundation/command-line'
import { installLinks } from '@parley/foundation/install-links'

import { readableJson } from '../api/answer.ts'
import type { Operation } from '../api/operation.ts'
import { Problem } from '../api/problem.ts'
import { clientFormats, createClientEntry, entryName } from '../client/client-entry.ts'
import { readDocument } from '../document/read-document.ts'
import { installOffers } from '../install/install-plan.ts'
import { findVersion } from '../storage/find-entries.ts'

const text = { type: 'string' } as const

/** What to write into the configuration file of a product, and what to ask before. */
export const configOperation: Operation = {
  method: 'GET',
  path: 'x/config',
  summary: 'A version as an entry of a configuration file, with its questions',
  query: { name: text, version: text, client: { enum: Object.keys(clientFormats) } },
  effort: 'read',
  isWriting: false,
  async run({ request, query, reader, isPublic }, { database }) {
    const name = query.text('name') ?? ''
    const client = query.text('client') ?? 'parley'
    const format = Object.hasOwn(clientFormats, client) ? clientFormats[client] : undefined
    if (format === undefined) {
      const formats = Object.keys(clientFormats).join(', ')
      throw new Problem(422, `The query parameter client must be one of ${formats}.`, {
        details: [{ message: `expected one of ${formats}`, location: 'query.client' }],
      })
    }
    const version = query.text('version') ?? 'latest'
    const entry = await findVersion(database.queries, name, version, false, reader)
    if (entry === undefined) throw new Problem(404, 'Server not found')
    const { plans, refused } = installOffers(readDocument(entry.document))
    // Where to build a package from source only the user's own machine can say.
    const options = plans
      .filter(({ isBuilt }) => !isBuilt)
      .map((plan) => {
        const made = createClientEntry(plan, { name: entryName(name), format, answers: {} })
        const { servers, inputs, text: file, notes } = made.exported
        const { title, origin, questions } = plan
        const start = made.entry.kind === 'url' ? made.entry.start : undefined
        const first = start && commandLine([start.command, ...start.args])
        const more = first === undefined ? [] : [`start it first, and leave it running: ${first}`]
        const links = installLinks({
          name: entryName(name),
          server: `${name}@${entry.version}`,
          entry: made.entry,
          inputs: made.inputs,
        })
        return {
          title,
          origin,
          questions,
          servers,
          inputs,
          file,
          links,
          notes: [...notes, ...more],
        }
      })
    const { status, statusMessage } = entry
    const answer = {
      name,
      version: entry.version,
      client,
      status,
      ...(statusMessage !== undefined && { statusMessage }),
      options,
      refused,
    }
    return readableJson(request, JSON.stringify(answer), isPublic)
  },
}
